/**
 * The events of a streamed answer, read so that the connection can be used again.
 *
 * @module
 */

import { Stream } from "openai/core/streaming";

/** Bytes that a server may send after its last event; beyond that the connection is given up. */
const MAX_REST_BYTES = 64 * 1024;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function dropRest(reader: Reader): Promise<void> {
  try {
    for (let bytes = 0; bytes <= MAX_REST_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // The connection is lost; the answer was complete before.
  }
}

/** The same bytes; once nobody wants more, the rest is read and dropped. */
function readToEnd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void dropRest(reader),
  });
}

/**
 * Reads server-sent events up to `[DONE]` or the end of the body.
 *
 * The SDK on its own aborts the request at `[DONE]`, before the end of the body
 * has been read, and so pays for a new connection in every turn.
 *
 * @throws {OpenAIError} If there is no body, or the server sends an error as an event.
 * @throws {SyntaxError} If an event is not JSON.
 */
export function eventsOf<Item>(response: Response): AsyncIterable<Item> {
  const body = response.body === null ? null : readToEnd(response.body);
  const { headers } = response;
  return Stream.fromSSEResponse<Item>(new Response(body, { headers }), new AbortController());
}
