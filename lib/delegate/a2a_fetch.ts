/**
 * The `fetch` that the A2A SDK is given: it goes to no other host, carries the token, takes no more
 * than a bounded answer, and says by {@linkcode TransportError} what went wrong below A2A.
 *
 * @module
 */

import { retryAfterMs } from "../model/retry_after.ts";
import type { Fetch } from "../ports.ts";
import { TransportError } from "./types.ts";

/** Bytes of one answer, or of one stream, at the most: what the SDK takes of one event. */
export const MAX_A2A_BYTES = 4 * 1024 * 1024;

/** Redirects that are followed, all to the same host. */
const MAX_REDIRECTS = 3;

/** What an agent may be asked for, and how. */
export interface GuardOptions {
  /** The agent's name, for messages. */
  readonly agent: string;
  /** Where requests may go: `https://orders.example`. */
  readonly origins: ReadonlySet<string>;
  /** Sent as a bearer token; null: none. */
  readonly token: string | null;
  readonly maxBytes: number;
  /** Milliseconds since the epoch, for `Retry-After`. */
  readonly now: () => number;
}

/** Nothing came back, or not all: whether the agent has the request is not known. */
function lostConnection(error: unknown, { agent }: GuardOptions): TransportError {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The connection to ${agent} was lost: ${cause}`;
  return new TransportError("unknown_outcome", message, { retriable: false, cause: error });
}

/** The runtime says it only in words, and says it so for names and refused connections, too. */
function neverConnected(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes("client error (Connect)");
}

function networkFailure(error: unknown, url: URL, options: GuardOptions): TransportError {
  if (!neverConnected(error)) return lostConnection(error, options);
  const message = `${options.agent} can't be reached at ${url.host}`;
  return new TransportError("unreachable", message, { retriable: true, cause: error });
}

function tooLarge({ agent, maxBytes }: GuardOptions): TransportError {
  const message = `${agent} answered with more than ${maxBytes} bytes`;
  return new TransportError("too_large", message, { retriable: false });
}

/** A body that fails once it is too long, or the connection is lost. */
function boundedBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null,
  options: GuardOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await reader.read().catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : lostConnection(error, options);
      });
      if (piece.done) return controller.close();
      bytes += piece.value.byteLength;
      if (bytes <= options.maxBytes) return controller.enqueue(piece.value);
      void reader.cancel().catch(() => {});
      throw tooLarge(options);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What the status alone says; null where the body is to be read. */
function statusFailure(response: Response, options: GuardOptions): TransportError | null {
  const { status, headers } = response;
  const { agent } = options;
  if (status === 401 || status === 403) {
    const message = `${agent} does not take the token (${status})`;
    return new TransportError("unauthorized", message, { retriable: false });
  }
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers, "", options.now());
    const wait = waitMs === null ? {} : { retryAfterMs: waitMs };
    return new TransportError("busy", `${agent} is overloaded (${status})`, {
      retriable: true,
      ...wait,
    });
  }
  if (status === 413) {
    return new TransportError("refused", `${agent} finds the task too large`, { retriable: false });
  }
  const type = headers.get("content-type") ?? "";
  if (/\bjson\b|event-stream/.test(type) || (response.ok && type === "")) return null;
  if (status >= 500) return lostConnection(`its gateway says ${status}`, options);
  const message = `${agent} answered ${status} with ${type || "nothing"}, which is not A2A`;
  return new TransportError("bad_result", message, { retriable: false });
}

function bounded(
  response: Response,
  signal: AbortSignal | null,
  options: GuardOptions,
): Response {
  const failure = Number(response.headers.get("content-length")) > options.maxBytes
    ? tooLarge(options)
    : statusFailure(response, options);
  if (failure) {
    void response.body?.cancel().catch(() => {});
    throw failure;
  }
  const { status, statusText, headers } = response;
  const body = response.body && boundedBody(response.body, signal, options);
  return new Response(body, { status, statusText, headers });
}

/** Where a redirect leads, if it may be followed; null where the answer is none. */
function redirectOf(response: Response, from: URL, method: string): URL | null {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || !location) return null;
  const kept = method === "GET" || response.status === 307 || response.status === 308;
  return kept && URL.canParse(location, from) ? new URL(location, from) : null;
}

function misled(url: URL, { agent }: GuardOptions): TransportError {
  const message = `${agent} leads to ${url.origin}, which its address does not cover`;
  return new TransportError("bad_result", message, { retriable: false });
}

/** The runtime sends a text again by itself where the connection breaks, and a blob never. */
function sentOnce(init: RequestInit | undefined): RequestInit {
  return typeof init?.body === "string" ? { ...init, body: new Blob([init.body]) } : { ...init };
}

/**
 * Makes the `fetch` for one agent. It rejects with {@linkcode TransportError}, or the reason of the
 * request's signal; so does reading the body of what it resolves with. `unknown_outcome`: the agent
 * may have the request; that it surely has not is `unreachable`.
 */
export function guardedFetch(send: Fetch, options: GuardOptions): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (options.token !== null) headers.set("authorization", `Bearer ${options.token}`);
    const signal = init?.signal ?? null;
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0;; redirects += 1) {
      if (!options.origins.has(url.origin)) throw misled(url, options);
      const request = { ...sentOnce(init), headers, redirect: "manual" } as const;
      const response = await send(url, request).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : networkFailure(error, url, options);
      });
      const next = redirectOf(response, url, init?.method ?? "GET");
      if (!next || redirects === MAX_REDIRECTS) return bounded(response, signal, options);
      void response.body?.cancel().catch(() => {});
      url = next;
    }
  };
}
