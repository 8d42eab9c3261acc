/**
 * How MCP servers fail.
 *
 * @module
 */

/**
 * `down`: there is no connection; `refused`: the server answered with an error; `lost`: the
 * connection ended in mid-call.
 */
export type McpErrorCode = "down" | "lost" | "refused";

/** A server could not be used; the message begins in mid-sentence, behind the server's name. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
