/**
 * Takes results that agents post: each at an address of its own that nobody can guess, and once.
 *
 * @module
 */

import type { Clock, HttpServer, HttpServers, Ports } from "../ports.ts";
import { MAX_ANSWER_BYTES, parseForeign, readBounded } from "./bounded.ts";
import { checkResult } from "./check.ts";
import { type AgentCallback, type ResultEnvelope, TransportError } from "./types.ts";

/** What listening needs. */
export interface CallbackPorts extends Pick<Ports, "newId"> {
  readonly servers: HttpServers;
  readonly clock: Clock;
}

/** A result that is waited for. */
export interface AwaitedCallback {
  /** To which it is to be posted. */
  readonly url: string;
  /** Settles only if a result of the task comes. */
  readonly result: Promise<ResultEnvelope>;
  /** Waits no more; must be called. */
  end(): void;
}

interface Waiting {
  readonly taskId: string;
  readonly take: (result: ResultEnvelope) => void;
  taken: boolean;
}

/** Time for what listened before to let go of its port, in milliseconds. */
const LET_GO_MS = 1_000;

/** Ids in an address: 48 bits each. */
const SECRET_IDS = 3;

function answered(status: number, words: string): Response {
  return new Response(`${words}\n`, { status });
}

/** Listens for as long as results are waited for. */
export class CallbackListener {
  readonly #callback: AgentCallback;
  readonly #ports: CallbackPorts;
  readonly #maxBytes: number;
  readonly #waiting = new Map<string, Waiting>();
  #server: Promise<HttpServer> | null = null;
  #closed: Promise<void> | null = null;
  #ignored = 0;

  constructor(callback: AgentCallback, ports: CallbackPorts, maxBytes = MAX_ANSWER_BYTES) {
    this.#callback = callback;
    this.#ports = ports;
    this.#maxBytes = maxBytes;
  }

  /** Requests that were ignored: at a wrong address, with a wrong result, or with a second one. */
  get ignored(): number {
    return this.#ignored;
  }

  /**
   * Waits for the result of a task.
   *
   * @throws {TransportError} `unreachable`, if it can't listen.
   */
  async expect(taskId: string, signal: AbortSignal): Promise<AwaitedCallback> {
    const secret = Array.from({ length: SECRET_IDS }, this.#ports.newId).join("");
    const { promise, resolve } = Promise.withResolvers<ResultEnvelope>();
    this.#waiting.set(secret, { taskId, take: resolve, taken: false });
    const end = () => this.#end(secret);
    try {
      const { address } = await this.#listen(signal);
      const base = this.#callback.url.replace("{port}", String(address.port)).replace(/\/$/, "");
      return { url: `${base}/${secret}`, result: promise, end };
    } catch (error) {
      end();
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      const message = `Results can't be taken at ${this.#callback.hostname}: ${why}`;
      throw new TransportError("unreachable", message, { retriable: false, cause: error });
    }
  }

  async #listen(signal: AbortSignal): Promise<HttpServer> {
    if (this.#server === null) {
      const { hostname, port } = this.#callback;
      this.#server = this.#letGo(signal).then(() =>
        this.#ports.servers.listen(
          { hostname, port },
          (request) => this.#handle(request),
          new AbortController().signal,
        )
      );
    }
    return await this.#server;
  }

  /** The port may still be held by the server that was closed last. */
  async #letGo(signal: AbortSignal): Promise<void> {
    if (this.#closed === null) return;
    const over = new AbortController();
    const late = this.#ports.clock.sleep(LET_GO_MS, AbortSignal.any([signal, over.signal]));
    await Promise.race([this.#closed, late]).finally(() => {
      late.catch(() => {});
      over.abort();
    });
  }

  #end(secret: string): void {
    this.#waiting.delete(secret);
    if (this.#waiting.size > 0 || this.#server === null) return;
    // Drained and not cut: the agent is yet to be told that its result was taken.
    this.#closed = this.#server.then((server) => server.drain(), () => {});
    this.#server = null;
  }

  #ignore(status: number, words: string): Response {
    this.#ignored += 1;
    return answered(status, words);
  }

  async #handle(request: Request): Promise<Response> {
    const secret = new URL(request.url).pathname.split("/").at(-1) ?? "";
    const waiting = this.#waiting.get(secret);
    if (waiting === undefined) return this.#ignore(404, "Nobody waits for this");
    if (request.method !== "POST") return this.#ignore(405, "Results are posted");
    const text = await readBounded(request.body, this.#maxBytes);
    if (text === null) return this.#ignore(413, "This is too large");
    const checked = checkResult(parseForeign(text), waiting.taskId);
    if (!checked.ok) return this.#ignore(400, checked.error.message);
    if (waiting.taken) return this.#ignore(409, "There is a result already");
    waiting.taken = true;
    waiting.take(checked.value);
    return new Response(null, { status: 204 });
  }
}
