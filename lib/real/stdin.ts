/**
 * The one stdin of this process, for all who read it, and how its terminal behaves meanwhile.
 *
 * @module
 */

import { orFileError } from "./file_error.ts";

/** Bytes of one read. */
const PIECE_BYTES = 64 * 1024;

/** A read can't be taken back: what it brings is for whoever asks next. */
let reading: Promise<Uint8Array | null> | null = null;

/** Stdin may be a directory, or a device that fails. */
async function readPiece(): Promise<Uint8Array | null> {
  const buffer = new Uint8Array(PIECE_BYTES);
  const count = await orFileError("stdin", () => Deno.stdin.read(buffer));
  return count === null ? null : buffer.subarray(0, count);
}

/** Resolves once a signal is aborted, unless the work is done by then. */
function whenAborted(signal: AbortSignal, done: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    const options = { once: true, signal: done };
    signal.addEventListener("abort", () => resolve("aborted"), options);
  });
}

/**
 * The next piece of stdin.
 *
 * @returns Null once it has ended or the signal is aborted.
 * @throws {FileError} If it can't be read.
 */
export async function readStdin(signal: AbortSignal): Promise<Uint8Array | null> {
  if (signal.aborted) return null;
  const done = new AbortController();
  reading ??= readPiece();
  // Where nobody waits for it any more, its failure is told to whoever asks next.
  reading.catch(() => {});
  try {
    const piece = await Promise.race([reading, whenAborted(signal, done.signal)]);
    if (piece === "aborted") return null;
    reading = null;
    return piece;
  } catch (error) {
    reading = null;
    throw error;
  } finally {
    done.abort();
  }
}

/**
 * How what is typed comes. `shown`: by lines, as the terminal had it. `hushed`: as it is typed, not
 * shown, and Ctrl-C is a signal. `keys`: likewise, and Ctrl-C is a key.
 */
export type InputMode = "shown" | "hushed" | "keys";

const modes: InputMode[] = ["shown"];

function setMode(): void {
  const mode = modes.at(-1);
  try {
    if (mode === "shown") Deno.stdin.setRaw(false);
    else Deno.stdin.setRaw(true, { cbreak: mode === "hushed" });
  } catch {
    // The terminal has gone, or never was one.
  }
}

/** Has what is typed come in a mode, until the function that it returns is called. */
export function enterMode(mode: InputMode): () => void {
  modes.push(mode);
  setMode();
  return () => {
    const at = modes.lastIndexOf(mode);
    if (at > 0) modes.splice(at, 1);
    setMode();
  };
}

/** Leaves the terminal as it was found; never throws. */
export function restoreMode(): void {
  if (modes.length === 1) return;
  modes.length = 1;
  setMode();
}
