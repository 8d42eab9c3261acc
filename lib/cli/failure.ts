/**
 * Failures before or beside a run, as one line for people.
 *
 * @module
 */

import { AuditError } from "../audit/audit_error.ts";
import { ConfigError } from "../config/config_error.ts";
import { TransportError } from "../delegate/types.ts";
import { english, message, type Say, type Text, wordsOf } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import { DatabaseError, FileError, type Files, OutputError } from "../ports.ts";
import { ModelError } from "../types.ts";
import { SandboxError } from "../sandbox/grants.ts";
import { SessionError } from "../session/session_error.ts";
import { Interruption, SIGNAL_EXIT_CODES } from "./exit_code.ts";
import { printable } from "./printable.ts";

/** Someone asked for something that does not exist or does not fit. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to do; one sentence. */
  readonly hint: string;
  /** Both, for people of any language. */
  readonly texts: { readonly message: Text; readonly hint: Text };

  constructor(message: Text, hint: Text, cause?: unknown) {
    super(wordsOf(message, english), { cause });
    this.hint = wordsOf(hint, english);
    this.texts = { message, hint };
  }
}

/** A failure as programs and people get it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

/** The code of what nobody foresaw. */
export const DEFECT = "internal";

const DEFECT_HINT =
  "This is a defect of rein; run it again with --debug FILE and report what it says.";

/** What people are told of a failure, in their language. */
export function failureFor(error: unknown, say: Say): Failure {
  const failure = failureOf(error);
  const texts = error instanceof UsageError ? error.texts : failure;
  return { ...failure, message: tell(texts.message, say), hint: tell(texts.hint, say) };
}

/**
 * Maps whatever was thrown to words and an exit code (0–6, see `docs/architecture.md`), in English,
 * as programs get them.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { code: "usage", message: error.message, hint: error.hint, exitCode: 2 };
  }
  if (error instanceof AuditError) {
    const exitCode = error.midRun ? 1 : 2;
    return { code: "audit", message: error.message, hint: error.hint, exitCode };
  }
  if (error instanceof SandboxError) {
    return { code: "sandbox", message: error.message, hint: error.hint, exitCode: 2 };
  }
  if (error instanceof SessionError) {
    return { code: `session_${error.code}`, message: error.message, hint: error.hint, exitCode: 2 };
  }
  if (error instanceof ModelError) {
    return { code: error.code, message: error.message, hint: error.hint, exitCode: 5 };
  }
  if (error instanceof Interruption) {
    const exitCode = SIGNAL_EXIT_CODES[error.signal];
    const hint = "Nothing was done.";
    return { code: "interrupted", message: error.message, hint, exitCode };
  }
  if (error instanceof ConfigError) {
    return { code: "configuration", message: error.message, hint: error.hint, exitCode: 2 };
  }
  if (error instanceof SyntaxError) {
    const hint = "Correct the file.";
    return { code: "configuration", message: error.message, hint, exitCode: 2 };
  }
  if (error instanceof FileError) {
    const hint = "Check the path and its permissions.";
    return { code: error.code, message: error.message, hint, exitCode: 2 };
  }
  if (error instanceof TransportError) {
    const hint = 'See "rein agents check".';
    return { code: `agent_${error.code}`, message: error.message, hint, exitCode: 1 };
  }
  if (error instanceof DatabaseError) {
    const hint = "Check the disk and its permissions.";
    return { code: `database_${error.code}`, message: error.message, hint, exitCode: 1 };
  }
  if (error instanceof OutputError) {
    const hint = "Make room, or send the output elsewhere.";
    return { code: "output", message: error.message, hint, exitCode: 1 };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: DEFECT, message, hint: DEFECT_HINT, exitCode: 1 };
}

/**
 * Reads a file that someone named on the command line.
 *
 * @param what What the file is for, such as `message("file.task")`.
 * @throws {UsageError} If it can't be read.
 */
export async function readNamedFile(files: Files, what: Text, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const fault = message("usage.named_file", { what, error: error.message });
    throw new UsageError(fault, message("usage.path_hint"), error);
  }
}

/** One line that is safe for a terminal: what is wrong and what to do. */
export function failureLine(
  failure: Pick<Failure, "message" | "hint">,
  say: Say = english,
): string {
  const told = failure.message.replace(/\s+/g, " ").replace(/[.。\s]+$/, "");
  return printable(`${say("failure.line", { message: told, hint: failure.hint })}\n`);
}
