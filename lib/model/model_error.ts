/**
 * What went wrong with a model's server, in words that say what to do.
 *
 * @module
 */

import { APIConnectionError, APIError } from "openai";
import { clip } from "../results/characters.ts";
import { ModelError, type ModelErrorCode } from "../types.ts";
import { contextLengthRefusal } from "./context_length.ts";
import { tellingWords } from "./error_body.ts";
import type { ServerSettings } from "./openai.ts";

/** What to do about a request that does not fit. */
const CONTEXT_LENGTH_HINT =
  "Set the size of the model's window with --context-window TOKENS, or raise it on the server.";

/** What to do, by kind of failure. */
function hintOf(code: ModelErrorCode, settings: ServerSettings): string {
  switch (code) {
    case "unreachable":
      return "Start the server, or set another one with --base-url or OPENAI_BASE_URL.";
    case "unauthorized":
      return settings.apiKey === null
        ? "Set OPENAI_API_KEY, or pass --env-file FILE with it."
        : "Check OPENAI_API_KEY: the server does not accept this key.";
    case "not_found":
      return `Check the model's name, "${settings.model}", and that the address ends as the ` +
        "server wants it, usually in /v1.";
    case "rate_limited":
      return "Wait and try again, or check the account's quota.";
    case "server_error":
      return "Try again; if it stays, look at the server's log.";
    default:
      return "Check the model and the address.";
  }
}

function codeOf(status: number): ModelErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404) return "not_found";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "server_error" : "rejected";
}

/** What is repeated of others' words, in characters. */
const WORDS_CHARS = 200;

/** A shorter key is a placeholder, such as `ollama`, in characters. */
const LEAST_KEY_CHARS = 8;

/** Some servers repeat the key that they refuse; the runtime repeats one that it can't send. */
export function withoutKey(text: string, { apiKey }: Pick<ServerSettings, "apiKey">): string {
  const secret = apiKey !== null && apiKey.length >= LEAST_KEY_CHARS;
  return secret ? text.replaceAll(apiKey, "[key]") : text;
}

/** The innermost message: the runtime wraps what the system said. */
function rootMessage(error: unknown, settings: ServerSettings): string {
  let current: unknown = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  const message = current instanceof Error ? current.message : String(current);
  const told = withoutKey(message, settings).replace(/^.*?client error \(\w+\): /s, "").replace(
    /^.*?: tcp connect/s,
    "tcp connect",
  );
  return clip(told.replace(/\s+/g, " ").trim(), WORDS_CHARS);
}

/** The server's own words, in one short line. */
function serverWords(error: APIError, settings: ServerSettings): string {
  const words = withoutKey(error.message, settings).replace(/^\d+ /, "").replace(/<[^>]*>/g, " ");
  return clip(words.replace(/\s+/g, " ").trim(), WORDS_CHARS);
}

/** Statuses that are about the account, whatever their words say of tokens. */
const ACCOUNT_STATUSES: readonly number[] = [401, 402, 403, 429];

/**
 * What a server refused: `context_length` if its words say that the request is too long for the
 * model, and what `otherwise` says if not.
 *
 * @param message For people.
 * @param said What the server said of it, as text.
 */
export function refusalFrom(
  message: string,
  said: string,
  otherwise: { code: ModelErrorCode; hint: string; status?: number; cause?: unknown },
): ModelError {
  const { code, hint, ...facts } = otherwise;
  const isAccount = ACCOUNT_STATUSES.includes(facts.status ?? 0);
  const refusal = isAccount ? null : contextLengthRefusal(said);
  if (refusal === null) return new ModelError(code, message, { hint, ...facts });
  const { window } = refusal;
  return new ModelError("context_length", message, { hint: CONTEXT_LENGTH_HINT, window, ...facts });
}

/**
 * Turns what the SDK threw into a {@linkcode ModelError}.
 *
 * @param error Anything.
 * @param settings Where the request went.
 */
export function modelErrorFrom(error: unknown, settings: ServerSettings): ModelError {
  if (error instanceof ModelError) return error;
  const place = `The model server at ${settings.baseUrl}`;
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const status = error.status;
    const code = status === undefined ? "rejected" : codeOf(status);
    const said = status === undefined ? "sent an error" : `answered ${status}`;
    const message = `${place} ${said}: ${serverWords(error, settings)}`;
    return refusalFrom(message, `${error.message}\n${tellingWords(error.error)}`, {
      code,
      hint: hintOf(code, settings),
      cause: error,
      ...(status === undefined ? {} : { status }),
    });
  }
  if (error instanceof SyntaxError) {
    return new ModelError("bad_response", `${place} sent a stream that is not valid JSON`, {
      hint: hintOf("bad_response", settings),
      cause: error,
    });
  }
  return new ModelError(
    "unreachable",
    `${place} can't be reached: ${rootMessage(error, settings)}`,
    {
      hint: hintOf("unreachable", settings),
      cause: error,
    },
  );
}
