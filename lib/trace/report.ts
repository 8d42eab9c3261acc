/**
 * A traced run as a page.
 *
 * @module
 */

import type { Say } from "../messages/messages.ts";
import type { TracedRun } from "./traced_run.ts";

/** The page of runs: one file, which needs no network. */
export function reportOf(_runs: readonly TracedRun[], _say: Say): string {
  return "";
}
