/**
 * A setting that can't be used.
 *
 * @module
 */

import type { FilePlace } from "../yaml/document.ts";

/** A setting can't be used; the message says which and why, and where it stands. */
export class ConfigError extends SyntaxError {
  override readonly name = "ConfigError";
  /** What to do; one sentence. */
  readonly hint: string;
  /** Null for what stands in no file of configuration. */
  readonly at: FilePlace | null;

  constructor(message: string, hint: string, at: FilePlace | null = null) {
    super(at === null ? message : `${at.file}:${at.line}:${at.column}: ${message}`);
    this.hint = hint;
    this.at = at;
  }
}
