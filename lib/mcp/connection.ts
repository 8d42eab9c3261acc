/**
 * A connection to one MCP server, made anew where it was lost.
 *
 * @module
 */

import {
  Client,
  ProtocolError,
  SdkHttpError,
  type StandardSchemaV1,
  type Transport,
} from "@modelcontextprotocol/client";
import { type Deadline, startDeadline } from "../calls/deadline.ts";
import type { Clock } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import { VERSION } from "../version.ts";
import { McpError } from "./errors.ts";
import { inLine } from "./in_line.ts";
import { ProcessTransport } from "./process_transport.ts";

/** A tool as its server lists it; unchecked beyond this. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** What a server says of itself. */
export interface ServerHello {
  readonly protocol: string;
  readonly tools: readonly ListedTool[];
}

/** How a server is connected to. */
export interface ConnectionOptions {
  readonly startTimeoutMs: number;
  readonly clock: Clock;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** Pages of a list of tools, and tools, at the most. */
const MAX_PAGES = 20;
const MAX_TOOLS = 200;

/** The client's own time limits are out of the way: calls have rein's. Source: setTimeout. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Characters of what a server says of an error. */
const MESSAGE_CHARS = 500;

/** One wrong tool would make a whole list wrong, so everything is taken, and checked piece by piece. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "rein", validate: (value) => ({ value }) },
};

/** An open connection. */
interface Open {
  readonly client: Client;
  readonly transport: Transport;
  readonly hello: ServerHello;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listedTool(raw: unknown): ListedTool | null {
  const name = fieldOf(raw, "name");
  if (typeof name !== "string" || name === "") return null;
  const description = fieldOf(raw, "description");
  return {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema: fieldOf(raw, "inputSchema"),
  };
}

async function listTools(client: Client, signal: AbortSignal): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: ListedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const options = { signal, timeout: NO_TIMEOUT_MS };
    const result = await client.request({ method: "tools/list", params }, ANYTHING, options);
    const listed = fieldOf(result, "tools");
    if (!Array.isArray(listed)) throw new TypeError("it did not list its tools");
    const some = listed.slice(0, MAX_TOOLS - tools.length);
    tools.push(...some.map(listedTool).filter((tool) => tool !== null));
    cursor = fieldOf(result, "nextCursor");
    if (typeof cursor !== "string" || cursor === "") break;
  }
  return tools;
}

/** What went wrong, in the words of whoever knows best. */
function wordsOf(error: unknown, transport: Transport): string {
  if (error instanceof SdkHttpError && error.status !== undefined) {
    return `it was answered ${error.status}`;
  }
  const own = transport instanceof ProcessTransport ? transport.lastWords : null;
  const said = error instanceof Error ? error.message : String(error);
  const words = own ?? said;
  return inLine(words, MESSAGE_CHARS);
}

/** A server that is spoken to. Its list of tools is that of the first connection. */
export class Connection {
  readonly #transportOf: (signal: AbortSignal) => Transport;
  readonly #options: ConnectionOptions;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #open: Promise<Open> | null = null;

  /** @param transportOf Makes a transport that was not used yet. */
  constructor(transportOf: (signal: AbortSignal) => Transport, options: ConnectionOptions) {
    this.#transportOf = transportOf;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#ending.signal]);
  }

  /**
   * Connects, where there is no connection.
   *
   * @throws {McpError} `down`, if that can't be done in time.
   */
  async connect(): Promise<ServerHello> {
    return (await this.#opened()).hello;
  }

  /**
   * Calls a tool. Once the signal is aborted the server is told so.
   *
   * @returns What the server sent; unchecked.
   * @throws {McpError} If there is no result.
   * @throws The signal's reason, once it is aborted.
   */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<unknown> {
    const open = await this.#opened();
    signal.throwIfAborted();
    try {
      return await this.#send(open, { name, arguments: args }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A session that has ended takes no calls, so this one was not made.
      if (!(error instanceof SdkHttpError) || error.status !== 404) {
        throw this.#failure(error, open);
      }
      this.#forget(open);
      const again = await this.#opened();
      return await this.#send(again, { name, arguments: args }, signal).catch((failure) => {
        signal.throwIfAborted();
        throw this.#failure(failure, again);
      });
    }
  }

  /** Ends the connection, and a program with its group; never rejects. */
  async end(): Promise<void> {
    this.#ending.abort();
    const open = await this.#open?.catch(() => null);
    await open?.client.close().catch(() => {});
  }

  #send({ client }: Open, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const request = { method: "tools/call", params: { ...params } };
    return client.request(request, ANYTHING, { signal, timeout: NO_TIMEOUT_MS });
  }

  #failure(error: unknown, open: Open): McpError {
    if (error instanceof ProtocolError) {
      return new McpError("refused", inLine(error.message, MESSAGE_CHARS), error);
    }
    const lost = open.client.transport === undefined;
    return new McpError(lost ? "lost" : "refused", wordsOf(error, open.transport), error);
  }

  #forget(open: Open): void {
    void open.client.close().catch(() => {});
    this.#open = null;
  }

  /** The connection; one that was lost is made once more. */
  #opened(): Promise<Open> {
    if (this.#open !== null) return this.#open;
    const opening = this.#connected();
    this.#open = opening;
    opening.then(
      ({ client }) => {
        const forget = () => {
          if (this.#open === opening) this.#open = null;
        };
        client.onclose = forget;
        if (client.transport === undefined) forget();
      },
      () => this.#open = null,
    );
    return opening;
  }

  async #connected(): Promise<Open> {
    const { clock, startTimeoutMs } = this.#options;
    const deadline = startDeadline(clock, startTimeoutMs, this.#signal);
    const transport = this.#transportOf(this.#signal);
    const client = new Client({ name: "rein", version: VERSION }, { capabilities: {} });
    try {
      const { signal } = deadline;
      await client.connect(transport, { signal, timeout: NO_TIMEOUT_MS });
      const tools = await listTools(client, signal);
      const protocol = client.getNegotiatedProtocolVersion() ?? "unknown";
      return { client, transport, hello: { protocol, tools } };
    } catch (error) {
      const why = this.#startWords(error, transport, deadline);
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      throw new McpError("down", why, error);
    } finally {
      deadline.clear();
    }
  }

  #startWords(error: unknown, transport: Transport, deadline: Deadline): string {
    if (!deadline.expired()) return wordsOf(error, transport);
    const own = transport instanceof ProcessTransport ? transport.lastWords : null;
    const limit = `it did not answer within ${deadline.ms / 1000} s`;
    return own === null ? limit : `${limit}; ${own}`;
  }
}
