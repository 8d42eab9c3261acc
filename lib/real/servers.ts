/**
 * Servers of HTTP, by the runtime's own.
 *
 * @module
 */

import { type HttpHandler, type HttpServers, type ListenAddress, NetworkError } from "../ports.ts";

/** An address as people write it. */
function named({ hostname, port }: ListenAddress): string {
  return hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
}

function listenError(address: ListenAddress, error: unknown): NetworkError {
  const at = named(address);
  if (error instanceof Deno.errors.AddrInUse) {
    return new NetworkError("in_use", `Something else listens on ${at} already`, error);
  }
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return new NetworkError("no_permission", `No permission to listen on ${at}`, error);
  }
  return new NetworkError("unreachable", `${at} is no address of this machine`, error);
}

function handlerOf(handle: HttpHandler): Deno.ServeHandler<Deno.NetAddr> {
  return (request, { remoteAddr }) => handle(request, { address: remoteAddr.hostname });
}

/** The servers of this machine. */
export const realServers: HttpServers = {
  listen: (address, handle, signal) => {
    const cut = new AbortController();
    const options = { ...address, onListen: () => {}, onError: internalError };
    try {
      const server = Deno.serve({ ...options, signal: cut.signal }, handlerOf(handle));
      // The runtime throws where a server that has ended is aborted.
      const onAbort = () => cut.abort();
      void server.finished.finally(() => signal.removeEventListener("abort", onAbort));
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      const { hostname, port } = server.addr;
      return Promise.resolve({
        address: { hostname, port },
        drain: () => server.shutdown().catch(() => {}),
      });
    } catch (error) {
      return Promise.reject(listenError(address, error));
    }
  },
};

function internalError(): Response {
  return new Response(null, { status: 500 });
}
