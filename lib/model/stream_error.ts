/**
 * What can be wrong with a server's answer, before it is put into words.
 *
 * @module
 */

/** What is wrong. */
export type StreamFault =
  /** The server says that it failed; `error` is what it says, in whatever shape. */
  | { readonly kind: "said"; readonly where: "stream" | "body"; readonly error: unknown }
  /** An event that is no JSON, or not of a chat completion. */
  | { readonly kind: "not_understood"; readonly text: string }
  /** Something that is no stream, such as a page. */
  | { readonly kind: "not_a_stream"; readonly text: string }
  /** It ended before the turn did. */
  | { readonly kind: "cut" }
  | { readonly kind: "too_long" };

/** A server's answer that does not come to a turn. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly fault: StreamFault;

  constructor(fault: StreamFault, cause?: unknown) {
    super(`The answer can't be used: ${fault.kind}`, { cause });
    this.fault = fault;
  }
}
