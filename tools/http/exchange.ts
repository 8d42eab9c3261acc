/**
 * A request and its answer, over redirects, each of them judged.
 *
 * @module
 */

import { type HttpResponse, type Network, NetworkError } from "../../lib/ports.ts";
import type { ObservationError, ToolContext } from "../../lib/types.ts";
import { type Admission, admitNamed, admitRedirect, networkFailure } from "./admit.ts";

/** Redirects followed at the most. */
const MAX_REDIRECTS = 5;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Headers that may go to another host than the one that they were meant for. */
const HARMLESS_HEADERS: readonly string[] = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "user-agent",
];

/** A request as it is sent. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The last answer and the way to it. */
export type Exchange =
  | {
    readonly ok: true;
    readonly response: HttpResponse;
    /** Every address that was asked, the last one included. */
    readonly urls: readonly URL[];
  }
  | { readonly ok: false; readonly error: ObservationError };

function refused(code: string, message: string, hint: string): Exchange {
  return { ok: false, error: { code, message, hint, retriable: false } };
}

/** Tries the addresses of a host in turn; only a connection that failed leads to the next. */
async function send(
  network: Network,
  outgoing: Outgoing,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<HttpResponse> {
  let last: unknown;
  for (const address of addresses) {
    try {
      return await network.request({ ...outgoing, address }, signal);
    } catch (error) {
      const again = error instanceof NetworkError && /^(refused|unreachable)$/.test(error.code);
      if (!again) throw error;
      last = error;
    }
  }
  throw last;
}

/** Where an answer redirects to; null if it does not. */
function targetOf(response: HttpResponse, from: URL): URL | null {
  const location = response.headers["location"];
  if (!REDIRECTS.includes(response.status) || location === undefined) return null;
  const url = URL.parse(location, from);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** The request that follows a redirect. Source: RFC 9110, section 15.4, as browsers do it. */
function redirected(outgoing: Outgoing, url: URL, status: number): Outgoing {
  const toGet = status === 303
    ? outgoing.method !== "HEAD"
    : outgoing.method === "POST" && status < 307;
  const same = url.host === outgoing.url.host && url.protocol === outgoing.url.protocol;
  const kept = Object.entries(outgoing.headers)
    .filter(([name]) => same || HARMLESS_HEADERS.includes(name))
    .filter(([name]) => !toGet || name !== "content-type");
  return {
    url,
    method: toGet ? "GET" : outgoing.method,
    headers: Object.fromEntries(kept),
    body: toGet ? null : outgoing.body,
  };
}

/** The same host was judged already; another one may be asked for something, but not changed. */
async function admitNext(
  network: Network,
  next: Outgoing,
  from: { readonly url: URL; readonly admission: Admission & { ok: true } },
  context: ToolContext,
): Promise<Admission> {
  const { hostname, href } = next.url;
  if (hostname === from.url.hostname) return from.admission;
  if (/^(GET|HEAD|OPTIONS)$/.test(next.method)) {
    return await admitRedirect(network, hostname, from.admission.reach, context);
  }
  const message = `The answer redirects a ${next.method} to ${href}`;
  const hint = "Request that address itself, so that it is judged.";
  return { ok: false, error: { code: "redirect", message, hint, retriable: false } };
}

/**
 * Sends a request and follows redirects. Every host is resolved, judged and
 * connected to by the address that was judged.
 *
 * @param named Addresses that the call named beside the host.
 */
export async function exchange(
  network: Network,
  first: Outgoing,
  named: readonly string[],
  context: ToolContext,
): Promise<Exchange> {
  let outgoing = first;
  let admission = await admitNamed(network, first.url.hostname, named, context.signal);
  const urls = [first.url];
  try {
    while (admission.ok) {
      const { url } = outgoing;
      const response = await send(network, outgoing, admission.addresses, context.signal);
      const next = targetOf(response, url);
      if (next === null) return { ok: true, response, urls };
      response.close();
      if (urls.length > MAX_REDIRECTS) {
        const message = `More than ${MAX_REDIRECTS} redirects, the last one to ${next.href}`;
        return refused("redirects", message, "Request the address that is wanted itself.");
      }
      outgoing = redirected(outgoing, next, response.status);
      admission = await admitNext(network, outgoing, { url, admission }, context);
      urls.push(next);
    }
    return admission;
  } catch (error) {
    context.signal.throwIfAborted();
    return { ok: false, error: networkFailure(error) };
  }
}
