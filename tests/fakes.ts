/**
 * The outside world in memory, for tests: a clock that is advanced, a map of
 * files, a scripted model, a terminal that keeps what was written.
 *
 * @module
 */

import { createContext } from "../lib/context/context.ts";
import type { RunPorts } from "../lib/loop.ts";
import { english } from "../lib/messages/messages.ts";
import {
  type Clock,
  type Console,
  type DirEntry,
  type Environment,
  FileError,
  type Files,
  type HttpRequest,
  type HttpResponse,
  type KeptSpill,
  type LineFile,
  type Network,
  NetworkError,
  type Ports,
  type ReadOptions,
  type SpillFile,
  type SpillFiles,
  type Terminal,
} from "../lib/ports.ts";
import { createResults, type ResultOptions, type Results } from "../lib/results/results.ts";
import { createDatabases } from "../lib/real/databases.ts";
import { realFolders } from "../lib/real/folders.ts";
import { realHashes } from "../lib/real/hashes.ts";
import { createMemories } from "../lib/real/memories.ts";
import { realLogs } from "../lib/real/shared_log.ts";
import { DEFAULT_LIMITS } from "../lib/stop.ts";
import type { Event, RunResult } from "../lib/events.ts";
import type {
  Decision,
  Evaluation,
  FinishReason,
  Json,
  JudgeRequest,
  Model,
  ModelChunk,
  ModelRequest,
  Tool,
  ToolContext,
} from "../lib/types.ts";

/** A signal that is never aborted. */
export const NEVER = new AbortController().signal;

/** Lets everything run that waits for nothing outside. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is advanced. */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  /** How many wait for it. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** How long it is until the next of them is due, in milliseconds; 0 where nobody waits. */
  get untilNext(): number {
    const due = this.#sleepers.map(({ at }) => at - this.#now);
    return due.length === 0 ? 0 : Math.max(0, Math.min(...due));
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      }, { once: true });
    });
  }

  /** Moves on and wakes whoever is due; what follows from it has run when it resolves. */
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
    await settle();
  }
}

/** Files in memory: paths below `/work`, which is the working directory, and what they hold. */
export class MemoryFiles implements Files {
  readonly #contents: Map<string, Uint8Array>;
  readonly #pieceBytes: number;

  /** @param pieceBytes How much one read brings. */
  constructor(contents: Readonly<Record<string, string | Uint8Array>>, pieceBytes = 64 * 1024) {
    const bytes = (value: string | Uint8Array) =>
      typeof value === "string" ? new TextEncoder().encode(value) : value;
    const entries = Object.entries(contents);
    this.#contents = new Map(entries.map(([path, value]) => [absolute(path), bytes(value)]));
    this.#pieceBytes = pieceBytes;
  }

  cwd(): string {
    return "/work";
  }

  realPathSync(path: string): string | null {
    return this.#contents.has(absolute(path)) ? absolute(path) : null;
  }

  /** Paths that only root may write; none by default. */
  readonly ownedBy = new Set<string>();

  readable(): boolean {
    return true;
  }

  /** Files that are the user's alone; none by default. */
  readonly alone = new Set<string>();

  ownedAlone(path: string): Promise<boolean> {
    return Promise.resolve(this.alone.has(path));
  }

  ownedByRoot(path: string): Promise<boolean> {
    return Promise.resolve(this.ownedBy.has(path));
  }

