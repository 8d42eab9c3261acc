/**
 * What ended the program before or beside a run: one line for people, a result for programs.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { Interruption } from "./exit_code.ts";
import { DEFECT, failureFor, failureLine, failureOf } from "./failure.ts";
import { failedResult } from "./render.ts";

/** The form of output that the arguments ask for, even if they are wrong otherwise. */
function askedOutput(args: readonly string[]): string {
  const index = args.findLastIndex((arg) => /^(-o|--output(=|$))/.test(arg));
  if (index === -1) return "";
  const [, value] = /^(?:-o|--output=)(.+)$/s.exec(args[index] ?? "") ?? [];
  return value ?? args[index + 1] ?? "";
}

/**
 * Tells of what ended the program: people in their language, and programs in English.
 *
 * @param args The arguments, right or wrong; they say what form of output is asked for.
 * @returns The exit code; never throws.
 */
export async function reportFailure(
  error: unknown,
  args: readonly string[],
  ports: Ports,
): Promise<number> {
  const { terminal, say } = ports;
  const failure = failureOf(error);
  await terminal.err(failureLine(failureFor(error, say), say));
  const isTraced = failure.code === DEFECT && args.some((arg) => /^--debug(=|$)/.test(arg));
  if (isTraced && error instanceof Error) {
    await terminal.err(`${error.stack ?? ""}\n`);
  }
  const output = askedOutput(args);
  if (output !== "json" && output !== "jsonl") return failure.exitCode;
  const stop = error instanceof Interruption ? "interrupted" : null;
  const result = failedResult(ports.newId(), failure, stop);
  const at = new Date(ports.clock.now()).toISOString();
  const event = { schema: "rein-event/1", at, run_id: result.run_id, step: 0 };
  const value = output === "json" ? result : { ...event, type: "run_finished", result };
  await terminal.out(`${JSON.stringify(value)}\n`).catch(() => {});
  return failure.exitCode;
}
