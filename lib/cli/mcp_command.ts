/**
 * `rein mcp`: the MCP servers of the configuration.
 *
 * @module
 */

import { collect, outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { Ports } from "../ports.ts";
import { addSettingOptions, type SettingOptions } from "./setting_options.ts";

/** The options that both of its commands have. */
export interface McpCommandOptions extends SettingOptions {
  readonly output: "text" | "json";
  /** As with a run. */
  readonly policy?: readonly string[];
}

const EPILOGUE = `
Servers stand in config.yaml, below "mcp"; docs/mcp.md says how. "list" starts nothing;
"check" connects to each server as a run would, and asks for its tools.

Exit codes: 0 done; 1 a server could not be used, or tools of it are left out; 2 wrong
use, or the configuration can't be used.`;

function withOptions(command: Command): Command {
  return addSettingOptions(command)
    .option("--policy <policy>", "ops, read-only, locked, or a policy file", collect)
    .addOption(outputOption());
}

/**
 * Adds `mcp` with its subcommands.
 *
 * @param context `finish` is told the exit code once a command has done its work.
 */
export function addMcpCommands(
  program: Command,
  ports: Ports,
  { signal, finish }: { readonly signal: AbortSignal; readonly finish: (code: number) => void },
): void {
  const mcp = program.command("mcp").description("the MCP servers of the configuration")
    .addHelpText("after", EPILOGUE);
  const given = (options: McpCommandOptions): McpCommandOptions => ({
    ...program.opts<SettingOptions>(),
    ...options,
  });

  withOptions(mcp.command("list"))
    .description("list them, and how their tools are judged; starts nothing")
    .action(async (options: McpCommandOptions) => {
      const { listServers } = await import("./mcp_check.ts");
      await listServers(given(options), ports);
    });

  withOptions(mcp.command("check").argument("[name]", "one server; all of them if left out"))
    .description("connect to them, and list their tools; exit 1 if one can't be used")
    .action(async (name: string | undefined, options: McpCommandOptions) => {
      const { checkServers } = await import("./mcp_check.ts");
      finish(await checkServers(name ?? null, given(options), { ports, signal }));
    });
}
