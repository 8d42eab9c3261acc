/**
 * How far a run is, in one line.
 *
 * @module
 */

import type { DoneCall, RunRecord } from "../record.ts";
import { clip } from "../results/characters.ts";

/** Characters of one call in the line. */
const CALL_CHARS = 60;

/** Characters of all calls in the line: the newest that fit. */
const DONE_CHARS = 400;

function callOf({ what, status }: DoneCall): string {
  const short = clip(what.replace(/\s+/g, " "), CALL_CHARS);
  return `${short} (${status === "success" ? "ok" : status})`;
}

/** The newest calls that fit, the newest last, with the number of those before. */
function doneOf(done: readonly DoneCall[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (let index = done.length - 1; index >= 0; index--) {
    const call = done[index];
    const text = call === undefined ? "" : callOf(call);
    chars += text.length + 2;
    if (chars > DONE_CHARS && shown.length > 0) break;
    shown.unshift(text);
  }
  const earlier = done.length - shown.length;
  return [...(earlier > 0 ? [`${earlier} earlier`] : []), ...shown].join(", ");
}

/**
 * Says how far a run is: `[Step 3/15] done: run_shell ls /var/log (ok), log_stats api.log (ok)`.
 *
 * @param record The run, in the step that is told of.
 */
export function progressLine(record: RunRecord, maxSteps: number): string {
  const place = `[Step ${record.steps}/${maxSteps}]`;
  return record.done.length === 0 ? place : `${place} done: ${doneOf(record.done)}`;
}
