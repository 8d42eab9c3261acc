/**
 * rein in a real pseudo-terminal, by `script` of util-linux.
 *
 * @module
 */

import { environment, type Program, type RunSettings } from "./_program.ts";

/** Why there is no pseudo-terminal, or null if there is one. */
export const NO_PTY: string | null = await missing();

async function missing(): Promise<string | null> {
  try {
    const { success } = await new Deno.Command("script", { args: ["--version"] }).output();
    if (success) return null;
  } catch {
    // Said below.
  }
  console.log('Skipped: the tests in a pseudo-terminal, since there is no "script" (util-linux)');
  return "no script";
}

/** A program in a terminal. */
export class Pty {
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #screen = "";

  constructor(program: Program, args: readonly string[], settings: RunSettings = {}) {
    const words = [...program.command, ...args];
    const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    this.#child = new Deno.Command("script", {
      args: ["--quiet", "--return", "--command", line, "/dev/null"],
      ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
      clearEnv: true,
      env: environment({ TERM: "xterm", SHELL: "/bin/sh", ...settings.env }),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#keys = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Reads until the text is on the screen; fails when the program ends without it. */
  async waitFor(text: string): Promise<void> {
    while (!this.#screen.includes(text)) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`"${text}" never came; the screen had: ${this.#screen}`);
      this.#screen += value;
    }
  }

  /** Presses keys. */
  async type(keys: string): Promise<void> {
    await this.#keys.write(new TextEncoder().encode(keys));
  }

  /** Waits for the end; gives the exit code and all that was on the screen. */
  async end(): Promise<{ code: number; screen: string }> {
    for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
      this.#screen += next.value;
    }
    const { code } = await this.#child.status;
    await this.#keys.close().catch(() => {});
    return { code, screen: this.#screen };
  }
}
