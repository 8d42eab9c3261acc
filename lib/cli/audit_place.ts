/**
 * The audit log that a command is about.
 *
 * @module
 */

import { auditKey, auditPath, KeyError } from "../audit/open_audit.ts";
import { message } from "../messages/messages.ts";
import type { AuditTerms } from "../policy/audit.ts";
import { findSources } from "../policy/sources.ts";
import type { Ports } from "../ports.ts";
import { UsageError } from "./failure.ts";
import { loadSources } from "./policy_in_force.ts";

/** A log that is to be read. */
export interface LogPlace {
  /** The file that is written to, or one that is full. */
  readonly path: string;
  /** Whether only this very file is meant. */
  readonly alone: boolean;
  /** Whether somebody named it, so that it may be a copy. */
  readonly named: boolean;
  readonly terms: AuditTerms;
}

/** The name of a file that was full. */
const FULL = /\.\d{12,}$/;

/**
 * Finds the log: the one that is named, else that of the standing policies.
 *
 * @throws {UsageError} If it is not there, or there is no place for one.
 * @throws {PolicyError} If a policy has a fault.
 */
export async function placeOfLog(file: string | undefined, ports: Ports): Promise<LogPlace> {
  const { audit: terms } = await loadSources(await findSources(ports, []));
  const path = file ?? auditPath(terms, ports);
  if (path === null) {
    throw new UsageError(message("audit.no_place"), message("audit.no_place_hint"));
  }
  const full = FULL.test(path);
  const there = ports.folders.info(path)?.kind === "file" ||
    ports.folders.info(`${path}.head`) !== null;
  if (!there) {
    const hint = file === undefined ? "audit.no_log_hint" : "audit.path_hint";
    throw new UsageError(message("audit.no_log", { path }), message(hint));
  }
  return { path, alone: full, named: file !== undefined, terms };
}

/**
 * The key that seals a log.
 *
 * @param keyFile As it was named; left out: that of the policy.
 * @returns Null: none is known.
 * @throws {UsageError} If it can't be used.
 */
export async function keyOfLog(
  keyFile: string | undefined,
  { terms }: LogPlace,
  ports: Ports,
): Promise<Uint8Array | null> {
  try {
    const key = await auditKey(keyFile === undefined ? terms : { key_file: keyFile }, ports);
    return key === null ? null : new TextEncoder().encode(key);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const wrong = message("audit.unchecked", { why: error.message });
    throw new UsageError(wrong, message("audit.key_hint"), error);
  }
}
