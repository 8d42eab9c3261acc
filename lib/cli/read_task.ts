/**
 * What the person wants: the words of the command line, a file, stdin, and the files that were
 * named.
 *
 * @module
 */

import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { limitText } from "../results/head_tail.ts";
import { readNamedFile, UsageError } from "./failure.ts";
import { readInputs } from "./inputs.ts";
import { findReferences } from "./references.ts";
import type { StepWriter } from "./steps.ts";
import { readOfferedStdin, readWholeStdin, STDIN_LIMIT, withData } from "./stdin.ts";

/** What a task is made of. */
export interface TaskSources {
  /** The arguments that are no options; `-` asks for stdin. */
  readonly words: readonly string[];
  /** A file with the task; words follow it. */
  readonly file?: string | undefined;
  /** Files that go with it. */
  readonly inputs?: readonly string[];
  /**
   * Whether someone typed the words, which may then name files with `@`, and has a stdin; true if
   * left out.
   */
  readonly typed?: boolean;
}

/** What reading a task depends on. */
export interface ReadOptions {
  /** Where it is said what was left out. */
  readonly steps: StepWriter;
  /** What nobody may see. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

async function taskOfFile(path: string, ports: Ports, steps: StepWriter): Promise<string> {
  const whole = (await readNamedFile(ports.files, message("file.task"), path)).replace(
    /^\ufeff/,
    "",
  );
  const { text, omittedChars } = limitText(whole, STDIN_LIMIT);
  if (omittedChars > 0) await steps.warn(message("task.long", { path }));
  return text.trim();
}

/** Words that name no file: a name with `@` often is none, but a path should be. */
async function tellMissing(missing: readonly string[], steps: StepWriter): Promise<void> {
  for (const word of missing) {
    const text = message("task.names_no_file", { word });
    await (/[./]/.test(word) ? steps.warn(text) : steps.note(text));
  }
}

/** The task with what was named, each part in a fence of its own. */
async function withInputs(
  question: string,
  paths: readonly string[],
  ports: Ports,
  { steps, secrets, signal }: ReadOptions,
): Promise<string> {
  if (paths.length === 0) return question;
  const { text, taken, left } = await readInputs(paths, ports, { secrets, signal });
  for (const line of taken) await steps.note(`${line}: goes with the question`);
  // Even a quiet run says what it left out.
  for (const line of left) await steps.warn(line);
  return `${question}\n\n${text}`;
}

/** The task of whole stdin; there is no other. */
async function taskOfStdin(terminal: Ports["terminal"], explicit: boolean, signal: AbortSignal) {
  const text = terminal.stdinIsTerminal && !explicit ? "" : await readWholeStdin(terminal, signal);
  signal.throwIfAborted();
  if (text.trim() === "") {
    throw new UsageError(message("usage.no_question"), message("usage.no_question_hint"));
  }
  return text;
}

/**
 * The task: the words of the command line, with what was named and what stdin has as data.
 *
 * @throws {UsageError} If there is no question, or a file can't be read.
 * @throws The signal's reason, once it is aborted.
 */
export async function readTask(
  { words, file, inputs = [], typed = true }: TaskSources,
  ports: Ports,
  options: ReadOptions,
): Promise<string> {
  const { steps, signal } = options;
  const said = typed ? words.filter((word) => word !== "-") : words;
  const { question, paths, missing } = typed
    ? await findReferences(said, ports)
    : { question: said.join(" ").trim(), paths: [], missing: [] };
  const written = file === undefined ? "" : await taskOfFile(file, ports, steps);
  const task = [written, question].filter((text) => text !== "").join("\n\n");
  const named = [...new Set([...inputs, ...paths])];
  await tellMissing(missing, steps);
  if (!typed) return await withInputs(task, named, ports, options);
  const explicit = words.includes("-");
  if (task === "") {
    const text = await taskOfStdin(ports.terminal, explicit, signal);
    return await withInputs(text, named, ports, options);
  }
  const stdin = explicit
    ? { text: await readWholeStdin(ports.terminal, signal), note: null }
    : await readOfferedStdin(ports.terminal, ports.clock, signal);
  if (stdin.note !== null) await steps.warn(stdin.note);
  const whole = await withInputs(task, named, ports, options);
  return stdin.text === null ? whole : withData(whole, stdin.text, ports.newId());
}
