/**
 * Writing down requests and responses as they go over the wire.
 *
 * @module
 */

import type { Fetch } from "../ports.ts";
import { redactArguments } from "../session/redact_event.ts";
import type { Json, JsonObject } from "../types.ts";
import type { DebugLog } from "./debug_log.ts";

/** Bytes of the deltas of one response that are kept. */
const MAX_DELTA_BYTES = 16 * 1024 * 1024;

/** Headers whose values are nobody's business. */
const SECRET_HEADERS: readonly string[] = [
  ...["authorization", "proxy-authorization", "cookie", "set-cookie", "api-key", "x-api-key"],
];

/** The end of a stream. */
const LAST_EVENT = /^data: ?\[DONE\]/m;

const WITHHELD = "deltas withheld: together they hold a secret";

/** A text as JSON, if it is that. */
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function headersOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? "[redacted]" : value,
    ]),
  );
}

function bodyOf(body: BodyInit | null | undefined): Json {
  return typeof body === "string" ? jsonOf(body) : null;
}

/** A piece of a response, and when it came. */
interface Delta {
  readonly came_ms: number;
  readonly text: string;
}

/** The pieces of one response. They are written at its end: a secret may be parted by two of them. */
class Deltas {
  readonly #log: DebugLog;
  readonly #request: number;
  readonly #decoder = new TextDecoder();
  readonly #deltas: Delta[] = [];
  #bytes = 0;
  #kept = 0;

  constructor(log: DebugLog, request: number) {
    this.#log = log;
    this.#request = request;
  }

  push(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#kept + bytes.length > MAX_DELTA_BYTES) return;
    this.#kept += bytes.length;
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#deltas.push({ came_ms: this.#log.elapsedMs(), text });
  }

  end(error: string | null): void {
    const raw = this.#deltas.map(({ text }) => text).join("");
    const holdsSecret = holdsSecretOf(raw, this.#log);
    for (const delta of holdsSecret ? [] : this.#deltas) {
      this.#log.write({ type: "delta", request: this.#request, ...delta });
    }
    const cut = this.#kept < this.#bytes ? `only the first ${this.#kept} bytes are here` : null;
    // What follows the last event is given up, and tells nothing.
    const broken = LAST_EVENT.test(raw) ? null : error;
    const note = holdsSecret ? WITHHELD : broken ?? cut;
    this.#log.write({ type: "response_ended", request: this.#request, bytes: this.#bytes, note });
  }
}

/** Texts of a stream's chunks, joined by the field that they stand in. */
function joinedTexts(raw: string): string[] {
  const texts = new Map<string, string>();
  const collect = (value: Json, path: string): void => {
    if (typeof value === "string") texts.set(path, (texts.get(path) ?? "") + value);
    else if (typeof value === "object" && value !== null) {
      for (const [name, field] of Object.entries(value)) collect(field, `${path}/${name}`);
    }
  };
  for (const line of raw.split("\n")) {
    if (line.startsWith("data:")) collect(jsonOf(line.slice(5).trim()), "");
  }
  return [...texts.values()];
}

/** Whether joined pieces hold a secret, as they are or put together by what they mean. */
function holdsSecretOf(raw: string, log: DebugLog): boolean {
  const redact = (data: JsonObject) => log.redact(data);
  return [raw, ...joinedTexts(raw)].some((text) =>
    log.redact({ text })["text"] !== text || redactArguments(text, redact) !== text
  );
}

/** The same response, whose pieces are written down while someone else reads them. */
function tapped(response: Response, deltas: Deltas): Response {
  if (response.body === null) {
    deltas.end(null);
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          deltas.end(null);
          controller.close();
          return;
        }
        deltas.push(value);
        controller.enqueue(value);
      } catch (error) {
        deltas.end(error instanceof Error ? error.message : String(error));
        controller.error(error);
      }
    },
    async cancel(reason) {
      deltas.end("given up by rein");
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/**
 * A `fetch` whose requests and responses are written down.
 *
 * @param ask The number of the question that a request belongs to.
 */
export function debugFetch(original: Fetch, log: DebugLog, ask: () => number | null): Fetch {
  let requests = 0;
  return async (input, init) => {
    const request = ++requests;
    const { method, url, headers } = new Request(input, { ...init, body: null, signal: null });
    const body = bodyOf(init?.body);
    const head = { method: init?.method ?? method, url, headers: headersOf(headers), body };
    log.write({ type: "request", ask: ask(), request, ...head });
    let response: Response;
    try {
      response = await original(input, init);
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      log.write({ type: "response_ended", request, bytes: 0, note });
      throw error;
    }
    const { status } = response;
    log.write({ type: "response", request, status, headers: headersOf(response.headers) });
    return tapped(response, new Deltas(log, request));
  };
}
