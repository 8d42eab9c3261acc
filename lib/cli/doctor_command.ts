/**
 * `rein doctor`: whether a server and its model can do this job.
 *
 * @module
 */

import { shownAddress } from "../config/kinds.ts";
import type { Ports } from "../ports.ts";
import { type Check, diagnose, type Diagnosis } from "./doctor/doctor.ts";
import { UsageError } from "./failure.ts";
import { loadSettings } from "./load_settings.ts";
import { printable } from "./printable.ts";
import type { SettingOptions } from "./setting_options.ts";

/** Exit code where a check failed. Source: the table in `docs/architecture.md`. */
const FAILED_EXIT_CODE = 5;

/** Columns of a check's name. */
const NAME_COLUMNS = 10;

function timeText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** One line: that it passed, or what is wrong and what to do. */
function lineOf({ check, status, message, hint, ms }: Check): string {
  const name = check.padEnd(NAME_COLUMNS);
  const said = (message ?? "").replace(/\s+/g, " ").replace(/[.\s]+$/, "");
  const line = status === "failed"
    ? `${name}failed: ${said}. ${hint ?? ""}`
    : `${name}${status} (${[timeText(ms), ...(said === "" ? [] : [said])].join("; ")})`;
  return printable(`${line.trimEnd()}\n`);
}

function conclusionOf({ checks, toolProtocol, adapted, model }: Diagnosis): string {
  const failed = checks.filter(({ status }) => status === "failed").length;
  const lines = adapted.map(({ what, why }) => `adapted   ${what} (the server said: ${why})\n`);
  if (toolProtocol !== null) lines.push(`protocol  calls are made in ${toolProtocol} form\n`);
  const all = checks.length - failed;
  lines.push(
    failed === 0
      ? `${model} can do the job: ${all} checks, none failed\n`
      : `${failed} of ${checks.length} checks failed\n`,
  );
  return printable(lines.join(""));
}

function jsonOf({ baseUrl, model, toolProtocol, adapted, checks }: Diagnosis): string {
  const passed = checks.every(({ status }) => status !== "failed");
  return `${
    JSON.stringify({
      schema: "rein-doctor/1",
      base_url: baseUrl === null ? null : shownAddress(baseUrl),
      model,
      tool_protocol: toolProtocol,
      adapted,
      checks,
      passed,
    })
  }\n`;
}

/**
 * Examines the server and the model of the settings, and prints what it finds.
 *
 * @returns The exit code: 0 if nothing failed, 5 if something did.
 * @throws {UsageError} If the model is a recording, or a setting is wrong.
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {OutputError} If it can't be printed.
 * @throws The signal's reason, once it is aborted.
 */
export async function doctorCommand(
  options: SettingOptions & { readonly output: "text" | "json" },
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const loaded = await loadSettings(options, ports);
  if (loaded.settings.model?.startsWith("recorded:")) {
    throw new UsageError("A recording can't be examined", "Name a model of a server.");
  }
  const isText = options.output === "text";
  const tell = (check: Check) => isText ? ports.terminal.out(lineOf(check)) : Promise.resolve();
  const diagnosis = await diagnose(loaded, ports, { signal, tell });
  await ports.terminal.out(isText ? conclusionOf(diagnosis) : jsonOf(diagnosis));
  return diagnosis.checks.some(({ status }) => status === "failed") ? FAILED_EXIT_CODE : 0;
}
