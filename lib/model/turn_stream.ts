/**
 * From a server's response to the pieces of a turn: a stream of events, or a whole completion where
 * no stream comes, whatever the response says of its type.
 *
 * @module
 */

import { errorIn, pieceOf, type TurnPiece } from "./chunk.ts";
import { EventSplitter, type ServerEvent } from "./events.ts";
import { StreamError } from "./stream_error.ts";

/** Bytes that a server may send after its last event; beyond that the connection is given up. */
const MAX_REST_BYTES = 64 * 1024;

/** Bytes of a whole answer; the longest that models give is a hundredth of it. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What came of one read. */
export interface Pieces {
  readonly pieces: readonly TurnPiece[];
  /** Whether the server said `[DONE]`. */
  readonly done: boolean;
}

/** Reads what follows the last event, so that the connection can be used again. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StreamError({ kind: "not_understood", text }, error);
  }
}

/** The values of an event; some servers leave out the empty line between two of them. */
function valuesOf(data: string): unknown[] {
  if (!data.includes("\n")) return [parsed(data)];
  try {
    return [JSON.parse(data)];
  } catch {
    return data.split("\n").filter((line) => line.trim() !== "" && !isDone(line)).map(parsed);
  }
}

function isDone(data: string): boolean {
  return data.startsWith("[DONE]");
}

/** Turns events into pieces; a last one that is the same as the one before is sent twice. */
class PieceReader {
  #lastEnd = "";

  read(events: readonly ServerEvent[]): Pieces {
    const pieces: TurnPiece[] = [];
    for (const { name, data } of events) {
      if (isDone(data)) return { pieces, done: true };
      if (data.trim() === "") continue;
      if (data === this.#lastEnd) continue;
      for (const value of valuesOf(data)) pieces.push(this.#piece(value, name, data));
    }
    return { pieces, done: events.some(({ data }) => data.endsWith("\n[DONE]")) };
  }

  #piece(value: unknown, name: string, data: string): TurnPiece {
    const error = errorIn(value, name);
    if (error !== null) throw new StreamError({ kind: "said", where: "stream", error });
    if (typeof value !== "object") throw new StreamError({ kind: "not_understood", text: data });
    const piece = pieceOf(value);
    if (piece.end !== null) this.#lastEnd = data;
    return piece;
  }
}

/** What a server sent that is no event stream: an error, a page, or a whole completion. */
function wholeAnswer(text: string): TurnPiece {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StreamError({ kind: "not_a_stream", text }, error);
  }
  const piece = pieceOf(value);
  const error = errorIn(value);
  if (error !== null) throw new StreamError({ kind: "said", where: "body", error });
  if (piece.end !== null || piece.text !== "" || piece.calls.length > 0) return piece;
  throw new StreamError({ kind: "said", where: "body", error: text });
}

/** What is left at the end of a stream; JSON that stops in its middle was cut off. */
function lastPieces(splitter: EventSplitter, pieces: PieceReader): Pieces {
  try {
    return pieces.read(splitter.end());
  } catch (error) {
    const cut = error instanceof StreamError && error.fault.kind === "not_understood" &&
      error.fault.text.startsWith("{");
    throw cut ? new StreamError({ kind: "cut" }, error) : error;
  }
}

/**
 * Reads a response up to `[DONE]` or the end of its body. The rest of the body is then read and
 * dropped: a body that is given up costs the next turn a new connection.
 *
 * @param onBytes Told of every sign of life, comments included.
 * @throws {StreamError} If it can't be understood, or the server says that it failed.
 */
export async function* readTurn(
  body: ReadableStream<Uint8Array> | null,
  onBytes: () => void,
): AsyncGenerator<Pieces> {
  if (body === null) return;
  const splitter = new EventSplitter();
  const pieces = new PieceReader();
  const reader = body.getReader();
  let total = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onBytes();
      total += next.value.length;
      if (total > MAX_ANSWER_BYTES) throw new StreamError({ kind: "too_long" });
      const events = splitter.push(next.value);
      if (events.length === 0) continue;
      const read = pieces.read(events);
      yield read;
      if (read.done) return;
    }
    yield lastPieces(splitter, pieces);
    const { other } = splitter;
    if (other !== null && other.trim() !== "") yield { pieces: [wholeAnswer(other)], done: true };
  } finally {
    void dropRest(reader);
  }
}
