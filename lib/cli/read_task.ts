/**
 * What the person wants: the words of the command line, and stdin.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { UsageError } from "./failure.ts";
import type { StepWriter } from "./steps.ts";
import { readOfferedStdin, readWholeStdin, withData } from "./stdin.ts";

const USAGE_HINT = 'Say what you want: rein "which process uses the most memory?" (see --help).';

/**
 * The task: the words of the command line, with what stdin has as data.
 *
 * @param words The arguments that are no options; `-` asks for stdin.
 * @param steps Where it is said what was left out.
 * @throws {UsageError} If there is no question.
 * @throws The signal's reason, once it is aborted.
 */
export async function readTask(
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
