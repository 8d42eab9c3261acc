/**
 * The token of an agent, which stands in an environment variable and nowhere else.
 *
 * @module
 */

import { type Agent, TransportError } from "./types.ts";

/** Looks up an environment variable, in whatever holds those that count here. */
export type VariableLookup = (name: string) => string | undefined;

/**
 * The token, as it may be sent.
 *
 * @returns Null where the agent needs none.
 * @throws {TransportError} `unauthorized`, if the variable is not set, or holds what no token can be.
 */
export function tokenOf(
  { name, tokenVariable }: Pick<Agent, "name" | "tokenVariable">,
  variable: VariableLookup,
): string | null {
  if (tokenVariable === null) return null;
  const token = variable(tokenVariable)?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const message = token === ""
    ? `Agent "${name}" needs a token, and the variable ${tokenVariable} is not set`
    : `The variable ${tokenVariable} holds characters that no token can have`;
  throw new TransportError("unauthorized", message, { retriable: false });
}
