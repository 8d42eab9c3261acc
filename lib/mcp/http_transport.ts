/**
 * An MCP server that is reached by streamable HTTP.
 *
 * @module
 */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Fetch } from "../ports.ts";
import { MAX_MESSAGE_BYTES } from "./process_transport.ts";

/** Where a server is reached. */
export interface ServerAddress {
  readonly url: string;
  /** Null: it takes none. */
  readonly token: string | null;
}

/** The same answer, broken off behind so many bytes. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      bytes += piece.length;
      if (bytes <= MAX_MESSAGE_BYTES) controller.enqueue(piece);
      else controller.error(new Error(`it sent more than ${MAX_MESSAGE_BYTES} bytes`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

/** Whether a request only listens to what a server may want to say by itself, which nobody reads. */
function isListening(init: RequestInit): boolean {
  return init.method === "GET" && !new Headers(init.headers).has("last-event-id");
}

/** Builds the transport; a redirect to elsewhere is refused, so that the token goes nowhere else. */
export function httpTransport(
  { url, token }: ServerAddress,
  send: Fetch,
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: token === null ? {} : { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input, init = {}) => {
      // As if the server offered no such stream: the answers to calls come by those themselves.
      if (isListening(init)) return new Response(null, { status: 405 });
      return bounded(await send(input, init));
    },
  });
}
