/**
 * The real standard streams.
 *
 * @module
 */

import { fstatSync } from "node:fs";
import { OutputError, type Terminal, type TerminalSize } from "../ports.ts";
import { openConsole } from "./console.ts";
import { isInForeground } from "./foreground.ts";
import { enterMode, isModeSet, readStdin, restoreMode, watchStdin } from "./stdin.ts";

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

/** A terminal that can be left as it was found, whoever still uses it. */
export interface RestorableTerminal extends Terminal {
  /** Never throws. */
  restore(): void;
}

async function* keys(signal: AbortSignal): AsyncGenerator<string> {
  const leave = enterMode("keys");
  const decoder = new TextDecoder();
  try {
    while (true) {
      const piece = await readStdin(signal);
      if (piece === null) return;
      yield decoder.decode(piece, { stream: true });
    }
  } finally {
    leave();
  }
}

async function watch(key: string, pressed: () => void, signal: AbortSignal): Promise<void> {
  // A pager that reads stdout reads the keyboard as well.
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) return;
  if (!isModeSet() && !await isInForeground()) return;
  if (signal.aborted) return;
  const leave = enterMode("hushed");
  const code = key.charCodeAt(0);
  const take = (piece: Uint8Array) => {
    const rest = piece.filter((byte) => byte !== code);
    for (let count = rest.length; count < piece.length; count++) pressed();
    return rest;
  };
  try {
    await watchStdin(take, signal);
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

/** Writes to the person; what can't be written is dropped. */
const toPerson = (text: string) => err(text).catch(() => {});

/** The standard streams of this process. */
export const realTerminal: RestorableTerminal = {
  stdinIsTerminal: Deno.stdin.isTerminal(),
  stdoutIsTerminal: Deno.stdout.isTerminal(),
  stderrIsTerminal: Deno.stderr.isTerminal(),
  out,
  err: toPerson,
  confirm: askYesOrNo,
  openConsole: async () => {
    if (!Deno.stderr.isTerminal()) return null;
    return await openConsole(Deno.stdin.isTerminal() ? 0 : 2, toPerson);
  },
  stdinIsFile: stdinIsFile(),
  async *input(signal) {
    for (let piece = await readStdin(signal); piece; piece = await readStdin(signal)) yield piece;
  },
  keys,
  hush: () => enterMode("hushed"),
  watch,
  size,
  onResize,
  restore: restoreMode,
};
