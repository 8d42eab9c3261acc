/**
 * A call's request, checked before anything is sent.
 *
 * @module
 */

import type { Json } from "../../lib/types.ts";
import type { Outgoing } from "./exchange.ts";

/** What the model may ask for. */
export interface HttpRequestArgs {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly body?: string;
  readonly address?: string;
  readonly timeout_ms?: number;
}

/** Headers that the connection sets. */
const RESERVED: readonly string[] = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "te",
];

/** The method of a request, `GET` where none is named. */
export function methodOf(args: HttpRequestArgs): string {
  return args.method ?? "GET";
}

/** The host of a URL as the policy judges it: canonical, without brackets; the text if it has none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "") ?? url;
}

/** The host and the port of `host:port`. */
export function portOf(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(":");
  const host = text.slice(0, at).replace(/^\[|\]$/g, "").toLowerCase();
  // As a URL has it, so that the policy sees an address in one form only.
  const canonical = URL.parse(`http://${host.includes(":") ? `[${host}]` : host}/`)?.hostname;
  return { host: (canonical ?? host).replace(/^\[|\]$/g, ""), port: Number(text.slice(at + 1)) };
}

/** The body and its type. */
function contentOf(args: HttpRequestArgs): { body: string | null; type: string | null } {
  if (args.json !== undefined) return { body: JSON.stringify(args.json), type: "application/json" };
  if (args.body !== undefined) return { body: args.body, type: "text/plain; charset=utf-8" };
  return { body: null, type: null };
}

function headerFault(headers: Readonly<Record<string, string>>): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `"${name}" is no name of a header`;
    if (RESERVED.includes(name.toLowerCase())) return `header "${name}" is set by the connection`;
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      return `the value of header "${name}" can't be sent`;
    }
  }
  return null;
}

/** Whether a text that only rein may send stands anywhere in a request. */
function holds(args: HttpRequestArgs, secret: string | undefined): boolean {
  if (secret === undefined || secret === "") return false;
  const { body } = contentOf(args);
  return [
    args.url,
    decodeURIComponentSafely(args.url),
    body ?? "",
    ...Object.values(args.headers ?? {}),
  ]
    .some((text) => text.includes(secret));
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The request, or what is wrong with it. */
export type Prepared =
  | { readonly ok: true; readonly outgoing: Outgoing }
  | { readonly ok: false; readonly fault: string };

/**
 * Makes the request of a call.
 *
 * @param ownKey rein's own key, which it never sends for a model.
 */
export function prepareRequest(args: HttpRequestArgs, ownKey: string | undefined): Prepared {
  const url = URL.parse(args.url);
  const method = methodOf(args);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { ok: false, fault: `"${args.url}" is not an http address` };
  }
  if (url.username !== "" || url.password !== "") {
    return { ok: false, fault: "the URL holds credentials; send them in a header" };
  }
  const given = args.headers ?? {};
  const fault = headerFault(given);
  if (fault !== null) return { ok: false, fault };
  if (holds(args, ownKey)) return { ok: false, fault: "it would send the key of rein itself" };
  if (args.json !== undefined && args.body !== undefined) {
    return { ok: false, fault: "json and body exclude each other" };
  }
  const { body, type } = contentOf(args);
  if (body !== null && (method === "GET" || method === "HEAD")) {
    return { ok: false, fault: `${method} takes no body` };
  }
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = {
    "user-agent": "rein",
    accept: "*/*",
    "accept-encoding": "gzip",
    ...(type === null ? {} : { "content-type": type }),
    ...Object.fromEntries(lower),
  };
  return { ok: true, outgoing: { url, method, headers, body } };
}
