/**
 * A copy of every entry for the system's log, by `logger`.
 *
 * The runtime has no sockets of datagrams by a path, which is what `/dev/log` is.
 *
 * @module
 */

import type { Ports } from "../ports.ts";

/** Bytes of a message that system logs surely take. Source: the default of rsyslog, 8 KiB. */
const MAX_BYTES = 8000;

/** What is said to `logger`: of whom, how grave, and how long a message may be. */
export const LOGGER_ARGS: readonly string[] = [
  ...["--tag", "rein", "--priority", "authpriv.notice"],
  // A system without such a log is worth a word.
  ...["--size", String(MAX_BYTES + 200), "--socket-errors=on"],
];

/** Lines that wait for a program that takes none; then the newest are dropped. */
const MAX_WAITING = 10_000;

/** How long the end of a process waits for its last lines, in milliseconds. */
const END_MS = 2000;

const encoder = new TextEncoder();

/** What stands in the system's log: the entry, or what binds a long one to the audit log. */
export function systemLogLine(line: string): string {
  if (encoder.encode(line).length <= MAX_BYTES) return line;
  const { schema, seq, at, prev, mac, kind, run_id, call_id, tool } = JSON.parse(line);
  return JSON.stringify({ schema, seq, at, prev, mac, kind, run_id, call_id, tool, cut: true });
}

/** Lines on their way to a program. */
class Lines {
  readonly #waiting: string[] = [];
  #ended = false;
  #wake = () => {};

  push(line: string): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    while (true) {
      const lines = this.#waiting.splice(0);
      if (lines.length > 0) yield encoder.encode(lines.map((line) => `${line}\n`).join(""));
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** What the system's log needs. */
export type SystemLogPorts = Pick<Ports, "processes" | "env" | "clock">;

/** Copies lines into the system's log. */
export class SystemLog {
  readonly #ports: SystemLogPorts;
  readonly #warn: (text: string) => void;
  readonly #args: readonly string[];
  readonly #lines = new Lines();
  readonly #ended = new AbortController();
  #running: Promise<void> | null = null;

  /** @param warn Is told, once, that there is no copy. */
  constructor(
    ports: SystemLogPorts,
    warn: (text: string) => void,
    args: readonly string[] = LOGGER_ARGS,
  ) {
    this.#ports = ports;
    this.#warn = warn;
    this.#args = args;
  }

  /** Sends a line on its way; never throws. */
  add(line: string): void {
    this.#lines.push(systemLogLine(line));
    this.#running ??= this.#run();
  }

  /** Waits for the lines that are on their way, for a while; never throws. */
  async end(): Promise<void> {
    this.#lines.end();
    if (this.#running === null) return;
    const { clock } = this.#ports;
    const late = clock.sleep(END_MS, this.#ended.signal).catch(() => {});
    await Promise.race([this.#running, late]);
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    const { processes, env } = this.#ports;
    const said: string[] = [];
    const decoder = new TextDecoder();
    try {
      if (!processes.available()) throw new TypeError("no program may be started here");
      const { code } = await processes.run({
        program: "logger",
        args: this.#args,
        cwd: "/",
        env: { PATH: env.get("PATH") ?? "/usr/bin:/bin" },
        input: this.#lines.bytes(),
        stdout: () => {},
        stderr: (bytes) => said.push(decoder.decode(bytes)),
      }, this.#ended.signal);
      if (code !== 0 && !this.#ended.signal.aborted) {
        throw new Error(said.join("").trim() || `logger ended with ${code}`);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#warn(`the system's log gets no copy of what is audited: ${reason}`);
    }
  }
}
