/**
 * `rein replay`: the command and its options.
 *
 * @module
 */

import { collect, outputOption } from "./common_options.ts";
import type { Command } from "commander";
import { whole } from "../config/kinds.ts";
import type { Ports } from "../ports.ts";
import type { ReplayOptions } from "./replay.ts";
import { addSettingOptions, parserOf, type SettingOptions } from "./setting_options.ts";

/** A step of a run. */
const STEP = whole({ from: 1, to: null });

/** How the command ends. */
export interface ReplayEnd {
  readonly signal: AbortSignal;
  /** Takes the exit code. */
  finish(code: number): void;
}

/** Adds the command. */
export function addReplayCommand(program: Command, ports: Ports, end: ReplayEnd): void {
  addSettingOptions(program.command("replay"))
    .description("do what a debug file holds again, and say what differs")
    .argument("[file]", "a debug file; with --policy also an audit log or a session")
    .option("--offline", "ask and run nothing: find where rein would go another way today", false)
    .option("--policy <policy>", "judge its calls by this policy; may be repeated", collect, [])
    .option("--step <number>", "ask again only what was asked in this step", parserOf(STEP))
    .addOption(outputOption())
    .action(async (file: string | undefined, options: ReplayOptions) => {
      const { replay } = await import("./replay.ts");
      // Options that stand before the command's name count as well.
      const given = { ...program.opts<SettingOptions>(), ...options };
      end.finish(await replay(file ?? null, given, ports, end.signal));
    });
}
