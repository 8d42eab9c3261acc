/**
 * The audit log that the policy asks for: where it is, what seals it, who writes to it.
 *
 * @module
 */

import type { AuditTerms } from "../policy/audit.ts";
import { FileError, type Ports } from "../ports.ts";
import { AuditError } from "./audit_error.ts";
import type { Actor } from "./entry.ts";
import { AuditSink } from "./sink.ts";

/** What finding a log and its key needs. */
export type AuditPlacePorts = Pick<Ports, "databases" | "env" | "files">;

/** What writing to a log needs. */
export type AuditPorts =
  & AuditPlacePorts
  & Pick<Ports, "clock" | "folders" | "hashes" | "logs" | "machine" | "processes">;

/** The variable that seals where no policy names a key. */
export const KEY_VARIABLE = "REIN_AUDIT_KEY";

/** Characters of a key at the least: as many random ones can't be guessed. */
const LEAST_KEY_CHARS = 16;

const BYTES_OF_MB = 1024 * 1024;

/** A path of a policy, with the home in place of `~`. */
function expanded(path: string, { env }: AuditPlacePorts): string | null {
  if (!path.startsWith("~/")) return path;
  const home = env.get("HOME");
  return home ? `${home}${path.slice(1)}` : null;
}

/** The file of the log; null where there is no place for one. */
export function auditPath({ path }: AuditTerms, ports: AuditPlacePorts): string | null {
  if (path !== undefined) return expanded(path, ports);
  const { folder } = ports.databases;
  return folder === null ? null : `${folder}/audit/audit.jsonl`;
}

/** The key can't be used. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

async function keyIn(path: string, files: Ports["files"]): Promise<string> {
  try {
    if (await files.ownedAlone(path)) return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new KeyError(`the key file ${error.message}`, { cause: error });
  }
  throw new KeyError(`others than its owner may read the key file "${path}"`);
}

/** The text of the key, and where it is from, in words; null: none is named and none is set. */
async function keyText(
  { key_file, key_variable }: AuditTerms,
  ports: AuditPlacePorts,
): Promise<{ readonly text: string; readonly source: string } | null> {
  if (key_file !== undefined) {
    const path = expanded(key_file, ports) ?? key_file;
    return { text: await keyIn(path, ports.files), source: `the key file "${path}"` };
  }
  const source = key_variable ?? KEY_VARIABLE;
  const text = ports.env.get(source);
  if (text !== undefined && text !== "") return { text, source };
  if (key_variable === undefined) return null;
  throw new KeyError(`the variable ${key_variable} of its key is not set`);
}

/**
 * The key that seals entries, as text without blanks around it.
 *
 * @returns Null: nothing is sealed.
 * @throws {KeyError} If one is named and can't be used.
 */
export async function auditKey(terms: AuditTerms, ports: AuditPlacePorts): Promise<string | null> {
  const found = await keyText(terms, ports);
  if (found === null) return null;
  const key = found.text.trim();
  if (key.length >= LEAST_KEY_CHARS) return key;
  throw new KeyError(`${found.source} holds a key of fewer than ${LEAST_KEY_CHARS} characters`);
}

/** Who writes, as far as it can be known. */
export function actorOf({ env, files, machine }: AuditPorts): Actor {
  const name = env.get("USER") ?? env.get("LOGNAME") ?? null;
  let cwd: string | null = null;
  try {
    cwd = files.cwd();
  } catch {
    // It is gone; the run will say so.
  }
  return {
    host: machine.host(),
    user: { uid: machine.uid(), name },
    cwd,
    pid: machine.pid,
  };
}

/** The audit of the runs of a process. */
export interface Audit {
  readonly sink: AuditSink;
  /** Values that nobody may see. */
  readonly secrets: readonly string[];
  /** Ends it, once what is on its way is there. */
  end(): Promise<void>;
}

function cannot(reason: string): AuditError {
  const hint = "Ask whoever looks after this machine; its policy requires the log.";
  return new AuditError(`Without an audit log no run may begin: ${reason}`, hint, {
    midRun: false,
  });
}

/** Where a log can be and what seals it; a text says why there can be none. */
async function findPlace(
  terms: AuditTerms,
  ports: AuditPorts,
): Promise<{ readonly path: string; readonly key: string | null } | string | null> {
  const path = auditPath(terms, ports);
  if (path === null) return terms.required || terms.path ? "there is no place for it" : null;
  if (!ports.logs.permitted(path)) return `"${path}" may not be written by this build of rein`;
  try {
    return { path, key: await auditKey(terms, ports) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    // A log that is to be sealed is never written without a seal.
    return error.message;
  }
}

/**
 * Prepares the audit of runs; nothing is written before the first entry.
 *
 * @param warn Is told, once, that there is none although there should be.
 * @returns Null where nothing is audited.
 * @throws {AuditError} If the policy requires a log and there can be none.
 */
export async function openAudit(
  terms: AuditTerms,
  ports: AuditPorts,
  warn: (text: string) => void,
): Promise<Audit | null> {
  if (terms.enabled === false) return null;
  const place = await findPlace(terms, ports);
  if (place === null) return null;
  const required = terms.required ?? false;
  if (typeof place === "string") {
    if (required) throw cannot(place);
    warn(`nothing is audited: ${place}`);
    return null;
  }
  return await build({ ...place, terms, required }, ports, warn);
}

async function build(
  { path, key, terms: { rotate_mb, syslog }, required }: {
    readonly path: string;
    readonly key: string | null;
    readonly terms: AuditTerms;
    readonly required: boolean;
  },
  ports: AuditPorts,
  warn: (text: string) => void,
): Promise<Audit> {
  const actor = actorOf(ports);
  const options = {
    path,
    key: key === null ? null : new TextEncoder().encode(key),
    ...(rotate_mb === undefined ? {} : { rotateBytes: rotate_mb * BYTES_OF_MB }),
    actor,
  };
  const open = async () => new (await import("./audit_log.ts")).AuditLog(options, ports);
  const copies = syslog ? new (await import("./system_log.ts")).SystemLog(ports, warn) : null;
  const copy = copies === null ? null : (line: string) => copies.add(line);
  const sink = new AuditSink({ path, open, actor, required, copy });
  const end = async () => {
    await sink.end();
    await copies?.end();
  };
  return { sink, secrets: key === null ? [] : [key], end };
}
