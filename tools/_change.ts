/**
 * Changing one text file: planned first, shown to whoever decides, then made.
 *
 * @module
 */

import { posix } from "node:path";
import { FileError, type Files } from "../lib/ports.ts";
import type { ObservationError, ToolOutcome } from "../lib/types.ts";
import { countLines, diffText } from "./_diff.ts";
import { pathFailure } from "./_paths.ts";
import { decodeText, FileTooLargeError, readWhole, type TextFile } from "./_text.ts";

/** A larger file is not changed, in bytes. */
export const MAX_FILE_BYTES = 10_000_000;

/** What a file is to become. */
export interface Change {
  /** What it holds now; null if there is none. */
  readonly before: string | null;
  readonly after: string;
  readonly bytes: Uint8Array;
  /** Something that the model should know, or null. */
  readonly note: string | null;
}

/** A change, or why there can be none. */
export type Planned =
  | { readonly ok: true; readonly change: Change }
  | { readonly ok: false; readonly error: ObservationError };

/** Builds a failure that the same call would meet again. */
export function refusal(code: string, message: string, hint: string) {
  return { ok: false, error: { code, message, hint, retriable: false } } as const;
}

/** Where links lead a path that says something else; null if it says where it leads. */
function elsewhere(files: Files, path: string): string | null {
  const whole = posix.resolve(files.cwd(), path);
  for (let existing = whole;; existing = posix.dirname(existing)) {
    const real = files.realPathSync(existing);
    if (real !== null) {
      const leads = posix.join(real, whole.slice(existing.length));
      return leads === whole ? null : leads;
    }
    if (existing === "/") return null;
  }
}

/**
 * Refuses a path that is not what it says: the policy and the person judged its text.
 *
 * @returns Null if it may be used.
 */
export function misleading(files: Files, path: string) {
  if (/^~(\/|$)/.test(path)) {
    const hint = "Give the path from / or from the working directory.";
    return refusal("invalid_arguments", `"${path}" is not expanded`, hint);
  }
  const leads = elsewhere(files, path);
  if (leads === null) return null;
  const hint = `If it is meant, name "${leads}" itself, so that the policy judges that path.`;
  return refusal("is_link", `"${path}" leads over a symbolic link to "${leads}"`, hint);
}

/** What a file holds now: its text, null if there is none, or why it can't be changed. */
export async function currentText(
  files: Files,
  path: string,
): Promise<{ readonly ok: true; readonly file: TextFile | null } | ReturnType<typeof refusal>> {
  try {
    // Opening a pipe would wait for its other end, and a device has none.
    if ((await files.stat(path)).kind === "other") {
      return refusal("not_file", `"${path}" is no regular file`, "Name a regular file.");
    }
    const file = decodeText(await readWhole(files, path, MAX_FILE_BYTES));
    if (file !== null) return { ok: true, file };
    return refusal("binary", `"${path}" is not a text file`, "Use a program made for its format.");
  } catch (error) {
    if (error instanceof FileTooLargeError) {
      return refusal("too_large", error.message, "Use run_shell with sed for a file of this size.");
    }
    if (error instanceof FileError && error.code === "not_found") return { ok: true, file: null };
    throw error;
  }
}

/** Plans; a failure of the file system is a plan that can't be made. */
export async function planned(plan: () => Promise<Planned>): Promise<Planned> {
  try {
    return await plan();
  } catch (error) {
    const failure = pathFailure(error);
    if (failure.ok) throw new TypeError("A failure is no success");
    return failure;
  }
}

/** What a plan would do, for the person who decides. */
export async function showChange(plan: Planned): Promise<string> {
  if (!plan.ok) return `This would fail: ${plan.error.message}`;
  return await diffText(plan.change.before, plan.change.after);
}

/** Makes a planned change. */
export async function makeChange(
  files: Files,
  path: string,
  plan: Planned,
  options: { readonly makeParents: boolean },
): Promise<ToolOutcome> {
  if (!plan.ok) return plan;
  const { before, after, bytes, note } = plan.change;
  try {
    await files.replace(path, bytes, options);
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "not_found") return pathFailure(error);
    return refusal("not_found", error.message, "Make the directory, or set make_parents.");
  }
  const { added, removed } = await countLines(before ?? "", after);
  const created = before === null;
  return {
    ok: true,
    data: {
      path,
      created,
      bytes: bytes.length,
      lines_added: added,
      lines_removed: removed,
      ...(note === null ? {} : { note }),
    },
    summary: `${created ? "created, " : ""}+${added} −${removed}`,
  };
}
