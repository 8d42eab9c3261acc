/**
 * What a server tells of the models that it lists.
 *
 * @module
 */

/** A model as a server lists it. */
export interface ServedModel {
  readonly id: string;
  /** Tokens that it takes at once, as far as the server says. */
  readonly window: number | null;
  readonly ownedBy: string | null;
  /** Whether it answers in a chat, as far as its name tells. */
  readonly chats: boolean;
}

/** Models that answer no chat. */
const NOT_CHAT = /embed|rerank|whisper|tts/i;

/**
 * Where servers say how large a window is, the one that holds before the one that could. Source:
 * vLLM and SGLang; llama.cpp; LM Studio's own list; OpenRouter; Kimi, Together and OpenRouter; Groq;
 * Mistral.
 */
const WINDOW_FIELDS: readonly (readonly string[])[] = [
  ["max_model_len"],
  ["meta", "n_ctx"],
  ["loaded_context_length"],
  ["top_provider", "context_length"],
  ["context_length"],
  ["context_window"],
  ["max_context_length"],
];

/** A smaller one is no window. */
const LEAST_WINDOW = 256;

function fieldOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}

function windowOf(entry: unknown): number | null {
  const found = WINDOW_FIELDS.map((path) => fieldOf(entry, path))
    .find((value) => Number.isSafeInteger(value) && Number(value) >= LEAST_WINDOW);
  return found === undefined ? null : Number(found);
}

function servedModel(entry: unknown): ServedModel | null {
  const id = fieldOf(entry, ["id"]);
  if (typeof id !== "string" || id === "") return null;
  const ownedBy = fieldOf(entry, ["owned_by"]);
  return {
    id,
    window: windowOf(entry),
    ownedBy: typeof ownedBy === "string" && ownedBy !== "" ? ownedBy : null,
    chats: !NOT_CHAT.test(id),
  };
}

/**
 * Reads a server's list.
 *
 * @param text The body of `GET /models`.
 * @returns Null if it is no list.
 */
export function servedModels(text: string): ServedModel[] | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const entries = Array.isArray(body) ? body : fieldOf(body, ["data"]);
  if (!Array.isArray(entries)) return null;
  return entries.map(servedModel).filter((model) => model !== null);
}
