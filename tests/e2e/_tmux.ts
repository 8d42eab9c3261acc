/**
 * rein in a terminal of which the screen can be read, by tmux.
 *
 * @module
 */

import { environment, type Program, type RunSettings } from "./_program.ts";

/** Why there is no such terminal, or null if there is one. */
export const NO_TMUX: string | null = await missing();

async function missing(): Promise<string | null> {
  try {
    const { success } = await new Deno.Command("tmux", { args: ["-V"] }).output();
    if (success) return null;
  } catch {
    // Said below.
  }
  console.log('Skipped: the tests that read a screen, since there is no "tmux"');
  return "no tmux";
}

/** How often the screen is looked at, in milliseconds, and how long. */
const LOOK_MS = 30;
const PATIENCE_MS = 15_000;

/** What a screen is started with. */
export interface ScreenSettings extends RunSettings {
  readonly cwd: string;
  /** Cells; 80 if left out. */
  readonly columns?: number;
}

/** A program in a terminal of 24 rows. */
export class Tmux {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts a program; the socket lies in its working directory. */
  static async start(
    program: Program,
    args: readonly string[],
    { cwd, env, columns = 80 }: ScreenSettings,
  ): Promise<Tmux> {
    const tmux = new Tmux(`${cwd}/tmux-${crypto.randomUUID().slice(0, 8)}`);
    const all = environment({ TERM: "tmux-256color", ...env });
    const words = [
      ...["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`)],
      ...program.command,
      ...args,
    ];
    const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const size = ["-x", String(columns), "-y", "24"];
    // The shell stays behind, so that the screen can be read when the program has ended.
    const shell = `trap : INT TERM HUP; ${line}; echo "[exit $?]"; exec sleep 600`;
    await tmux.#command("new-session", "-d", "-c", cwd, ...size, shell);
    return tmux;
  }

  async #command(...args: readonly string[]): Promise<string> {
    const command = new Deno.Command("tmux", {
      args: ["-u", "-f", "/dev/null", "-S", this.#socket, ...args],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", LANG: "C.UTF-8", SHELL: "/bin/sh" },
    });
    const { success, stdout, stderr } = await command.output();
    if (!success) throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }

  /** What is on the screen, without blank lines at its end. */
  async screen(): Promise<string> {
    return (await this.#command("capture-pane", "-p")).trimEnd();
  }

  /** Where the cursor is: a column and a row from 0. */
  async cursor(): Promise<string> {
    return (await this.#command("display-message", "-p", "#{cursor_x},#{cursor_y}")).trim();
  }

  /** Types text. */
  async type(text: string): Promise<void> {
    await this.#command("send-keys", "-l", text);
  }

  /** Presses keys, by the names that tmux has for them. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#command("send-keys", ...keys);
  }

  /** Pastes text as a terminal does. */
  async paste(text: string): Promise<void> {
    await this.#command("set-buffer", text);
    await this.#command("paste-buffer", "-p", "-d");
  }

  /** Makes the terminal wider or narrower. */
  async resize(columns: number): Promise<void> {
    await this.#command("resize-window", "-x", String(columns), "-y", "24");
  }

  /** Waits until the screen is as it should be, and returns it. */
  async until(what: string, check: (screen: string) => boolean): Promise<string> {
    const end = Date.now() + PATIENCE_MS;
    while (true) {
      const screen = await this.screen();
      if (check(screen)) return screen;
      if (Date.now() > end) throw new Error(`Never came: ${what}; the screen had:\n${screen}`);
      await new Promise((go) => setTimeout(go, LOOK_MS));
    }
  }

  /** Waits for a text. */
  waitFor(text: string): Promise<string> {
    return this.until(text, (screen) => screen.includes(text));
  }

  /** Waits for an empty prompt below what was asked so far. */
  prompt(number: number): Promise<string> {
    return this.until(
      `prompt ${number}`,
      (screen) => screen.endsWith("rein>") && (screen.match(/^rein>/gm) ?? []).length === number,
    );
  }

  /** Waits for the end of the program; gives its exit code. */
  async end(): Promise<number> {
    const screen = await this.waitFor("[exit ");
    return Number(/\[exit (\d+)\]/.exec(screen)?.[1]);
  }

  /** The id of the program's process. */
  async pid(): Promise<number> {
    const shell = (await this.#command("display-message", "-p", "#{pane_pid}")).trim();
    const { stdout } = await new Deno.Command("pgrep", { args: ["-P", shell] }).output();
    return Number(new TextDecoder().decode(stdout));
  }

  /** Ends the terminal and whatever runs in it. */
  async close(): Promise<void> {
    await this.#command("kill-server").catch(() => {});
  }
}
