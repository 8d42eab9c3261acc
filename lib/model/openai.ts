/**
 * A model behind an OpenAI-compatible server, asked by streamed chat
 * completions.
 *
 * @module
 */

import OpenAI from "openai";
import type { Clock, Fetch } from "../ports.ts";
import type { Model, ModelChunk, ModelPast, ModelRequest } from "../types.ts";
import { CallIds, TurnAssembler } from "./assemble.ts";
import { withErrorBody } from "./error_body.ts";
import { modelErrorFrom, timeoutError } from "./model_error.ts";
import { withRetries } from "./retry.ts";
import { readTurn } from "./turn_stream.ts";
import { type Timeouts, type TimerName, Watch } from "./watch.ts";
import { wireRequest } from "./wire.ts";

/** Where and how to ask. */
export interface ServerSettings {
  /** Address up to and with the version: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Null: no `Authorization` header is sent. */
  readonly apiKey: string | null;
  readonly model: string;
  /** 0 to 2. */
  readonly temperature: number;
  readonly timeouts: Timeouts;
}

/** What asking a server needs. */
export interface ServerPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  /** Tries a connection to the server; null where that would tell nothing. */
  readonly connect: ((signal: AbortSignal) => Promise<void>) | null;
}

/** The SDK has a timer of its own, which must not be the first: the longest that there can be. */
const SDK_TIMEOUT_MS = 2 ** 31 - 1;

function clientOf(settings: ServerSettings, send: Fetch): OpenAI {
  return new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    logLevel: "off",
    // A redirect would take the conversation to a host that nobody set.
    fetch: async (input, init) => withErrorBody(await send(input, { ...init, redirect: "error" })),
    ...(settings.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
  });
}

function limitOf(name: TimerName, timeouts: Timeouts): number {
  const { connectMs, firstByteMs, idleMs, totalMs } = timeouts;
  const limits = { connect: connectMs, first_byte: firstByteMs, idle: idleMs, total: totalMs };
  return limits[name] ?? 0;
}

/** The answer to one request: its text as it comes, and the turn in the end. */
class Answer {
  readonly #assembler: TurnAssembler;
  readonly #watch: Watch;
  /** Whether the server said that nothing more comes. */
  #done = false;

  constructor(ids: CallIds, watch: Watch) {
    this.#assembler = new TurnAssembler(ids);
    this.#watch = watch;
  }

  /** Hands text on as it comes. */
  async *text(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ModelChunk> {
    for await (const { pieces, done } of readTurn(body, () => this.#watch.alive())) {
      for (const piece of pieces) {
        this.#assembler.push(piece);
        if (piece.text !== "") yield { type: "text", text: piece.text };
      }
      if (this.#assembler.ended) this.#watch.grace();
      this.#done ||= done;
    }
  }

  /** Whether all that counts was there, so that a later failure is none. */
  get ended(): boolean {
    return this.#assembler.ended;
  }

  /** The whole turn. */
  finish(): ModelChunk {
    return { type: "turn_finished", ...this.#assembler.finish(this.#done) };
  }
}

/**
 * Builds the model.
 *
 * @param past What the session has had of it before; nothing if left out.
 */
export function createServerModel(
  settings: ServerSettings,
  ports: ServerPorts,
  past?: () => ModelPast,
): Model {
  const client = clientOf(settings, ports.fetch);
  const ids = new CallIds(past && (() => past().callIds));
  const { clock } = ports;
  const { timeouts } = settings;

  async function* attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const watch = new Watch(timeouts, ports, signal);
    const answer = new Answer(ids, watch);
    try {
      const wire = wireRequest(request, settings);
      const options = { signal: watch.signal };
      const { body } = await client.chat.completions.create(wire, options).asResponse();
      yield* answer.text(body);
    } catch (error) {
      watch.abort();
      signal.throwIfAborted();
      const { expired } = watch;
      if (!answer.ended) {
        if (expired !== null) throw timeoutError(expired, limitOf(expired, timeouts), settings);
        throw modelErrorFrom(error, settings, clock.now());
      }
    } finally {
      watch.clear();
    }
    signal.throwIfAborted();
    try {
      yield answer.finish();
    } catch (error) {
      throw modelErrorFrom(error, settings, clock.now());
    }
  }

  return {
    name: settings.model,
    source: settings.baseUrl,
    recorded: false,
    ask(request, signal) {
      return withRetries((attemptSignal) => attempt(request, attemptSignal), ports, {
        totalMs: timeouts.totalMs,
        late: (cause) => timeoutError("total", limitOf("total", timeouts), settings, cause),
        signal,
      });
    },
  };
}
