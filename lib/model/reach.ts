/**
 * Whether a connection to a model's server can be made.
 *
 * @module
 */

import type { Environment, Network } from "../ports.ts";

/** Variables by which the runtime sends requests through a proxy. Source: measured on Deno 2.8. */
const PROXY_VARIABLES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** Whether requests may go through a proxy, so that a direct connection tells nothing. */
export function mayUseProxy(env: Environment): boolean {
  const names = [...PROXY_VARIABLES, ...PROXY_VARIABLES.map((name) => name.toLowerCase())];
  return names.some((name) => env.get(name));
}

/**
 * Opens a connection to the host of an address, and closes it; one of its IP addresses is enough.
 *
 * @throws {Error} If none can be reached, or the signal is aborted.
 */
export async function reach(
  address: string,
  network: Pick<Network, "resolve" | "connect">,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port, protocol } = new URL(address);
  const ips = await network.resolve(hostname, signal);
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  await Promise.any(ips.map((ip) => network.connect(ip, number, signal)));
}
