/**
 * Real connections, each to an address that was chosen before: a name that
 * means another address by now leads nowhere.
 *
 * @module
 */

import type { Duplex } from "node:stream";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorCode,
} from "../ports.ts";

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

const PIECE_BYTES = 64 * 1024;

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    offset += await connection.write(bytes.subarray(offset));
  }
}

/** A connection as Node's HTTP client takes it; destroying it closes the connection. */
async function asStream(connection: Deno.Conn): Promise<Duplex> {
  const { Duplex } = await import("node:stream");
  let closed = false;
  return new Duplex({
    read() {
      const buffer = new Uint8Array(PIECE_BYTES);
      connection.read(buffer).then(
        (count) => this.push(count === null ? null : buffer.subarray(0, count)),
        (error) => closed ? this.push(null) : this.destroy(error),
      );
    },
    write(bytes: Uint8Array, _encoding, done) {
      writeAll(connection, bytes).then(() => done(), done);
    },
    destroy(error, done) {
      if (!closed) connection.close();
      closed = true;
      done(error);
    },
  });
}

async function open({ url, address }: HttpRequest, signal: AbortSignal): Promise<Duplex> {
  const https = url.protocol === "https:";
  const port = url.port === "" ? (https ? 443 : 80) : Number(url.port);
  const plain = await connect(address, port, signal);
  return await asStream(https ? await secure(plain, url.hostname, signal) : plain);
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>) {
  const entries = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

async function* bodyOf(
  message: AsyncIterable<Uint8Array>,
  where: string,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of message) yield piece;
  } catch (error) {
    signal.throwIfAborted();
    throw networkError("bad_response", where, error);
  } finally {
    close();
  }
}

async function request(spec: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  const { url, method, headers, body } = spec;
  const { request: send } = await import("node:http");
  const socket = await open(spec, signal);
  const { promise, resolve: answered, reject } = Promise.withResolvers<HttpResponse>();
  const framing = body === null ? {} : { "content-length": String(new Blob([body]).size) };
  const outgoing = send({
    method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, connection: "close", ...framing },
    createConnection: () => socket,
  });
  const close = () => {
    signal.removeEventListener("abort", onAbort);
    outgoing.destroy();
    socket.destroy();
  };
  const onAbort = () => {
    reject(signal.reason);
    close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  socket.on("error", () => {});
  outgoing.on("error", (error: Error) => {
    reject(networkError("bad_response", url.host, error));
    close();
  });
  outgoing.on("response", (message) => {
    answered({
      status: message.statusCode ?? 0,
      statusText: message.statusMessage ?? "",
      headers: headersOf(message.headers),
      body: bodyOf(message, url.host, signal, close),
      close,
    });
  });
  outgoing.end(body ?? undefined);
  return await promise;
}

/** The network of this machine, as far as the permissions go. */
export const realNetwork: Network = {
  available: () => Deno.permissions.querySync({ name: "net" }).state === "granted",
  resolve,
  connect: async (address, port, signal) => (await connect(address, port, signal)).close(),
  request,
};
