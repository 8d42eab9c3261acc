/**
 * `rein trace`: the command and its options.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { Ports } from "../ports.ts";
import { failureOf } from "./failure.ts";
import type { TraceOptions } from "./trace.ts";

/** How the command ends. */
export interface TraceEnd {
  /** Aborted to interrupt it. */
  readonly signal: AbortSignal;
  /** Takes the exit code, where it is another one than 0. */
  readonly finish: (code: number) => void;
}

/** Adds the command. */
export function addTraceCommand(
  program: Command,
  ports: Ports,
  { signal, finish }: TraceEnd,
): void {
  program.command("trace")
    .description("show what a run did, step by step, and where its context went")
    .argument("[id]", "a session or a run; the newest session of this directory if left out")
    .option("--follow", "tell of a running one as it happens", false)
    .option("--html <file>", "write a page that explains it, and needs no network")
    .addOption(outputOption())
    .action(async (id: string | undefined, options: TraceOptions) => {
      const { trace } = await import("./trace.ts");
      try {
        await trace(id ?? null, options, ports, signal);
      } catch (error) {
        // Whoever follows a run ends that so: there is nothing to say.
        if (!options.follow || !signal.aborted || error !== signal.reason) throw error;
        finish(failureOf(error).exitCode);
      }
    });
}