  stat(path: string): ReturnType<Files["stat"]> {
    const file = this.#contents.get(absolute(path));
    if (file) return Promise.resolve({ kind: "file", size: file.length, modifiedMs: 0 });
    if (this.#below(path).length === 0) return Promise.reject(missing(path));
    return Promise.resolve({ kind: "directory", size: 0, modifiedMs: null });
  }

  async *readDir(path: string): AsyncGenerator<DirEntry> {
    const below = this.#below(path);
    if (below.length === 0) throw missing(path);
    const names = new Map<string, DirEntry>();
    for (const rest of below) {
      const [name = "", ...deeper] = rest.split("/");
      names.set(name, { name, kind: deeper.length === 0 ? "file" : "directory" });
    }
    yield* names.values();
  }

  readText(path: string): Promise<string> {
    const file = this.#contents.get(absolute(path));
    if (!file) return Promise.reject(missing(path));
    return Promise.resolve(new TextDecoder().decode(file));
  }

  async *read(
    path: string,
    signal?: AbortSignal,
    { start = 0, reuse = false }: ReadOptions = {},
  ): AsyncGenerator<Uint8Array> {
    const file = this.#contents.get(absolute(path));
    if (!file) throw missing(path);
    const pieces: Uint8Array[] = [];
    for (let at = start; at < file.length; at += this.#pieceBytes) {
      signal?.throwIfAborted();
      const piece = file.slice(at, at + this.#pieceBytes);
      // Whoever holds on to a piece that is used again reads rubbish.
      if (reuse && pieces.push(piece) > 2) pieces.shift()?.fill(0xff);
      yield piece;
    }
  }

  /** Whether no other process has a file's lock; replace it where one has. */
  free: (path: string) => boolean = () => true;

  /** Whether writing is permitted; replace it where it is not. */
  writable: Files["writable"] = () => true;

  replace(path: string, bytes: Uint8Array): Promise<void> {
    this.#contents.set(absolute(path), bytes);
    return Promise.resolve();
  }

  openLines(path: string): Promise<LineFile> {
    const bytes = () => this.#contents.get(absolute(path)) ?? new Uint8Array(0);
    const set = (value: Uint8Array) => void this.#contents.set(absolute(path), value);
    set(bytes());
    return Promise.resolve({
      lock: () => Promise.resolve(this.free(path)),
      append: (line) => set(new Uint8Array([...bytes(), ...new TextEncoder().encode(`${line}\n`)])),
      cut: (length) => set(bytes().slice(0, length)),
      close: () => {},
    });
  }

  remove(path: string): Promise<void> {
    const removed = this.#contents.delete(absolute(path));
    return removed ? Promise.resolve() : Promise.reject(missing(path));
  }

  /** What a file holds, as text; null if there is none. */
  text(path: string): string | null {
    const bytes = this.#contents.get(absolute(path));
    return bytes === undefined ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  #below(path: string): string[] {
    const prefix = `${absolute(path)}/`.replace("//", "/");
    const paths = [...this.#contents.keys()].filter((name) => name.startsWith(prefix));
    return paths.map((name) => name.slice(prefix.length));
  }
}

function absolute(path: string): string {
  const relative = path.replace(/^(\.\/|\.$)/, "");
  return (path.startsWith("/") ? path : `/work/${relative}`).replace(/(?<=.)\/$/, "");
}

function missing(path: string): FileError {
  return new FileError("not_found", path, `"${path}" does not exist`);
}

/** What a server in memory answers; an error is thrown. */
export type FakeAnswer =
  | Error
  | {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  };

/** A network in memory: names with their addresses, and one function that answers. */
export class FakeNetwork implements Network {
  /** All that was sent, as `METHOD url @address`. */
  readonly sent: string[] = [];
  readonly requests: HttpRequest[] = [];
  readonly #hosts: Readonly<Record<string, readonly string[]>>;
  readonly #answer: (request: HttpRequest) => FakeAnswer;

  /** @param hosts Other names have no address; an address is its own. */
  constructor(
    hosts: Readonly<Record<string, readonly string[]>>,
    answer: (request: HttpRequest) => FakeAnswer = () => ({}),
  ) {
    this.#hosts = hosts;
    this.#answer = answer;
  }

  available(): boolean {
    return true;
  }

  resolve(host: string): Promise<readonly string[]> {
    const plain = host.replace(/^\[|\]$/g, "");
    const own = /^[\d.]+$|:/.test(plain) ? [plain] : undefined;
    const addresses = this.#hosts[plain] ?? own;
    if (addresses) return Promise.resolve(addresses);
    return Promise.reject(new NetworkError("unresolved", `${host} has no address`));
  }

  /** Which connections succeed; replace it. */
  connect: Network["connect"] = (address, port) =>
    Promise.reject(new NetworkError("refused", `${address} port ${port} refused the connection`));

  request(request: HttpRequest): Promise<HttpResponse> {
    this.sent.push(`${request.method} ${request.url.href} @${request.address}`);
    this.requests.push(request);
    const answer = this.#answer(request);
    if (answer instanceof Error) return Promise.reject(answer);
    const { status = 200, headers = {}, body = "" } = answer;
    const pieces = typeof body === "string" || body instanceof Uint8Array ? inPieces(body)() : body;
    return Promise.resolve({ status, statusText: "", headers, body: pieces, close: () => {} });
  }
}

/** An environment with these variables and no other. */
export function fakeEnvironment(values: Readonly<Record<string, string>> = {}): Environment {
  return { get: (name) => values[name] };
}

/** A terminal that keeps what is written; nobody sits at it unless it is said so. */
export class FakeTerminal implements Terminal {
  stdinIsTerminal = false;
  stdoutIsTerminal = false;
  stderrIsTerminal = false;
  stdinIsFile = false;
  /** All that was written to stdout and to stderr. */
  stdout = "";
  stderr = "";
  readonly #input: (signal: AbortSignal) => AsyncIterable<Uint8Array>;

  constructor(
    options: Partial<Pick<Terminal, "stdinIsTerminal" | "stdoutIsTerminal" | "stdinIsFile">> = {},
    input: (signal: AbortSignal) => AsyncIterable<Uint8Array> = inPieces(),
  ) {
    Object.assign(this, options);
    this.#input = input;
  }

  out(text: string): Promise<void> {
    this.stdout += text;
    return Promise.resolve();
  }

  err(text: string): Promise<void> {
    this.stderr += text;
    return Promise.resolve();
  }

  /** What the person answers; replace it where somebody sits there. */
  confirm: Terminal["confirm"] = () => Promise.reject(new Error("Nobody is there"));

  /** Who sits there; replace it where somebody does. */
  openConsole: Terminal["openConsole"] = () => Promise.resolve(null);

  /** What the person types; replace it where somebody sits there. */
  keys: Terminal["keys"] = async function* () {};

  hush(): () => void {
    return () => {};
  }

  /** Who presses keys while a run goes on; replace it where somebody does. */
  watch: Terminal["watch"] = () => Promise.resolve();

  /** How large it is; replace it. */
  size: Terminal["size"] = () => null;

  onResize(): void {}

  input(signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#input(signal);
  }
}

/** A keyboard that presses these keys, a piece at a time, and a screen that keeps all of it. */
export class FakeConsole implements Console {
  styled = false;
  /** What was typed before the question. */
  ahead = "";
  /** All that was written. */
  screen = "";
  closed = false;
  #columns = 80;
  readonly #pieces: string[];

  /** @param pieces After the last one, nothing can come any more. */
  constructor(pieces: readonly string[], options: { columns?: number; styled?: boolean } = {}) {
    this.#pieces = [...pieces];
    this.#columns = options.columns ?? 80;
    this.styled = options.styled ?? false;
  }

  size() {
    return { columns: this.#columns, rows: 24 };
  }

  write(text: string): Promise<void> {
    this.screen += text;
    return Promise.resolve();
  }

  read(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    return Promise.resolve(this.#pieces.shift() ?? "");
  }

  drain(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { ahead } = this;
    this.ahead = "";
    return Promise.resolve(ahead);
  }

  close(): void {
    this.closed = true;
  }
}

/** All ports in memory: no files, no environment, no network, no processes, no workers. */
export function fakePorts(overrides: Partial<Ports> = {}): Ports {
  return {
    os: "linux",
    clock: new FakeClock(),
    files: new MemoryFiles({}),
    spills: NO_SPILLS,
    spillsIn: () => NO_SPILLS,
    processes: {
      available: () => false,
      run: () => Promise.reject(new TypeError("No process may be started")),
    },
    workers: {
      start: () => {
        throw new TypeError("No worker may be started");
      },
      memoryBytes: () => 0,
    },
    permissions: { holds: () => false, drop: () => {} },
    fetch: () => Promise.reject(new TypeError("Connection refused")),
    network: new FakeNetwork({}, () => new NetworkError("refused", "Connection refused")),
    servers: {
      listen: () => Promise.reject(new NetworkError("no_permission", "Nothing may be served")),
    },
    databases: createDatabases(null),
    folders: realFolders,
    logs: realLogs,
    hashes: realHashes,
    machine: { host: () => "testhost", uid: () => 1000, pid: 4711 },
    memories: createMemories(null),
    env: fakeEnvironment(),
    terminal: new FakeTerminal(),
    say: english,
    newId: () => "id1",
    random: () => 0,
    ...overrides,
  };
}

/** Resolves once a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A stdin that brings these pieces and ends. */
export function inPieces(...pieces: readonly (string | Uint8Array)[]) {
  return async function* (): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    for (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
  };
}

/** A stdin that brings these pieces and then stays open. */
export function neverEnding(...pieces: readonly string[]) {
  return async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* inPieces(...pieces)();
    await aborted(signal);
  };
}

/** One turn of a scripted model, or what it does instead. */
export type ScriptedTurn =
  | {
    readonly text?: string | readonly string[];
    readonly calls?: readonly {
      readonly name: string;
      readonly arguments?: Json;
      readonly id?: string;
    }[];
    readonly finishReason?: FinishReason;
  }
  | Error
  | ((signal: AbortSignal) => AsyncIterable<ModelChunk>);

/** A model that says what a test wrote down; each turn takes 10 tokens in and 5 out. */
export class ScriptedModel implements Model {
  readonly name = "scripted";
  readonly source = "test";
  readonly recorded = false;
  /** What it was asked, in order. */
  readonly requests: ModelRequest[] = [];
  readonly #turns: readonly ScriptedTurn[];

  /** @param turns The last one is repeated for ever. */
  constructor(...turns: readonly ScriptedTurn[]) {
    this.#turns = turns;
  }

  async *ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const number = this.requests.push(request);
    const turn = this.#turns[number - 1] ?? this.#turns.at(-1);
    if (turn === undefined) throw new TypeError("A scripted model needs a turn");
    if (turn instanceof Error) throw turn;
    if (typeof turn === "function") return yield* turn(signal);
    const pieces = typeof turn.text === "string" ? [turn.text] : turn.text ?? [];
    for (const text of pieces) yield { type: "text", text };
    yield finished(turn, pieces.join(""), number);
  }
}

function finished(
  turn: Exclude<ScriptedTurn, Error | ((signal: AbortSignal) => unknown)>,
  content: string,
  number: number,
): ModelChunk {
  const calls = (turn.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    name: call.name,
    arguments: typeof call.arguments === "string"
      ? call.arguments
      : JSON.stringify(call.arguments ?? {}),
  }));
  return {
    type: "turn_finished",
    message: { role: "assistant", content, calls },
    finishReason: turn.finishReason ?? (calls.length > 0 ? "calls" : "stop"),
    usage: { inputTokens: 10, outputTokens: 5 },
  };
}

/** An evaluation of one part by one rule. */
export function evaluationOf(decision: Decision, text = "it"): Evaluation {
  const match = {
    rule: `test.${decision}`,
    decision,
    reason: "The test says so",
    suggest: null,
    matched: text,
    span: null,
  };
  return { decision, parts: [{ text, span: null, decision, matches: [match] }] };
}

/** A judge that decides the same for everything. */
export function judgeAll(decision: Decision): (request: JudgeRequest) => Promise<Evaluation> {
  return () => Promise.resolve(evaluationOf(decision));
}

/** A tool that takes `{"text": string}` and brings it back, unless it is told otherwise. */
export function fakeTool(overrides: Partial<Tool> = {}): Tool {
  return {
    name: "echo",
    description: "Brings back its text.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", description: "Any text." } },
      required: [],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 1000,
    limits: {},
    subjects: () => [],
    brief: (args) => String(args["text"] ?? ""),
    run: (args) => Promise.resolve({ ok: true, data: args, summary: "echoed" }),
    ...overrides,
  };
}

