/**
 * Why nothing can be audited.
 *
 * @module
 */

/** The policy requires an audit log, and it can't be written. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  /** What the person can do about it; one sentence. */
  readonly hint: string;
  /** Whether a run had begun. */
  readonly midRun: boolean;

  constructor(message: string, hint: string, options: { midRun: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.hint = hint;
    this.midRun = options.midRun;
  }
}

/** The file at the log's place is no audit log, and nothing must be added to it. */
export class ForeignFile extends Error {
  override readonly name = "ForeignFile";
}
