/**
 * `rein doctor`: whether a server and its model can do this job.
 *
 * @module
 */

import { shownAddress } from "../config/kinds.ts";
import { message, type MessageId, type Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import { type Check, diagnose, type Diagnosis } from "./doctor/doctor.ts";
import { UsageError } from "./failure.ts";
import { loadSettings } from "./load_settings.ts";
import { widthOf } from "./marked_text.ts";
import { printable } from "./printable.ts";
import type { SettingOptions } from "./setting_options.ts";

/** Exit code where a check failed. Source: the table in `docs/architecture.md`. */
const FAILED_EXIT_CODE = 5;

/** Columns of a check's name. */
const NAME_COLUMNS = 10;

/** What checks are called. */
const NAMES: { readonly [check: string]: MessageId } = {
  address: "doctor.address",
  key: "doctor.key",
  model: "doctor.model",
  answer: "doctor.answer",
  call: "doctor.call",
  "two calls": "doctor.two_calls",
  chinese: "doctor.chinese",
  recovery: "doctor.recovery",
};

/** How checks end that have not failed: without and with something that is known. */
const ENDS = {
  passed: ["doctor.passed", "doctor.passed_with"],
  skipped: ["doctor.skipped", "doctor.skipped_with"],
} as const;

function timeText(ms: number, say: Say): string {
  return ms < 1_000
    ? say("step.wait_ms", { count: ms })
    : say("step.wait_s", { count: (ms / 1_000).toFixed(1) });
}

/** One line: that it passed, or what is wrong and what to do. */
function resultOf({ status, message, hint, ms }: Check, say: Say): string {
  const said = (message ?? "").replace(/\s+/g, " ").replace(/[.\s]+$/, "");
  const what = recognise(said, say);
  if (status === "failed") {
    return say("doctor.failed", { why: what, hint: recognise(hint ?? "", say) });
  }
  const time = timeText(ms, say);
  const [plain, known] = ENDS[status];
  return what === "" ? say(plain, { time }) : say(known, { time, what });
}

function lineOf(check: Check, say: Say): string {
  const id = NAMES[check.check];
  const name = id === undefined ? check.check : say(id);
  const blanks = " ".repeat(Math.max(1, NAME_COLUMNS - widthOf(name)));
  return printable(`${`${name}${blanks}${resultOf(check, say)}`.trimEnd()}\n`);
}

function conclusionOf({ checks, toolProtocol, adapted, model }: Diagnosis, say: Say): string {
  const failed = checks.filter(({ status }) => status === "failed").length;
  const lines = adapted.map(({ what, why }) =>
    say("doctor.adapted", { what: recognise(what, say), why: recognise(why, say) })
  );
  if (toolProtocol !== null) lines.push(say("doctor.protocol", { protocol: toolProtocol }));
  const all = checks.length - failed;
  lines.push(
    failed === 0
      ? say("doctor.fit", { model: model ?? "", count: all })
      : say("doctor.unfit", { failed, count: checks.length }),
  );
  return printable(lines.map((line) => `${line}\n`).join(""));
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
    const hint = message("usage.recorded_doctor_hint");
    throw new UsageError(message("usage.recorded_doctor"), hint);
  }
  const isText = options.output === "text";
  const tell = (check: Check) =>
    isText ? ports.terminal.out(lineOf(check, ports.say)) : Promise.resolve();
  const diagnosis = await diagnose(loaded, ports, { signal, tell });
  await ports.terminal.out(isText ? conclusionOf(diagnosis, ports.say) : jsonOf(diagnosis));
  return diagnosis.checks.some(({ status }) => status === "failed") ? FAILED_EXIT_CODE : 0;
}
