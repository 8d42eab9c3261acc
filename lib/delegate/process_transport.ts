/**
 * Gives tasks to a program of this machine: one task, one process. The task comes on its stdin, the
 * result is all that it prints.
 *
 * @module
 */

import { clip } from "../results/characters.ts";
import { FileError, type Ports, type ProcessExit } from "../ports.ts";
import { tokenOf, type VariableLookup } from "./agent_token.ts";
import { BoundedBytes, firstWords, MAX_ANSWER_BYTES, parseForeign } from "./bounded.ts";
import { checkResult } from "./check.ts";
import { mayRepeat, unknownOutcome } from "./may_repeat.ts";
import {
  type Agent,
  type AgentReport,
  type ResultEnvelope,
  type TaskEnvelope,
  type Transport,
  TransportError,
  type TransportErrorCode,
  type TransportEvents,
} from "./types.ts";
import { taskText } from "./write_envelope.ts";

/** What it needs. */
export type ProcessTransportPorts = Pick<Ports, "processes" | "files" | "env">;

/** How it is set up. */
export interface ProcessTransportOptions {
  /** Holds the agent's token. */
  readonly variable: VariableLookup;
  /** Bytes that the program may print; {@linkcode MAX_ANSWER_BYTES} if left out. */
  readonly maxBytes?: number;
}

/** The variables that the program gets as rein has them. */
const INHERITED: readonly string[] = ["PATH", "HOME", "LANG"];

/** What of the last words on stderr is kept: bytes that are read, characters that are shown. */
const STDERR_BYTES = 4096;
const STDERR_CHARS = 300;

/** The end of what a program writes for people. */
class LastLine {
  #text = "";
  readonly #decoder = new TextDecoder();

  add(bytes: Uint8Array): void {
    this.#text = (this.#text + this.#decoder.decode(bytes, { stream: true })).slice(-STDERR_BYTES);
  }

  /** Its last line that is not blank; empty if there is none. */
  text(): string {
    const line = this.#text.split("\n").findLast((text) => text.trim() !== "") ?? "";
    return clip(line.trim(), STDERR_CHARS);
  }
}

/** What one run of the program came to. */
interface Run {
  readonly exit: ProcessExit;
  /** Null where it printed more than is taken. */
  readonly printed: string | null;
  readonly lastLine: string;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${text}\n`);
}

/** Speaks to one program. */
export class ProcessTransport implements Transport {
  readonly #agent: Agent;
  readonly #command: readonly string[];
  readonly #ports: ProcessTransportPorts;
  readonly #options: ProcessTransportOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(
    agent: Agent,
    command: readonly string[],
    { ports, options }: {
      readonly ports: ProcessTransportPorts;
      readonly options: ProcessTransportOptions;
    },
  ) {
    this.#agent = agent;
    this.#command = command;
    this.#ports = ports;
    this.#options = options;
  }

  async send(
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    signal.throwIfAborted();
    // Before anything is told to be on its way.
    tokenOf(this.#agent, this.#options.variable);
    const { task_id: id } = task;
    const own = new AbortController();
    this.#running.set(id, own);
    try {
      const running = this.#run(task, { own, signal });
      events.accepted(null);
      const run = await running;
      signal.throwIfAborted();
      if (run.printed !== null && own.signal.aborted) {
        throw this.#failure("lost", `Task ${id} was given up`);
      }
      return this.#resultOf(run, task);
    } finally {
      this.#running.delete(id);
    }
  }

  recover(task: TaskEnvelope): Promise<ResultEnvelope | null> {
    if (mayRepeat(this.#agent, task)) return Promise.resolve(null);
    return Promise.reject(unknownOutcome(this.#agent, task, { why: "its process has ended" }));
  }

  cancel(taskId: string): Promise<void> {
    this.#running.get(taskId)?.abort();
    return Promise.resolve();
  }

  /** A program says nothing without a task; it is looked whether it is there. */
  async report(): Promise<AgentReport> {
    tokenOf(this.#agent, this.#options.variable);
    const [program = ""] = this.#command;
    if (!this.#ports.processes.available()) {
      throw this.#failure("unreachable", "No program may be started here");
    }
    const path = this.#ports.env.get("PATH") ?? "";
    const places = program.includes("/")
      ? [program]
      : path.split(":").map((directory) => `${directory}/${program}`);
    for (const place of places) {
      if (await this.#isProgram(place)) return { protocols: [], intents: null };
    }
    throw this.#failure("unreachable", `Its program ${program} is not there, or is none`);
  }

  async #isProgram(path: string): Promise<boolean> {
    try {
      const { kind, mode = 0o111 } = await this.#ports.files.stat(path);
      return kind === "file" && (mode & 0o111) !== 0;
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  #failure(
    code: TransportErrorCode,
    what: string,
    { retriable = false, cause }: { readonly retriable?: boolean; readonly cause?: unknown } = {},
  ): TransportError {
    const token = this.#agent.tokenVariable === null
      ? undefined
      : this.#options.variable(this.#agent.tokenVariable)?.trim();
    const shown = token ? what.replaceAll(token, "***") : what;
    const message = `Agent "${this.#agent.name}": ${shown}`;
    return new TransportError(code, message, { retriable, cause });
  }

  #environment(): Readonly<Record<string, string>> {
    const token = tokenOf(this.#agent, this.#options.variable);
    const inherited = INHERITED.flatMap((name) => {
      const value = this.#ports.env.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...Object.fromEntries(inherited), ...token !== null && { REIN_AGENT_TOKEN: token } };
  }

  async #run(
    task: TaskEnvelope,
    { own, signal }: { readonly own: AbortController; readonly signal: AbortSignal },
  ): Promise<Run> {
    const [program = "", ...args] = this.#command;
    const bytes = new BoundedBytes(this.#options.maxBytes ?? MAX_ANSWER_BYTES);
    const stderr = new LastLine();
    let isTooMuch = false;
    const stdout = (piece: Uint8Array) => {
      if (bytes.add(piece)) return;
      isTooMuch = true;
      own.abort();
    };
    const spec = {
      program,
      args,
      cwd: this.#ports.files.cwd(),
      env: this.#environment(),
      input: once(taskText(task)),
      stdout,
      stderr: (piece: Uint8Array) => stderr.add(piece),
    };
    try {
      const exit = await this.#ports.processes.run(spec, AbortSignal.any([signal, own.signal]));
      return { exit, printed: isTooMuch ? null : bytes.text(), lastLine: stderr.text() };
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw this.#failure("unreachable", `Its program can't be started (${why})`, { cause: error });
    }
  }

  #resultOf({ exit, printed, lastLine }: Run, task: TaskEnvelope): ResultEnvelope {
    if (printed === null) {
      const { maxBytes = MAX_ANSWER_BYTES } = this.#options;
      throw this.#failure("too_large", `It printed more than ${maxBytes} bytes`);
    }
    const said = lastLine === "" ? "" : `; it says: ${lastLine}`;
    const value = parseForeign(printed);
    if (value === undefined && exit.code !== 0) {
      const how = exit.signal ?? `code ${exit.code}`;
      const retriable = mayRepeat(this.#agent, task);
      throw this.#failure("lost", `It ended with ${how} and no result${said}`, { retriable });
    }
    if (value === undefined) {
      const words = firstWords(printed);
      const what = words === "" ? "nothing" : `what is no JSON alone: ${words}`;
      throw this.#failure("bad_result", `It printed ${what}${said}`);
    }
    const checked = checkResult(value, task.task_id);
    if (checked.ok) return checked.value;
    throw this.#failure("bad_result", checked.error.message);
  }
}