/** Spill files in memory, which stay for the next store where they are kept. */
export class MemorySpills implements SpillFiles {
  /** How many are open. */
  opened = 0;
  readonly #fails: (bytes: Uint8Array) => boolean;
  readonly #files = new Map<string, { bytes: Uint8Array; complete: boolean }>();

  /** @param fails Whether writing a piece fails, as on a full disk. */
  constructor(fails: (bytes: Uint8Array) => boolean = () => false) {
    this.#fails = fails;
  }

  available(): boolean {
    return true;
  }

  kept(): readonly KeptSpill[] {
    return [...this.#files].map(([id, { bytes, complete }]) => ({
      id,
      length: bytes.length,
      complete,
    }));
  }

  create(id: string): SpillFile {
    this.#files.set(id, { bytes: new Uint8Array(0), complete: true });
    return this.open(id);
  }

  open(id: string): SpillFile {
    const file = this.#files.get(id);
    if (file === undefined) throw new TypeError(`There is no ${id}`);
    this.opened++;
    return {
      write: (bytes) => {
        if (this.#fails(bytes)) throw new Error("No space left on device");
        const longer = new Uint8Array(file.bytes.length + bytes.length);
        longer.set(file.bytes);
        longer.set(bytes, file.bytes.length);
        file.bytes = longer;
      },
      read: (into, at) => {
        const part = file.bytes.subarray(at, at + into.length);
        into.set(part);
        return Promise.resolve(part.length);
      },
      markIncomplete: () => {
        file.complete = false;
      },
      close: () => {
        this.opened--;
      },
      remove: () => {
        this.opened--;
        this.#files.delete(id);
      },
    };
  }
}

