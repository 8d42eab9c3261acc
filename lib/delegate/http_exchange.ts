/**
 * One request to an agent and its answer: bounded, without redirects, with the token.
 *
 * @module
 */

import { shownAddress } from "../config/kinds.ts";
import type { Fetch } from "../ports.ts";
import { readBounded } from "./bounded.ts";
import { TransportError } from "./types.ts";

/** An answer, whatever it says. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
}

/** What came of a request. */
export type Exchanged =
  | { readonly kind: "answered"; readonly answer: HttpAnswer }
  /** There is no whole answer. */
  | {
    readonly kind: "broken";
    /** Whether the agent may have got the request. */
    readonly maybeReceived: boolean;
    readonly error: TransportError;
  };

/** To whom requests go. */
export interface Correspondent {
  /** The agent's name. */
  readonly name: string;
  readonly token: string | null;
  readonly maxBytes: number;
}

/** What a request is. */
export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly body?: string;
  /** Seconds that the agent may hold the request open; left out: as it likes. */
  readonly waitSec?: number;
}

/** The runtime's words for a connection that was never made. Source: measured on Deno 2.8. */
const NOT_CONNECTED = /client error \(Connect\)|are blocked$/;

function headersOf({ body, waitSec }: ExchangeRequest, token: string | null): Headers {
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (waitSec !== undefined) headers.set("prefer", `wait=${waitSec}`);
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  return headers;
}

function broken(error: unknown, { url }: ExchangeRequest, name: string): Exchanged {
  const why = error instanceof Error ? error.message : String(error);
  const refusedHere = error instanceof Error && error.name === "NotCapable";
  const notConnected = NOT_CONNECTED.test(why) || refusedHere;
  const says = shownAddress(why.replace(/^error sending request .*?: (?=client error)/, ""));
  const message = notConnected
    ? `Agent "${name}" can't be reached at ${url.host} (${says})`
    : `The connection to agent "${name}" at ${url.host} broke (${says})`;
  return {
    kind: "broken",
    maybeReceived: !notConnected,
    error: new TransportError("unreachable", message, { retriable: !refusedHere, cause: error }),
  };
}

/** The text of a response; more than is taken is not read. */
async function bodyOf(
  response: Response,
  { name, maxBytes }: Correspondent,
): Promise<string> {
  const declared = Number(response.headers.get("content-length") ?? 0);
  const text = declared > maxBytes ? null : await readBounded(response.body, maxBytes);
  if (text !== null) return text;
  await response.body?.cancel().catch(() => {});
  const message = `Agent "${name}" answered with more than ${maxBytes} bytes`;
  throw new TransportError("too_large", message, { retriable: false });
}

/**
 * Sends one request and reads the answer to its end.
 *
 * @throws {TransportError} `too_large`, if there is more of it than is taken.
 * @throws The signal's reason, once it is aborted.
 */
export async function exchange(
  request: ExchangeRequest,
  to: Correspondent,
  { fetch: send, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<Exchanged> {
  const { method, url, body } = request;
  try {
    const response = await send(url, {
      method,
      headers: headersOf(request, to.token),
      redirect: "manual",
      signal,
      // The runtime sends a text again by itself where the connection breaks, and a blob never.
      // Source: measured on Deno 2.8.
      ...(body === undefined ? {} : { body: new Blob([body]) }),
    });
    const { status, statusText, headers } = response;
    const text = await bodyOf(response, to);
    return { kind: "answered", answer: { status, statusText, headers, text } };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TransportError) throw error;
    return broken(error, request, to.name);
  }
}
