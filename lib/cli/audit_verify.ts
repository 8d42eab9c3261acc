/**
 * `rein audit verify`: whether the log is as it was written.
 *
 * @module
 */

import type { Fault, Verdict } from "../audit/chain_checker.ts";
import { verifyLog } from "../audit/verify.ts";
import type { Ports } from "../ports.ts";
import { keyOfLog, placeOfLog } from "./audit_place.ts";
import { printable } from "./printable.ts";
import { jsonLine } from "./sessions_list.ts";

/** The options of the command. */
export interface VerifyOptions {
  readonly file?: string;
  readonly keyFile?: string;
  readonly output: "text" | "json";
}

/** The words of a kind of fault. */
const KINDS: Readonly<Record<Fault["kind"], string>> = {
  changed: "changed",
  missing: "missing",
  cut_off: "cut off",
  order: "order",
  seal: "seal",
  head: "end",
};

function textOf({ faults, furtherFaults, notes, entries, sealed }: Verdict, path: string): string {
  const lines = faults.map(({ file, line, kind, what }) =>
    `${file}:${line}: ${KINDS[kind]}: ${what}`
  );
  if (furtherFaults > 0) lines.push(`… and ${furtherFaults} more`);
  lines.push(...notes.map((note) => `Note: ${note}`));
  const count = `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}` +
    (sealed > 0 ? `, ${sealed.toLocaleString("en")} sealed` : "");
  const wrong = faults.length + furtherFaults;
  lines.push(
    wrong === 0
      ? `${path} is whole: ${count}.`
      : `${path} is not as it was written: ${count}, ${
        wrong === 1 ? "1 fault" : `${wrong} faults`
      }.`,
  );
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/**
 * Verifies the log and prints what is wrong with it.
 *
 * @returns The exit code: 0 if it is whole, else 1.
 * @throws {UsageError} If there is no log, or its key can't be used.
 * @throws {FileError} If it can't be read.
 */
export async function verifyCommand(
  { file, keyFile, output }: VerifyOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const place = await placeOfLog(file, ports);
  const key = await keyOfLog(keyFile, place, ports);
  const { path, alone, named } = place;
  const found = await verifyLog({ path, alone, needsHead: !named, key }, ports, signal);
  const unchecked = key === null && found.sealed > 0
    ? ["there is no key here, so that no seal was checked"]
    : [];
  const verdict = { ...found, notes: [...found.notes, ...unchecked] };
  const whole = verdict.faults.length === 0;
  const { faults, furtherFaults: further_faults, notes, entries, sealed } = verdict;
  const value = { path, whole, entries, sealed, faults, further_faults, notes };
  const text = output === "json"
    ? jsonLine({ schema: "rein-audit-verify/1", ...value })
    : textOf(verdict, path);
  await ports.terminal.out(text);
  return whole ? 0 : 1;
}
