/**
 * `rein audit verify`: whether the log is as it was written.
 *
 * @module
 */

import type { Fault, Verdict } from "../audit/chain_checker.ts";
import { verifyLog } from "../audit/verify.ts";
import { message, type MessageId, type Say } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
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
const KINDS: Readonly<Record<Fault["kind"], MessageId>> = {
  changed: "audit.changed",
  missing: "audit.missing",
  cut_off: "audit.cut_off",
  order: "audit.order",
  seal: "audit.seal",
  head: "audit.end",
};

function summaryOf({ faults, furtherFaults, entries, sealed }: Verdict, path: string, say: Say) {
  const values = { count: entries === 1 ? 1 : entries.toLocaleString("en") };
  const told = sealed > 0
    ? message("audit.entries_sealed", { ...values, sealed: sealed.toLocaleString("en") })
    : message("audit.entries", values);
  const wrong = message("audit.faults", { count: faults.length + furtherFaults });
  return faults.length + furtherFaults === 0
    ? say("audit.whole", { path, entries: told })
    : say("audit.not_whole", { path, entries: told, faults: wrong });
}

function textOf(verdict: Verdict, path: string, say: Say): string {
  const { faults, furtherFaults, notes } = verdict;
  const lines = faults.map(({ file, line, kind, what }) => {
    const values = { place: `${file}:${line}`, kind: message(KINDS[kind]), what };
    return tell(message("audit.fault", values), say);
  });
  if (furtherFaults > 0) lines.push(say("audit.further", { count: furtherFaults }));
  lines.push(...notes.map((what) => tell(message("audit.note", { what }), say)));
  lines.push(summaryOf(verdict, path, say));
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
    : textOf(verdict, path, ports.say);
  await ports.terminal.out(text);
  return whole ? 0 : 1;
}
