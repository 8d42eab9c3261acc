/**
 * Why a session can't be had.
 *
 * @module
 */

/**
 * What went wrong with a session, as programs should tell it apart. `empty`: it was made, and holds
 * nothing. `incomplete`: it misses its end, since it could not be written any more.
 */
export type SessionErrorCode =
  | "bad_name"
  | "not_found"
  | "empty"
  | "in_use"
  | "newer"
  | "damaged"
  | "incomplete"
  | "unusable";

/** A session can't be opened, read or removed. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;
  /** What the person can do about it; one sentence. */
  readonly hint: string;

  constructor(code: SessionErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}
