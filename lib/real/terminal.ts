/**
 * The real standard streams.
 *
 * @module
 */

import { fstatSync } from "node:fs";
import { OutputError, type Terminal, type TerminalSize } from "../ports.ts";
import { openConsole } from "./console.ts";
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

/** Reads the next piece of stdin, or gives up once the signal is aborted. */
async function readInput(buffer: Uint8Array, signal: AbortSignal): Promise<number | null> {
  let onAbort = () => {};
  const aborted = new Promise<null>((resolve) => {
    onAbort = () => resolve(null);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return signal.aborted ? null : await Promise.race([readStdin(buffer), aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
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
export const realTerminal: Terminal = {
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
    const buffer = new Uint8Array(64 * 1024);
    while (true) {
      const count = await readInput(buffer, signal);
      if (count === null) return;
      yield buffer.slice(0, count);
    }
  },
  size,
};
