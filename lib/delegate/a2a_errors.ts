/**
 * What went wrong with an A2A agent, as a {@linkcode TransportError}.
 *
 * @module
 */

import { A2AError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { clip } from "../results/characters.ts";
import { TransportError } from "./types.ts";

/** Errors of A2A, by their names in the protocol, which mean that the task was not taken. */
const REFUSALS: readonly string[] = [
  "RequestMalformedError",
  "UnsupportedOperationError",
  "ContentTypeNotSupportedError",
  "ExtensionSupportRequiredError",
  "VersionNotSupportedError",
];

/** The SDK wraps errors into errors; how deep the one that matters may be. */
const MAX_CAUSES = 5;

/** Characters of an agent's words in a message. */
const MESSAGE_CHARACTERS = 500;

/** The first error of a kind among an error and its causes. */
function findCause<T>(error: unknown, kind: abstract new (...args: never[]) => T): T | null {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if (at instanceof kind) return at;
    at = at.cause;
  }
  return null;
}

/** Whether an agent says that it does not know the task. */
export function isUnknownTask(error: unknown): boolean {
  return findCause(error, TaskNotFoundError) !== null;
}

/** What may be done again was not lost. */
function repeatable(error: TransportError): TransportError {
  const { code, message, cause } = error;
  if (code !== "unknown_outcome") return error;
  return new TransportError("unreachable", message, { retriable: true, cause });
}

function a2aFailure(error: A2AError, agent: string, mayRepeat: boolean): TransportError {
  const words = clip(error.message, MESSAGE_CHARACTERS);
  const said = `${agent} says: ${words}`;
  const name = error.name.replace(/^JsonRpc|^Rest/, "");
  if (isUnknownTask(error)) {
    return new TransportError("lost", said, { retriable: mayRepeat, cause: error });
  }
  if (REFUSALS.includes(name)) {
    return new TransportError("refused", said, { retriable: false, cause: error });
  }
  const code = mayRepeat ? "bad_result" : "unknown_outcome";
  return new TransportError(code, said, { retriable: mayRepeat, cause: error });
}

/**
 * What an error of the SDK means.
 *
 * @param agent The agent's name, for the message.
 * @param mayRepeat Whether what failed may be done twice.
 */
export function transportErrorOf(
  error: unknown,
  agent: string,
  mayRepeat: boolean,
): TransportError {
  const own = findCause(error, TransportError);
  if (own) return mayRepeat ? repeatable(own) : own;
  const said = findCause(error, A2AError);
  if (said) return a2aFailure(said, agent, mayRepeat);
  const words = error instanceof Error ? error.message : String(error);
  const message = `${agent} answered with what is not A2A: ${clip(words, MESSAGE_CHARACTERS)}`;
  return new TransportError("bad_result", message, { retriable: false, cause: error });
}