/** No place to keep anything. */
export const NO_SPILLS: SpillFiles = {
  available: () => false,
  kept: () => [],
  create: () => null,
  open: () => null,
};

/** Results of a run that keeps its outputs in memory, unless it is told otherwise. */
export function fakeResults(overrides: Partial<ResultOptions> = {}): Results {
  return createResults({ spills: new MemorySpills(), secrets: [], ...overrides });
}

/** A tool's context that is never aborted and where all may be read. */
export const CONTEXT: ToolContext & { readonly random: () => number } = {
  call: { run: "run1", id: "call_1", again: false },
  signal: NEVER,
  mayRead: () => Promise.resolve(true),
  collect: (request) => fakeResults().collect(request),
  mayReach: () => Promise.resolve(true),
  random: () => 0,
};

/** Ports of a run: everything is allowed, and nobody is there to ask. */
export function fakeRunPorts(model: Model, overrides: Partial<RunPorts> = {}): RunPorts {
  return {
    model,
    tools: [fakeTool()],
    judge: judgeAll("allow"),
    approve: () =>
      Promise.resolve({ granted: false, by: "nobody", reason: "nobody is at a terminal" }),
    context: createContext({
      place: { os: "linux", cwd: "/work", date: "2026-11-29" },
      window: 128_000,
      clock: new FakeClock(),
    }),
    session: null,
    openItems: () => [],
    limits: DEFAULT_LIMITS,
    clock: new FakeClock(),
    results: fakeResults(),
    newId: () => "run1",
    random: () => 0,
    readOnly: null,
    ...overrides,
  };
}

/** A run's events and its result. */
export interface PlayedRun {
  readonly events: readonly Event[];
  readonly result: RunResult;
}

/** Follows a run to its end. */
export async function play(
  events: AsyncGenerator<Event, RunResult>,
  onEvent: (event: Event) => void = () => {},
): Promise<PlayedRun> {
  const seen: Event[] = [];
  for (let next = await events.next();; next = await events.next()) {
    if (next.done) return { events: seen, result: next.value };
    seen.push(next.value);
    onEvent(next.value);
  }
}
