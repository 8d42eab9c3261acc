/**
 * Which addresses a request may go to, after the name was resolved.
 *
 * @module
 */

import { type Network, NetworkError } from "../../lib/ports.ts";
import type { ObservationError, ToolContext } from "../../lib/types.ts";
import { isMetadataHost, isPlainlyInternal, plainHost, reachOf } from "./addresses.ts";

/** The addresses to try in order, or why there are none. */
export type Admission =
  | {
    readonly ok: true;
    readonly addresses: readonly string[];
    readonly reach: "public" | "private";
  }
  | { readonly ok: false; readonly error: ObservationError };

function refused(code: string, message: string, hint: string): Admission {
  return { ok: false, error: { code, message, hint, retriable: false } };
}

function metadata(host: string): Admission {
  const message = `"${host}" is where a cloud keeps this machine's credentials`;
  return refused("metadata", message, "It is never reached; ask the person for what you need.");
}

/** A failure of the network as an error; the connection may work the next time. */
export function networkFailure(error: unknown): ObservationError {
  if (!(error instanceof NetworkError)) throw error;
  const { code, message } = error;
  const lasting = code === "no_permission" || code === "tls";
  const hint = lasting
    ? "Say so; the same request will fail again."
    : "Check the name, the port and whether the service runs.";
  return { code: `network_${code}`, message, hint, retriable: !lasting };
}

/**
 * Resolves a host that a call named, which the policy has judged by its name.
 * A name that looks public but leads into a private network was judged as what
 * it looks like: then the call has to name the address, too.
 *
 * @param named Addresses that the call named beside the host, judged like it.
 */
export async function admitNamed(
  network: Network,
  host: string,
  named: readonly string[],
  signal: AbortSignal,
): Promise<Admission> {
  const found = await resolved(network, host, signal);
  if (!found.ok || found.reach === "public") return found;
  if (isPlainlyInternal(host)) return found;
  const plain = named.map(plainHost);
  const meant = found.addresses.filter((address) => plain.includes(address));
  if (meant.length > 0) return { ...found, addresses: meant };
  const address = found.addresses.join(", ");
  const message = `"${host}" leads to ${address}, which is not on the internet`;
  const hint = `If that is meant, send it again with address "${found.addresses[0]}", so that ` +
    "the policy judges it.";
  return refused("private_address", message, hint);
}

/**
 * Resolves a host that an answer redirects to.
 *
 * @param from What kind of place the answer came from.
 */
export async function admitRedirect(
  network: Network,
  host: string,
  from: "public" | "private",
  context: ToolContext,
): Promise<Admission> {
  if (!await context.mayReach(plainHost(host))) {
    const message = `The answer redirects to "${host}", which the policy does not allow unasked`;
    return refused("redirect", message, "Request that address itself, so that it is judged.");
  }
  const found = await resolved(network, host, context.signal);
  if (!found.ok || found.reach === "public" || from === "private") return found;
  const message = `A public address redirects to "${host}", which is not on the internet`;
  return refused("private_redirect", message, "Request that address itself if it is meant.");
}

/** All addresses of a host; it is private if one of them is. */
async function resolved(network: Network, host: string, signal: AbortSignal): Promise<Admission> {
  if (isMetadataHost(host)) return metadata(host);
  let addresses;
  try {
    addresses = await network.resolve(host, signal);
  } catch (error) {
    return { ok: false, error: networkFailure(error) };
  }
  const reaches = addresses.map(reachOf);
  if (reaches.includes("metadata")) return metadata(host);
  return { ok: true, addresses, reach: reaches.includes("private") ? "private" : "public" };
}
