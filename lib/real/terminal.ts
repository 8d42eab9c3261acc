/**
 * The real standard streams.
 *
 * @module
 */

import { fstatSync } from "node:fs";
import { OutputError, type Terminal, type TerminalSize } from "../ports.ts";
import { orFileError } from "./file_error.ts";

const encoder = new TextEncoder();

/** Writes to a stream, one text after the other, each of them whole. */
function createWriter(stream: { write(bytes: Uint8Array): Promise<number> }) {
  let last: Promise<void> = Promise.resolve();
  const writeAll = async (bytes: Uint8Array) => {
    for (let offset = 0; offset < bytes.length;) {
      offset += await stream.write(bytes.subarray(offset));
    }
  };
  return (text: string): Promise<void> => {
    const written = last.then(() => writeAll(encoder.encode(text)));
    last = written.catch(() => {});
    return written;
  };
}

const writeOut = createWriter(Deno.stdout);

async function out(text: string): Promise<void> {
  try {
    await writeOut(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new OutputError(error instanceof Deno.errors.BrokenPipe, error);
  }
}

const err = createWriter(Deno.stderr);

/** A closed stdin counts as a file: it has ended. */
function stdinIsFile(): boolean {
  try {
    const info = fstatSync(0);
    return !info.isFIFO() && !info.isSocket();
  } catch {
    return true;
  }
}

/** Stdin may be a directory, or a device that fails. */
function readStdin(buffer: Uint8Array): Promise<number | null> {
  return orFileError("stdin", () => Deno.stdin.read(buffer));
}

/** A read can't be taken back: what it brings is for whoever asks next. */
let reading: Promise<Uint8Array | null> | null = null;

async function readPiece(): Promise<Uint8Array | null> {
  const buffer = new Uint8Array(64 * 1024);
  const count = await readStdin(buffer);
  return count === null ? null : buffer.subarray(0, count);
}

/** Reads the next piece of stdin, or gives up once the signal is aborted. */
async function readInput(signal: AbortSignal): Promise<Uint8Array | null> {
  let onAbort = () => {};
  const aborted = new Promise<"aborted">((resolve) => {
    onAbort = () => resolve("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
  });
  if (signal.aborted) return null;
  reading ??= readPiece();
  // Where nobody waits for it any more, its failure is told to whoever asks next.
  reading.catch(() => {});
  try {
    const piece = await Promise.race([reading, aborted]);
    if (piece === "aborted") return null;
    reading = null;
    return piece;
  } catch (error) {
    reading = null;
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** `shown`: by lines. `hushed`: Ctrl-C is a signal. `keys`: it is a key. */
type InputMode = "shown" | "hushed" | "keys";

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
function enter(mode: InputMode): () => void {
  modes.push(mode);
  setMode();
  return () => {
    const at = modes.lastIndexOf(mode);
    if (at > 0) modes.splice(at, 1);
    setMode();
  };
}

function restore(): void {
  if (modes.length === 1) return;
  modes.length = 1;
  setMode();
}

/** A terminal that can be left as it was found, whoever still uses it. */
export interface RestorableTerminal extends Terminal {
  /** Never throws. */
  restore(): void;
}

async function* keys(signal: AbortSignal): AsyncGenerator<string> {
  const leave = enter("keys");
  const decoder = new TextDecoder();
  try {
    while (true) {
      const piece = await readInput(signal);
      if (piece === null) return;
      yield decoder.decode(piece, { stream: true });
    }
  } finally {
    leave();
  }
}

function size(): TerminalSize | null {
  try {
    const { columns, rows } = Deno.consoleSize();
    return columns > 0 && rows > 0 ? { columns, rows } : null;
  } catch {
    return null;
  }
}

function onResize(changed: () => void, signal: AbortSignal): void {
  if (Deno.build.os === "windows" || signal.aborted) return;
  Deno.addSignalListener("SIGWINCH", changed);
  const end = () => Deno.removeSignalListener("SIGWINCH", changed);
  signal.addEventListener("abort", end, { once: true });
}

async function askYesOrNo(message: string, signal: AbortSignal): Promise<boolean> {
  const [{ confirm }, { stderr }] = await Promise.all([
    import("@inquirer/prompts"),
    import("node:process"),
  ]);
  return await confirm({ message, default: false }, { signal, output: stderr });
}

/** The standard streams of this process. */
export const realTerminal: RestorableTerminal = {
  stdinIsTerminal: Deno.stdin.isTerminal(),
  stdoutIsTerminal: Deno.stdout.isTerminal(),
  stderrIsTerminal: Deno.stderr.isTerminal(),
  out,
  err: (text) => err(text).catch(() => {}),
  confirm: askYesOrNo,
  stdinIsFile: stdinIsFile(),
  async *input(signal) {
    for (let piece = await readInput(signal); piece; piece = await readInput(signal)) yield piece;
  },
  keys,
  hush: () => enter("hushed"),
  size,
  onResize,
  restore,
};
