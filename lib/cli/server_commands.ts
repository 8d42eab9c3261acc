/**
 * The commands that ask a model's server what it is and what it can do.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { Ports } from "../ports.ts";
import { addSettingOptions, type SettingOptions } from "./setting_options.ts";

/**
 * Adds `models` and `doctor`.
 *
 * @param context `finish` is told the exit code once a command has done its work.
 */
export function addServerCommands(
  program: Command,
  ports: Ports,
  { signal, finish }: { readonly signal: AbortSignal; readonly finish: (code: number) => void },
): void {
  type Given = SettingOptions & { readonly output: "text" | "json" };
  // Options that stand before the command's name count as well.
  const given = (options: Given): Given => ({ ...program.opts<SettingOptions>(), ...options });
  addSettingOptions(program.command("models"))
    .description("list the models of the server")
    .addOption(outputOption())
    .action(async (options: Given) => {
      const { modelsCommand } = await import("./models_command.ts");
      await modelsCommand(given(options), ports, signal);
    });
  addSettingOptions(program.command("doctor"))
    .description("examine whether the server and its model can do this job")
    .addOption(outputOption())
    .action(async (options: Given) => {
      const { doctorCommand } = await import("./doctor_command.ts");
      finish(await doctorCommand(given(options), ports, signal));
    });
}
