/**
 * Which runs are wanted, who is told of them, and who is asked.
 *
 * @module
 */

import type { Approver } from "../calls/pipeline.ts";
import type { ParentTask } from "../delegate/envelope.ts";
import type { TaskView } from "../delegate/group.ts";
import type { RunOptions } from "./run_options.ts";
import { type SessionChoice } from "./run_session.ts";
import type { StepWriter } from "./steps.ts";

/** Who is told of runs, and who is asked. */
export interface RunFace {
  readonly steps: StepWriter;
  readonly approve: Approver;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Is told what a running program prints. */
  readonly onOutput: (piece: Uint8Array | string, redact: (text: string) => string) => void;
  /** Is told where the tasks of a call are; left out: nobody is. */
  readonly onTasks?: (tasks: readonly TaskView[]) => void;
}

/** What holds for runs that do the work of an agent. */
export interface ServedRun {
  /** The names of the tools that there are; others do not exist. */
  readonly tools: readonly string[];
  /** What the system prompt says beside everything else. */
  readonly rules: string;
}

/** Which runs are wanted. */
export interface RunWish {
  readonly options: RunOptions;
  readonly choice: SessionChoice;
  /** Whether what is kept in memory alone can be of use once a run has ended; false if left out. */
  readonly goesOn?: boolean;
  /** Left out: a person asks, and may have all tools. */
  readonly served?: ServedRun;
  /** The task of another agent that the runs serve; left out: a person asks. */
  readonly parent?: ParentTask;
}
