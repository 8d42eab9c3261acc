/**
 * `rein trace`: the command and its options.
 *
 * @module
 */

import { type Command, Option } from "commander";
import type { Ports } from "../ports.ts";
import type { TraceOptions } from "./trace.ts";

/** Adds the command. */
export function addTraceCommand(program: Command, ports: Ports, signal: AbortSignal): void {
  program.command("trace")
    .description("show what a run did, step by step, and where its context went")
    .argument("[id]", "a session or a run; the newest session of this directory if left out")
    .option("--follow", "tell of a running one as it happens", false)
    .option("--html <file>", "write a page that explains it, and needs no network")
    .addOption(
      new Option("-o, --output <form>", "text or json").choices(["text", "json"]).default("text"),
    )
    .action(async (id: string | undefined, options: TraceOptions) => {
      const { trace } = await import("./trace.ts");
      await trace(id ?? null, options, ports, signal);
    });
}
