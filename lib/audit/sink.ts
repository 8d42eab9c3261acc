/**
 * Where entries go: the log, and the system's log where that is asked for.
 *
 * @module
 */

import { FileError } from "../ports.ts";
import { AuditError, ForeignFile } from "./audit_error.ts";
import type { AuditLog } from "./audit_log.ts";
import type { EntrySink, Told } from "./auditor.ts";
import type { Actor } from "./entry.ts";

/** What a sink is made of. */
export interface SinkParts {
  /** Absolute. */
  readonly path: string;
  /** Makes the log when the first entry comes: what it takes is not loaded before. */
  readonly open: () => Promise<AuditLog>;
  readonly actor: Actor;
  /** Whether nothing may happen that is not in the log. */
  readonly required: boolean;
  /** Takes a copy of every line; null: nobody wants one. Never throws. */
  readonly copy: ((line: string) => void) | null;
}

/** Is told, once, that nothing is audited any more. */
export type Warn = (text: string) => void;

const HINT = "Make room, or ask whoever looks after this machine; its policy requires the log.";

function reasonOf(path: string, error: unknown): string {
  if (error instanceof ForeignFile) return `"${path}" is no audit log`;
  if (error instanceof FileError) return error.message;
  throw error;
}

/** What all runs of a process write to. */
export class AuditSink {
  readonly #parts: SinkParts;
  #log: Promise<AuditLog> | null = null;
  #broken = false;
  #begun = false;

  constructor(parts: SinkParts) {
    this.#parts = parts;
  }

  /** Whether nothing may happen that is not in the log. */
  get required(): boolean {
    return this.#parts.required;
  }

  /** The way of one run into the log. */
  for(warn: Warn): EntrySink {
    return { write: (entries, durable) => this.#write(entries, durable, warn) };
  }

  async #write(entries: readonly Told[], durable: boolean, warn: Warn): Promise<void> {
    const written = this.#append(entries, durable, warn);
    // Nothing on the machine changes by the beginning of a run: where no log is required, the model
    // is asked meanwhile. Whatever comes next is written, and waits, behind it.
    if (this.#parts.required || entries.some(({ kind }) => kind !== "run_started")) await written;
  }

  async #append(entries: readonly Told[], durable: boolean, warn: Warn): Promise<void> {
    if (this.#broken) return;
    const { actor, copy, open } = this.#parts;
    try {
      const log = await (this.#log ??= open());
      const lines = await log.append(entries.map((entry) => ({ ...actor, ...entry })), durable);
      this.#begun = true;
      if (copy !== null) lines.forEach(copy);
    } catch (error) {
      this.#fail(error, warn);
    }
  }

  #fail(error: unknown, warn: Warn): void {
    const { path, required } = this.#parts;
    const reason = reasonOf(path, error);
    if (required) {
      const midRun = this.#begun;
      const message = midRun
        ? `The audit log can't be written any more, so the run ends here: ${reason}`
        : `Without an audit log no run may begin: ${reason}`;
      throw new AuditError(message, HINT, { midRun, cause: error });
    }
    // The beginning of a run may have failed while the next entry was on its way.
    if (this.#broken) return;
    this.#broken = true;
    warn(`nothing is audited from here on: ${reason}`);
  }

  /** Ends using the log, once what is on its way is there. */
  async end(): Promise<void> {
    await (await this.#log)?.close();
  }
}
