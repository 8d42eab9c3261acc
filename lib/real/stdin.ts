/**
 * The one stdin of this process, for all who read it, and how its terminal behaves meanwhile.
 *
 * @module
 */

import { orFileError } from "./file_error.ts";
import { isInForeground } from "./foreground.ts";

/** Bytes of one read. */
const PIECE_BYTES = 64 * 1024;

/** A read can't be taken back: what it brings is for whoever asks next. */
let reading: Promise<Uint8Array | null> | null = null;

/** What came while nobody asked, for whoever asks next. */
const kept: Uint8Array[] = [];

/** Settled once nobody asks any more; null: nobody does. */
let asking: Promise<void> | null = null;

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
  const early = kept.shift();
  if (early !== undefined) return early;
  const done = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  asking = promise;
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
    if (asking === promise) asking = null;
    resolve();
  }
}

/** What a promise comes to; null: the signal was aborted before, or it failed. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const done = new AbortController();
  try {
    const value = await Promise.race([promise, whenAborted(signal, done.signal)]);
    return value === "aborted" ? null : value;
  } catch {
    return null;
  } finally {
    done.abort();
  }
}

/**
 * Looks through what comes while nobody asks for it, until the signal is aborted or nothing comes
 * any more, which whoever asks next is told.
 *
 * @param take Is handed each piece; what it returns is for whoever asks next.
 */
export async function watchStdin(
  take: (piece: Uint8Array) => Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const awaited = reading ??= readPiece();
    const piece = await unlessAborted(awaited, signal);
    // What comes while somebody asks is theirs, whether they have it by now or not.
    if (asking !== null) await unlessAborted(asking, signal);
    else if (reading === awaited) {
      if (piece === null) return;
      reading = null;
      const rest = take(piece);
      if (rest.length > 0) kept.push(rest);
    }
  }
}

/**
 * How what is typed comes. `shown`: by lines, as the terminal had it. `hushed`: as it is typed, not
 * shown, and Ctrl-C is a signal. `keys`: likewise, and Ctrl-C is a key.
 */
export type InputMode = "shown" | "hushed" | "keys";

const modes: InputMode[] = ["shown"];

function setMode(): void {
  try {
    if (modes.length === 1) Deno.stdin.setRaw(false);
    else Deno.stdin.setRaw(true, { cbreak: !modes.includes("keys") });
  } catch {
    // The terminal has gone, or never was one.
  }
}

/** A shell has the terminal in its own mode while this process is stopped, and leaves it so. */
async function onContinue(): Promise<void> {
  if (await isInForeground() && isModeSet()) setMode();
}

function followStops(follow: boolean): void {
  if (Deno.build.os === "windows") return;
  if (follow) Deno.addSignalListener("SIGCONT", onContinue);
  else Deno.removeSignalListener("SIGCONT", onContinue);
}

/** Whether the terminal is in another mode than it was found in. */
export function isModeSet(): boolean {
  return modes.length > 1;
}

/** Has what is typed come in a mode, until the function that it returns is called; `keys` wins. */
export function enterMode(mode: InputMode): () => void {
  if (!isModeSet()) followStops(true);
  modes.push(mode);
  setMode();
  return () => {
    const at = modes.lastIndexOf(mode);
    if (at <= 0) return;
    modes.splice(at, 1);
    if (!isModeSet()) followStops(false);
    setMode();
  };
}

/** Leaves the terminal as it was found; never throws. */
export function restoreMode(): void {
  if (!isModeSet()) return;
  modes.length = 1;
  followStops(false);
  setMode();
}
