/**
 * `rein policy`: asking the policy without running anything.
 *
 * @module
 */
import { collect, outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { CommonOptions, Finish, PolicyPorts } from "./policy_options.ts";

function addCommon(command: Command): Command {
  return command
    .option(
      "--policy <policy>",
      "ops, read-only, locked, or a file; may be repeated",
      collect,
      [],
    )
    .addOption(outputOption())
    .option("--cwd <dir>", "judge as if in this directory");
}

/**
 * Adds `policy` with its subcommands.
 *
 * @param finish Is told the exit code once a command has done its work.
 */
export function addPolicyCommands(program: Command, ports: PolicyPorts, finish: Finish): void {
  const policy = program.command("policy").description("ask, show, test and check policies");

  addCommon(policy.command("check").argument("[command]", "a shell command"))
    .description("print the decision on a command; exit 0 allow, 20 ask, 21 deny, 2 error")
    .option("--stdin", 'read JSON lines {"id", "command"}, write one JSON line each')
    .action(async (command: string | undefined, options: CommonOptions & { stdin?: boolean }) => {
      const { checkCommand, checkLines } = await import("./policy_check.ts");
      finish(
        options.stdin
          ? await checkLines(options, ports)
          : await checkCommand(command, options, ports),
      );
    });

  addCommon(policy.command("show"))
    .description("print the policies in force, or with --effective what they come to")
    .option("--effective", "rules, defaults and the runtime permissions that follow")
    .action(async (options: CommonOptions & { effective?: boolean }) => {
      const { showPolicy } = await import("./policy_show.ts");
      finish(await showPolicy(options, ports));
    });

  addCommon(policy.command("test").argument("[files...]", "JSON lines with command and expect"))
    .description("run every example and files of expectations; exit 1 on any difference")
    .action(async (files: string[], options: CommonOptions) => {
      const { testPolicy } = await import("./policy_test_command.ts");
      finish(await testPolicy(files, options, ports));
    });

  addCommon(policy.command("lint"))
    .description("find rules that can't match, are shadowed, or allow too much")
    .action(async (options: CommonOptions) => {
      const { lintPolicy } = await import("./policy_lint.ts");
      finish(await lintPolicy(options, ports));
    });
}
