/**
 * Errors as servers wrap them, in the one wrapping that the SDK understands. What stands in another
 * one, the SDK drops, and with it why the server refused.
 *
 * @module
 */

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error of a parsed body, null where it is wrapped as it should be or is none. */
function unwrapped(body: unknown): unknown {
  const inner: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(inner)) return null;
  if (inner.error) return inner === body ? null : inner.error;
  return typeof inner.message === "string" ? inner : { message: detailOf(inner) };
}

/** What FastAPI says, without the request that it repeats; the whole body of others. */
function detailOf(body: Readonly<Record<string, unknown>>): string {
  const { detail } = body;
  if (typeof detail === "string") return detail;
  if (!Array.isArray(detail)) return JSON.stringify(body);
  return detail.map((one) => isRecord(one) && "msg" in one ? one.msg : one).map(String).join("; ");
}

/** What tells errors apart; other fields may repeat the request, which may hold any words. */
const TELLING_FIELDS: readonly string[] = ["message", "code", "type", "n_ctx", "metadata"];

/**
 * What a server says of an error, as text to look for words in.
 *
 * @param error The value of `error` in a server's body, of whatever shape.
 */
export function tellingWords(error: unknown): string {
  if (!isRecord(error)) return typeof error === "string" ? error : "";
  return JSON.stringify(
    Object.fromEntries(Object.entries(error).filter(([field]) => TELLING_FIELDS.includes(field))),
  );
}

/** What a server says of an error, for people: its message, or all of it as JSON. */
export function messageIn(error: unknown): string {
  if (typeof error === "string") return error;
  if (isRecord(error)) {
    const { message, metadata } = error;
    if (typeof message === "string" && message !== "") return `${message}${upstream(metadata)}`;
  }
  return JSON.stringify(error);
}

/** What the server behind a gateway said. Source: OpenRouter's manual. */
function upstream(metadata: unknown): string {
  const raw = isRecord(metadata) ? metadata["raw"] : undefined;
  return typeof raw === "string" && raw !== "" ? `: ${raw}` : "";
}

/**
 * Wraps an error response as `{"error": …}`: vLLM and SGLang send the error itself, FastAPI a
 * `detail`, Gemini a list.
 *
 * @returns The same response if it is no error, is no JSON, or is wrapped that way already.
 */
export async function withErrorBody(response: Response): Promise<Response> {
  if (response.ok || response.body === null) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(rewrapped(text), { status, statusText, headers });
}

function rewrapped(text: string): string {
  try {
    const error = unwrapped(JSON.parse(text));
    return error === null ? text : JSON.stringify({ error });
  } catch {
    return text;
  }
}
