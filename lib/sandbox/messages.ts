/**
 * What the main side and the worker say to each other.
 *
 * @module
 */

import type { Grants } from "../ports.ts";
import type { TextLimits } from "../results/text_limits.ts";
import type { StopFlag } from "./stop_flag.ts";
import type { JsonObject, ToolOutcome } from "../types.ts";

/** Where the worker is, since it may not find out itself. */
export interface Place {
  /** The working directory, absolute. */
  readonly cwd: string;
  /** What its permissions are. */
  readonly grants: Grants;
  /** How much of texts is kept, where the policy says so. */
  readonly limits: TextLimits;
}

/** From the main side to the worker. */
export type ToWorker =
  | { readonly type: "place"; readonly place: Place }
  | {
    readonly type: "run";
    readonly call: number;
    readonly tool: string;
    readonly args: JsonObject;
    /** Raised when the call is cancelled or its worker is ended. */
    readonly stop: StopFlag;
  }
  | { readonly type: "cancel"; readonly call: number }
  | { readonly type: "answer"; readonly question: number; readonly allowed: boolean };

/** From the worker to the main side. */
export type FromWorker =
  | {
    readonly type: "question";
    readonly call: number;
    readonly question: number;
    /** Whether a path may be read, or a host reached, that the call did not name itself. */
    readonly about: "read" | "reach";
    readonly name: string;
  }
  | { readonly type: "outcome"; readonly call: number; readonly outcome: ToolOutcome }
  /** The tool threw. */
  | { readonly type: "thrown"; readonly call: number; readonly message: string };
