/**
 * Real connections, each to an address that was chosen before: a name that
 * means another address by now leads nowhere.
 *
 * @module
 */

import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorCode,
} from "../ports.ts";
import { ByteReader, type ByteStream, readBody, readHead, writeRequest } from "./http1.ts";

function codeOf(error: unknown): NetworkErrorCode {
  if (error instanceof Deno.errors.NotCapable) return "no_permission";
  if (error instanceof Deno.errors.PermissionDenied) return "no_permission";
  if (error instanceof Deno.errors.ConnectionRefused) return "refused";
  return "unreachable";
}

const PHRASES: Readonly<Record<NetworkErrorCode, string>> = {
  unresolved: "has no address",
  refused: "refused the connection",
  unreachable: "could not be reached",
  tls: "could not prove who it is",
  in_use: "is in use",
  no_permission: "may not be reached by this process",
  bad_response: "did not answer as it should",
};

function networkError(code: NetworkErrorCode, where: string, error: unknown): NetworkError {
  const detail = error instanceof Error && code !== "refused" ? ` (${error.message})` : "";
  return new NetworkError(code, `${where} ${PHRASES[code]}${detail}`, error);
}

/** Rejects with the signal's reason if it is aborted before the work is done. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  try {
    const found = await unlessAborted(signal, lookup(host.replace(/^\[|\]$/g, ""), { all: true }));
    if (found.length > 0) return found.map(({ address }) => address);
  } catch (error) {
    signal.throwIfAborted();
    const denied = codeOf(error) === "no_permission";
    throw networkError(denied ? "no_permission" : "unresolved", host, error);
  }
  throw networkError("unresolved", host, null);
}

async function connect(
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<Deno.TcpConn> {
  try {
    return await Deno.connect({ hostname: address, port, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(codeOf(error), `${address} port ${port}`, error);
  }
}

async function secure(
  connection: Deno.TcpConn,
  host: string,
  signal: AbortSignal,
): Promise<Deno.TlsConn> {
  const secured = await Deno.startTls(connection, { hostname: host.replace(/^\[|\]$/g, "") });
  try {
    await unlessAborted(signal, secured.handshake());
    return secured;
  } catch (error) {
    secured.close();
    signal.throwIfAborted();
    throw networkError("tls", host, error);
  }
}

/** Connects to where a request goes. */
async function open({ url, address }: HttpRequest, signal: AbortSignal): Promise<Deno.Conn> {
  const https = url.protocol === "https:";
  const port = url.port === "" ? (https ? 443 : 80) : Number(url.port);
  const plain = await connect(address, port, signal);
  return https ? await secure(plain, url.hostname, signal) : plain;
}

/** Closes a connection once, and as soon as the signal is aborted. */
function closing(connection: Deno.Conn, signal: AbortSignal): () => void {
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    signal.removeEventListener("abort", close);
    // A read that waits keeps a closed connection open in Deno 2.8.3 (denoland/deno#35292), until
    // the other side ends too: so it has to be told. A TLS handshake that waits can't be helped.
    connection.closeWrite().catch(() => {});
    connection.close();
  };
  signal.addEventListener("abort", close, { once: true });
  return close;
}

async function* guarded(
  body: AsyncIterable<Uint8Array>,
  where: string,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
    // What was cut off by the signal may look like an end.
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw networkError("bad_response", where, error);
  } finally {
    close();
  }
}

async function request(spec: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const connection = await open(spec, signal);
  const close = closing(connection, signal);
  const stream: ByteStream = {
    // Closing a connection does not end a read that waits.
    read: (buffer) => unlessAborted(signal, connection.read(buffer)),
    write: (bytes) => unlessAborted(signal, connection.write(bytes)),
  };
  const reader = new ByteReader(stream);
  const where = spec.url.host;
  try {
    signal.throwIfAborted();
    await writeRequest(stream, spec);
    const head = await readHead(reader);
    const body = guarded(readBody(reader, head, spec.method), where, signal, close);
    return { ...head, body, close };
  } catch (error) {
    close();
    signal.throwIfAborted();
    throw networkError("bad_response", where, error);
  }
}

/** The network of this machine, as far as the permissions go. */
export const realNetwork: Network = {
  available: () => Deno.permissions.querySync({ name: "net" }).state === "granted",
  resolve,
  connect: async (address, port, signal) => (await connect(address, port, signal)).close(),
  request,
};
