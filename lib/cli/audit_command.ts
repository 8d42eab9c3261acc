/**
 * `rein audit`: what was done, and whether the log of it is whole.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Ports } from "../ports.ts";
import type { ExportOptions, ShowOptions } from "./audit_show.ts";
import type { VerifyOptions } from "./audit_verify.ts";

/** Says where the log is, and what the exit codes mean. */
const EPILOGUE = `
The log is ~/.local/state/rein/audit/audit.jsonl, or where the policy says. See
docs/audit.md in the repository.

Exit codes: 0 done, or the log is whole; 1 it is not; 2 wrong use, or no log.`;

/** A whole number from 1 on. */
function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("It takes a whole number from 1.");
}

function withFile(command: Command): Command {
  return command.option("--file <path>", "another log than that of this machine");
}

function withTimes(command: Command): Command {
  return command
    .option("--since <time>", 'from then on: "2026-11-29 12:00", or how long ago: 30m, 2h, 7d')
    .option("--until <time>", "up to then");
}

/** What the commands need of the process around them. */
interface Surroundings {
  readonly ports: Ports;
  readonly interrupts: { readonly signal: AbortSignal };
  /** The exit code that the command came to. */
  exitCode: number;
}

/** Adds `audit` with its subcommands. */
export function addAuditCommands(program: Command, surroundings: Surroundings): void {
  const { ports, interrupts: { signal } } = surroundings;
  const audit = program.command("audit").description("verify, show and export the audit log")
    .addHelpText("after", EPILOGUE);

  withFile(audit.command("verify"))
    .description("find what was changed, taken out, cut off or put elsewhere; exit 1 if anything")
    .option("--key-file <path>", "the key of its seals, if it is not that of the policy")
    .addOption(outputOption())
    .action(async (options: VerifyOptions) => {
      const { verifyCommand } = await import("./audit_verify.ts");
      surroundings.exitCode = await verifyCommand(options, ports, signal);
    });

  withTimes(withFile(audit.command("show")))
    .description("print entries, one a line, the oldest first")
    .option("--run <id>", "of this run")
    .option("--session <id>", "of this session")
    .option("--tool <name>", "of calls of this tool")
    .addOption(
      new Option("--decision <decision>", "of calls that were judged so")
        .choices(["allow", "ask", "deny"]),
    )
    .option("--status <status>", "of calls and runs that ended so, such as error or answered")
    .option("--user <user>", "of this user, by name or number")
    .option("--last <count>", "the newest of them", count)
    .addOption(
      new Option("-o, --output <form>", "text, or jsonl: as they stand in the log")
        .choices(["text", "jsonl"]).default("text"),
    )
    .action(async (options: ShowOptions) => {
      const { showAudit } = await import("./audit_show.ts");
      await showAudit(options, ports, signal);
    });

  withTimes(withFile(audit.command("export")))
    .description("write entries as they stand in the log")
    .option("--out <path>", "a new file, instead of stdout")
    .action(async (options: ExportOptions) => {
      const { exportAudit } = await import("./audit_show.ts");
      await exportAudit(options, ports, signal);
    });
}
