/**
 * A model behind an OpenAI-compatible server, asked by streamed chat
 * completions.
 *
 * @module
 */

import OpenAI from "openai";
import type { Clock, Fetch } from "../ports.ts";
import {
  type Model,
  type ModelChunk,
  ModelError,
  type ModelPast,
  type ModelRequest,
} from "../types.ts";
import { CallIds, TurnAssembler } from "./assemble.ts";
import { type Capabilities, capabilitiesOf, type ToolProtocolSetting } from "./capabilities.ts";
import { Dialect } from "./dialect.ts";
import { withErrorBody } from "./error_body.ts";
import { modelErrorFrom, refusedWords, timeoutError } from "./model_error.ts";
import { withRetries } from "./retry.ts";
import { readTurn } from "./turn_stream.ts";
import type { TurnReader } from "./turn_reader.ts";
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
  /** What the model can do; what is known of it, where left out. */
  readonly capabilities?: Capabilities;
  /** How calls are made; `auto` where left out. */
  readonly toolProtocol?: ToolProtocolSetting;
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
  readonly #reader: TurnReader;
  readonly #dialect: Dialect;
  /** Whether the server said that nothing more comes. */
  #done = false;

  constructor(ids: CallIds, watch: Watch, asked: { dialect: Dialect; request: ModelRequest }) {
    this.#dialect = asked.dialect;
    this.#reader = asked.dialect.reader(asked.request);
    this.#assembler = new TurnAssembler(ids, this.#reader);
    this.#watch = watch;
  }

  /** Hands text and thoughts on as they come. */
  async *text(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ModelChunk> {
    for await (const { pieces, done } of readTurn(body, () => this.#watch.alive())) {
      for (const piece of pieces) {
        const { reasoningField } = piece;
        if (reasoningField !== null) this.#dialect.notice({ reasoningField });
        yield* this.#assembler.push(piece);
      }
      if (this.#assembler.ended) this.#watch.grace();
      this.#done ||= done;
    }
  }

  /** Whether all that counts was there, so that a later failure is none. */
  get ended(): boolean {
    return this.#assembler.ended;
  }

  /** What of its text was held back, and the whole turn. */
  *finish(): Generator<ModelChunk> {
    const { pieces, ...turn } = this.#assembler.finish(this.#done);
    const { opensThinking } = this.#reader;
    if (opensThinking !== null) this.#dialect.notice({ opensThinking });
    yield* pieces;
    yield { type: "turn_finished", ...turn };
  }
}

/** What a refusal teaches; null where it teaches nothing new. */
function adaptation(error: unknown, dialect: Dialect): ModelChunk | null {
  const refused = error instanceof ModelError ? refusedWords(error) : null;
  if (refused === null || !(error instanceof ModelError)) return null;
  const learned = dialect.learn(refused.words, error.status);
  return learned === null ? null : { type: "adapted", what: learned.what, why: refused.why };
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
  const dialect = new Dialect(
    settings.capabilities ?? capabilitiesOf(settings.baseUrl, settings.model),
    settings.toolProtocol ?? "auto",
  );
  const { timeouts } = settings;

  async function* attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const watch = new Watch(timeouts, ports, signal);
    const answer = new Answer(ids, watch, { dialect, request });
    try {
      const wire = wireRequest(request, settings, dialect);
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
      yield* answer.finish();
    } catch (error) {
      throw modelErrorFrom(error, settings, clock.now());
    }
  }

  /** Asks again where a refusal tells what the server does not take. */
  async function* adapting(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    while (true) {
      try {
        return yield* attempt(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        const adapted = adaptation(error, dialect);
        if (adapted === null) throw error;
        yield adapted;
      }
    }
  }

  return {
    name: settings.model,
    source: settings.baseUrl,
    recorded: false,
    get toolProtocol() {
      return dialect.capabilities.toolProtocol;
    },
    get bindsAnswers() {
      return dialect.capabilities.jsonSchema;
    },
    get sendsReasoning() {
      return dialect.capabilities.reasoningBack !== "no";
    },
    ask(request, signal) {
      return withRetries((attemptSignal) => adapting(request, attemptSignal), ports, {
        totalMs: timeouts.totalMs,
        late: (cause) => timeoutError("total", limitOf("total", timeouts), settings, cause),
        signal,
      });
    },
  };
}
