/**
 * `http_request`: one request to a server.
 *
 * @module
 */

import type { HttpResponse, Ports } from "../lib/ports.ts";
import type { JsonObject, ObservationError, Tool, ToolContext, ToolOutcome } from "../lib/types.ts";
import { hostOf, type HttpRequestArgs, methodOf, prepareRequest } from "./http/request.ts";

export type { HttpRequestArgs } from "./http/request.ts";

/** Headers that say much to browsers and little to anyone else. */
const DULL_HEADERS =
  /^(set-cookie2?|content-security-policy.*|permissions-policy|report-to|reporting-endpoints|nel|p3p|alt-svc|accept-ch|expect-ct|vary|x-xss-protection|x-content-type-options|x-frame-options|cross-origin-.*|referrer-policy|connection|keep-alive|transfer-encoding|feature-policy|access-control-.*)$/;

/** Headers shown at the most, and characters of each. */
const SHOWN_HEADERS = 25;
const HEADER_CHARS = 200;

/** Characters of a body that an error quotes. */
const QUOTED_CHARS = 400;

/** Characters of a request's body that the person sees. */
const PREVIEW_CHARS = 4000;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Statuses of which the same request may get rid by itself. Source: the design. */
function isRetriable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function shownHeaders(headers: HttpResponse["headers"]): JsonObject {
  const shown = Object.entries(headers).filter(([name]) => !DULL_HEADERS.test(name));
  return Object.fromEntries(
    shown.slice(0, SHOWN_HEADERS).map(([name, value]) => [name, value.slice(0, HEADER_CHARS)]),
  );
}

function statusLine(response: HttpResponse): string {
  return `${response.status} ${response.statusText}`.trim();
}

/** An answer that says "later". */
function busy(request: string, response: HttpResponse, text: string): ToolOutcome {
  const after = response.headers["retry-after"];
  const quoted = text.replace(/\s+/g, " ").trim().slice(0, QUOTED_CHARS);
  const error: ObservationError = {
    code: `http_${response.status}`,
    message: `${request} was answered ${statusLine(response)}${quoted === "" ? "" : `: ${quoted}`}`,
    hint: after === undefined
      ? "The server can't do it now; it may later."
      : `The server asks to wait: Retry-After ${after}.`,
    retriable: true,
  };
  return { ok: false, error };
}

async function answered(
  request: string,
  response: HttpResponse,
  urls: readonly URL[],
): Promise<ToolOutcome> {
  const { MAX_BODY_BYTES, readable, receive } = await import("./http/body.ts");
  const { bytes, complete } = await receive(response);
  const body = await readable(bytes, response.headers["content-type"] ?? "");
  if (isRetriable(response.status)) return busy(request, response, body.text);
  const incomplete = bytes.length >= MAX_BODY_BYTES
    ? `Only the first ${bytes.length} bytes were read.`
    : `The body broke off after ${bytes.length} bytes.`;
  const notes = [...(body.note === null ? [] : [body.note]), ...(complete ? [] : [incomplete])];
  return {
    ok: true,
    data: {
      status: response.status,
      ...(urls.length === 1 ? {} : { redirected: urls.slice(1).map(({ href }) => href) }),
      headers: shownHeaders(response.headers),
      body_kind: body.kind,
      body: body.text,
      ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    },
    summary: `${statusLine(response)}, ${bytes.length} bytes`,
  };
}

async function run(
  ports: Pick<Ports, "network" | "env">,
  args: HttpRequestArgs,
  context: ToolContext,
): Promise<ToolOutcome> {
  const prepared = prepareRequest(args, ports.env.get("OPENAI_API_KEY"));
  if (!prepared.ok) {
    const message = `Not sent: ${prepared.fault}`;
    const hint = "Correct the request.";
    return { ok: false, error: { code: "invalid_request", message, hint, retriable: false } };
  }
  const { exchange } = await import("./http/exchange.ts");
  const named = args.address === undefined ? [] : [args.address];
  const result = await exchange(ports.network, prepared.outgoing, named, context);
  if (!result.ok) return result;
  return await answered(`${methodOf(args)} ${args.url}`, result.response, result.urls);
}

/** The request as the person sees it; nothing is resolved, since a name can carry a message. */
function preview(args: HttpRequestArgs): string {
  const headers = Object.entries(args.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const body = args.json === undefined ? args.body : JSON.stringify(args.json, null, 2);
  const more = (body?.length ?? 0) - PREVIEW_CHARS;
  const shown = body === undefined ? [] : ["", body.slice(0, PREVIEW_CHARS)];
  const rest = more > 0 ? [`… ${more} more characters …`] : [];
  return [`${methodOf(args)} ${args.url}`, ...headers, ...shown, ...rest].join("\n");
}

const PARAMETERS: Tool["parameters"] = {
  type: "object",
  properties: {
    url: { type: "string", pattern: "^https?://", maxLength: 4096, description: "http(s) URL." },
    method: { type: "string", enum: METHODS, description: "GET if left out." },
    headers: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Request headers by name.",
    },
    json: {
      anyOf: [{ type: "object" }, { type: "array" }],
      description: "Body, sent as application/json.",
    },
    body: { type: "string", maxLength: 1_000_000, description: "Body as text, instead of json." },
    address: {
      type: "string",
      maxLength: 64,
      description: "IP address of the host, only where an error asks for it.",
    },
    timeout_ms: {
      type: "integer",
      minimum: 100,
      maximum: 600_000,
      description: "30000 if left out.",
    },
  },
  required: ["url"],
  additionalProperties: false,
};

/** Builds the tool. */
export function createHttpRequest(ports: Pick<Ports, "network" | "env">): Tool<HttpRequestArgs> {
  return {
    name: "http_request",
    description: "Send one HTTP request; get status, headers and body, JSON and HTML made short. " +
      "For APIs and health checks; to wait until a service answers use wait_for.",
    parameters: PARAMETERS,
    effect: "network",
    timeoutMs: 30_000,
    limits: { body: { head: 4500, tail: 1500 } },
    subjects: (args) => {
      const access = /^(GET|HEAD|OPTIONS)$/.test(methodOf(args)) ? "read" : "write";
      const hosts = [hostOf(args.url), ...(args.address === undefined ? [] : [args.address])];
      return hosts.map((host) => ({ kind: "host", host, access }));
    },
    brief: (args) => `${methodOf(args)} ${args.url}`,
    idempotent: (args) => !/^(POST|PATCH)$/.test(methodOf(args)),
    preview: (args) => Promise.resolve(preview(args)),
    run: (args, context) => run(ports, args, context),
  };
}
