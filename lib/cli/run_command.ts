/**
 * `rein "question"`: one task, from the command line to the exit code.
 *
 * @module
 */

import { createContext } from "../context/context.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Ports, Terminal } from "../ports.ts";
import { createResults } from "../results/results.ts";
import { DEFAULT_LIMITS } from "../stop.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Event, RunResult } from "../events.ts";
import { createTools, MAIN_SIDE } from "../../tools/registry.ts";
import { createApprover } from "./approve.ts";
import { exitCodeOf } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import { createLazyJudge, createReadOnlyJudge } from "./judge.ts";
import { prepareCalls, watchFetch } from "./prepare.ts";
import { createRenderer, type Output } from "./render.ts";
import { chooseModel, type ModelOptions, secretSettings } from "./settings.ts";
import { StepWriter } from "./steps.ts";
import { readOfferedStdin, readWholeStdin, withData } from "./stdin.ts";

/** The options of a run. */
export interface RunOptions extends ModelOptions {
  readonly output: Output;
  readonly quiet: boolean;
  readonly maxSteps: number;
  readonly policy: readonly string[];
  readonly dryRun: boolean;
}

/** Ending a run from outside. */
export interface Interrupts {
  readonly signal: AbortSignal;
  interrupt(): void;
}

const USAGE_HINT = 'Say what you want: rein "which process uses the most memory?" (see --help).';

/** The task: the words of the command line, with what stdin has as data. */
async function readTask(
  words: readonly string[],
  ports: Ports,
  steps: StepWriter,
  signal: AbortSignal,
): Promise<string> {
  const { terminal, clock } = ports;
  const question = words.filter((word) => word !== "-").join(" ").trim();
  const explicit = words.includes("-");
  if (question === "") {
    const text = terminal.stdinIsTerminal && !explicit
      ? ""
      : await readWholeStdin(terminal, signal);
    signal.throwIfAborted();
    if (text.trim() === "") throw new UsageError("There is no question", USAGE_HINT);
    return text;
  }
  const stdin = explicit
    ? { text: await readWholeStdin(terminal, signal), note: null }
    : await readOfferedStdin(terminal, clock, signal);
  // Even a quiet run says what it left out.
  if (stdin.note !== null) await steps.warn(stdin.note);
  return stdin.text === null ? question : withData(question, stdin.text, ports.newId());
}

/** One reader of the events. */
type Reader = (event: Event) => Promise<void>;

/** Who prints: with JSON lines the events themselves tell of the steps. */
function readersOf(output: Output, terminal: Terminal, steps: StepWriter): readonly Reader[] {
  const render = createRenderer(output, terminal);
  return output === "jsonl" ? [render] : [render, (event) => steps.event(event)];
}

/** Hands every event to its readers, in order, and returns the result. */
async function follow(
  events: AsyncGenerator<Event, RunResult>,
  readers: readonly Reader[],
): Promise<RunResult> {
  for (let next = await events.next();; next = await events.next()) {
    if (next.done) return next.value;
    for (const read of readers) await read(next.value);
  }
}

/**
 * Runs one task.
 *
 * @param words The arguments that are no options; `-` asks for stdin.
 * @returns The exit code.
 * @throws {UsageError} If there is no question or a setting is wrong.
 * @throws {SyntaxError} If a policy file or a recording has a fault.
 * @throws {SandboxError} If the walls that the policy asks for can't be had.
 * @throws {ModelError} If no model is set and none is found.
 * @throws The signal's reason, if it is aborted before there is a run.
 */
export async function runCommand(
  words: readonly string[],
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const { terminal, clock, files, newId } = ports;
  const { signal } = interrupts;
  const steps = new StepWriter(terminal, options.quiet);
  const judge = await createLazyJudge(options.policy, ports);
  const { walls, limits } = judge.settings;
  const sandbox = createSandbox(walls, ports, {
    cwd: files.cwd(),
    realPath: (path) => files.realPathSync(path),
    mainSide: MAIN_SIDE,
    limits,
  });
  await sandbox.check(signal);
  const task = await readTask(words, ports, steps, signal);
  const { fetch, response } = watchFetch(ports.fetch);
  const { model, note } = await chooseModel(options, { ...ports, fetch }, signal);
  if (note !== null) await steps.note(note);
  const secrets = await secretSettings(options, ports);
  const results = createResults({ spills: ports.spills, secrets });
  const toolPorts = { ...ports, processes: sandbox.processes };
  const tools = sandbox.confine(createTools(toolPorts, results.outputs));
  const runPorts: RunPorts = {
    model,
    tools,
    judge: judge.judge,
    approve: createApprover(terminal, interrupts.interrupt),
    context: createContext({
      place: { os: ports.os, cwd: files.cwd(), date: localDate(clock.now()) },
      window: 128_000,
      clock,
    }),
    session: null,
    openItems: () => [],
    limits: { ...DEFAULT_LIMITS, maxSteps: options.maxSteps },
    clock,
    results,
    newId,
    random: ports.random,
    readOnly: options.dryRun ? createReadOnlyJudge(ports) : null,
  };
  const finished = new AbortController();
  const waiting = { clock, signal: AbortSignal.any([signal, finished.signal]) };
  void prepareCalls({ tools, judge, results, sandbox }, response(), waiting);
  const readers = readersOf(options.output, terminal, steps);
  try {
    const result = await follow(run({ task }, runPorts, signal), readers);
    return exitCodeOf(result, signal.reason);
  } finally {
    finished.abort();
    sandbox.end();
    results.end();
  }
}

/** The day where the person is, as `2026-11-29`. */
function localDate(ms: number): string {
  const date = new Date(ms);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
