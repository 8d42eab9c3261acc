/**
 * The difference between two texts, for people and in numbers.
 *
 * @module
 */

import type { StructuredPatch } from "diff";

/** Lines shown at the most. */
const SHOWN_LINES = 200;

/** A line is shown up to this, in characters. */
const SHOWN_CHARS = 400;

/** Two texts that share little take long to compare; then only their sizes are told. */
const TIMEOUT_MS = 1000;

/** Lines that one text has and the other has not. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

async function patchOf(before: string, after: string): Promise<StructuredPatch | null> {
  const { structuredPatch } = await import("diff");
  const options = { context: 3, timeout: TIMEOUT_MS };
  return structuredPatch("", "", before, after, "", "", options) ?? null;
}

function lineCount(text: string): number {
  const ends = text.split("\n").length - 1;
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

function clipped(lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN_LINES)
    .map((line) => line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS)}…`);
  const more = lines.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`… ${more} more lines …`])].join("\n");
}

/** How many lines changed; where that can't be told in time, all of them. */
export async function countLines(before: string, after: string): Promise<LineCounts> {
  const patch = before === "" ? null : await patchOf(before, after);
  if (patch === null) return { added: lineCount(after), removed: lineCount(before) };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/**
 * A unified difference without file names, of 200 lines at the most.
 *
 * @param before Null: there is no file yet.
 */
export async function diffText(before: string | null, after: string): Promise<string> {
  if (before === null) {
    const lines = after.replace(/\n$/, "").split("\n").map((line) => `+${line}`);
    return clipped([`A new file of ${lineCount(after)} lines:`, ...(after === "" ? [] : lines)]);
  }
  if (before === after) return "Nothing would change.";
  const patch = await patchOf(before, after);
  if (patch === null) {
    return `All of it is replaced: ${lineCount(before)} lines by ${lineCount(after)}.`;
  }
  return clipped(patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]));
}
