/**
 * Texts as vectors, by the `/embeddings` of an OpenAI-compatible server.
 *
 * @module
 */

import { startDeadline } from "../calls/deadline.ts";
import type { Clock, Fetch } from "../ports.ts";

/** Turns texts into vectors: what means the same has nearly the same direction. */
export interface Embedder {
  /** The model's name. Vectors of different models can't be compared. */
  readonly model: string;
  /**
   * The vectors of some texts, in their order, each of length 1.
   *
   * @throws {EmbeddingError} If the server fails or answers nonsense.
   * @throws The signal's reason, once it is aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** There are no vectors to be had. */
export class EmbeddingError extends Error {
  override readonly name = "EmbeddingError";
}

/** Where and how to ask. */
export interface EmbeddingSettings {
  /** Address up to and with the version: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Null: no `Authorization` header is sent. */
  readonly apiKey: string | null;
  readonly model: string;
}

/** Texts of one request. Source: the smallest bound of common servers. */
export const BATCH_TEXTS = 64;

/** Characters of a text that count; models of this kind read about 500 tokens and more. */
const TEXT_CHARS = 4000;

/** Time for one request, in milliseconds. */
const REQUEST_MS = 10_000;

/** Numbers that a vector has at the most; the largest models have 4,096. */
const MAX_DIMENSIONS = 16_384;

/** A vector of length 1, or null if it has no direction. */
function unitVector(value: unknown): Float32Array | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS) return null;
  if (!value.every((number) => typeof number === "number")) return null;
  const length = Math.sqrt(value.reduce((sum, number) => sum + number * number, 0));
  return length > 0 && Number.isFinite(length) ? Float32Array.from(value, (n) => n / length) : null;
}

/** The vectors of an answer by their `index`; null if it does not fit what was asked. */
function vectorsOf(body: unknown, count: number): readonly Float32Array[] | null {
  const data = (body as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors = new Array<Float32Array | null>(count).fill(null);
  for (const [at, entry] of data.entries()) {
    const index = typeof entry?.index === "number" ? entry.index : at;
    if (index in vectors) vectors[index] = unitVector(entry?.embedding);
  }
  const size = vectors[0]?.length;
  const whole = vectors.filter((vector) => vector !== null && vector.length === size);
  return whole.length === count ? whole as Float32Array[] : null;
}

/** One request, without words of what failed: the server's may repeat the key. */
async function request(
  texts: readonly string[],
  { baseUrl, apiKey, model }: EmbeddingSettings,
  send: Fetch,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const response = await send(`${baseUrl.replace(/\/$/, "")}/embeddings`, {
    method: "POST",
    signal,
    // A redirect would take the texts to a host that nobody set.
    redirect: "error",
    headers: {
      "content-type": "application/json",
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new EmbeddingError(`it answered ${response.status}`);
  }
  const body: unknown = await response.json();
  const vectors = vectorsOf(body, texts.length);
  if (vectors === null) throw new EmbeddingError("it answered something else than vectors");
  return vectors;
}

function reasonOf(error: unknown, expired: boolean): string {
  if (expired) return `it did not answer within ${REQUEST_MS / 1000} s`;
  if (error instanceof EmbeddingError) return error.message;
  return error instanceof SyntaxError ? "its answer is not JSON" : "it can't be reached";
}

/** Builds an embedder. Texts count with their first 4,000 characters. */
export function createEmbedder(
  settings: EmbeddingSettings,
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
): Embedder {
  const { baseUrl, model } = settings;
  const embedBatch = async (texts: readonly string[], signal: AbortSignal) => {
    const deadline = startDeadline(clock, REQUEST_MS, signal);
    try {
      return await request(texts, settings, fetch, deadline.signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error, deadline.expired());
      const message = `${baseUrl} gave no embeddings of ${model}: ${reason}`;
      throw new EmbeddingError(message, { cause: error });
    } finally {
      deadline.clear();
    }
  };
  return {
    model,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
        // Servers refuse an empty text.
        const batch = texts.slice(at, at + BATCH_TEXTS)
          .map((text) => text.slice(0, TEXT_CHARS).toWellFormed().trim() || "-");
        vectors.push(...await embedBatch(batch, signal));
      }
      return vectors;
    },
  };
}
