/**
 * HTTP/1.1 over a connection that is open already: one request, one answer.
 *
 * The runtime's own clients choose the address by themselves, and Node's does
 * not take a connection in every version; so the little that one exchange
 * needs stands here. Source: RFC 9112.
 *
 * @module
 */

/** A connection, as far as an exchange needs one. */
export interface ByteStream {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
}

/** The head of an answer. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; several of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer is not HTTP/1.1, or breaks off. */
export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}

/** Bytes read at once. */
const PIECE_BYTES = 64 * 1024;

/** Bytes of a head at the most, and of one line of it. */
const MAX_HEAD_BYTES = 64 * 1024;

/** One character a byte, both ways. */
const latin1 = {
  encode: (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff),
  decode: (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
};

/** Reads a connection by lines and by counts. */
export class ByteReader {
  readonly #stream: ByteStream;
  readonly #piece = new Uint8Array(PIECE_BYTES);
  #buffer = new Uint8Array();

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /** Some bytes, `most` at the most; null at the end. */
  async some(most: number): Promise<Uint8Array | null> {
    if (this.#buffer.length === 0 && !await this.#fill()) return null;
    const piece = this.#buffer.subarray(0, most);
    this.#buffer = this.#buffer.subarray(piece.length);
    return piece;
  }

  /** A line without its end. */
  async line(): Promise<string> {
    for (let from = 0;;) {
      const end = this.#buffer.indexOf(0x0a, from);
      if (end !== -1) {
        const line = latin1.decode(this.#buffer.subarray(0, end));
        this.#buffer = this.#buffer.subarray(end + 1);
        return line.replace(/\r$/, "");
      }
      from = this.#buffer.length;
      if (from > MAX_HEAD_BYTES) throw new HttpSyntaxError("A line of the answer has no end");
      if (!await this.#fill()) throw new HttpSyntaxError("The answer broke off");
    }
  }

  async #fill(): Promise<boolean> {
    const count = await this.#stream.read(this.#piece);
    if (count === null) return false;
    const joined = new Uint8Array(this.#buffer.length + count);
    joined.set(this.#buffer);
    joined.set(this.#piece.subarray(0, count), this.#buffer.length);
    this.#buffer = joined;
    return true;
  }
}

async function writeAll(stream: ByteStream, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    offset += await stream.write(bytes.subarray(offset));
  }
}

/** Sends a request; the connection is closed after its answer. */
export async function writeRequest(
  stream: ByteStream,
  request: {
    readonly url: URL;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  },
): Promise<void> {
  const { url, method, headers } = request;
  const body = new TextEncoder().encode(request.body ?? "");
  const framing = request.body === null ? {} : { "content-length": String(body.length) };
  const all = { ...headers, host: url.host, connection: "close", ...framing };
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`];
  for (const [name, value] of Object.entries(all)) lines.push(`${name}: ${value}`);
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new TypeError("A header has line ends");
  await writeAll(stream, latin1.encode(`${lines.join("\r\n")}\r\n\r\n`));
  await writeAll(stream, body);
}

async function readHeaders(reader: ByteReader): Promise<Record<string, string>> {
  const headers = new Map<string, string>();
  let size = 0;
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    size += line.length;
    if (size > MAX_HEAD_BYTES) throw new HttpSyntaxError("The head of the answer is too long");
    const colon = line.indexOf(":");
    if (colon <= 0) throw new HttpSyntaxError("A header of the answer has no name");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Reads the head of an answer; interim answers (1xx) are passed over. */
export async function readHead(reader: ByteReader): Promise<Head> {
  for (;;) {
    const [, status, statusText = ""] =
      /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(await reader.line()) ?? [];
    if (status === undefined) throw new HttpSyntaxError("The answer is not HTTP/1.1");
    const headers = await readHeaders(reader);
    if (!status.startsWith("1")) return { status: Number(status), statusText, headers };
  }
}

async function* counted(reader: ByteReader, length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0;) {
    const piece = await reader.some(left);
    if (piece === null) throw new HttpSyntaxError("The answer broke off");
    left -= piece.length;
    yield piece;
  }
}

async function* chunked(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const [, hex] = /^([0-9a-f]{1,12})\s*(?:;.*)?$/i.exec(await reader.line()) ?? [];
    if (hex === undefined) throw new HttpSyntaxError("A chunk of the answer has no length");
    const length = parseInt(hex, 16);
    if (length === 0) return;
    yield* counted(reader, length);
    if (await reader.line() !== "") throw new HttpSyntaxError("A chunk of the answer has no end");
  }
}

async function* untilClosed(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await reader.some(PIECE_BYTES);
    if (piece === null) return;
    yield piece;
  }
}

/** Reads the body that follows a head. */
export async function* readBody(
  reader: ByteReader,
  head: Head,
  method: string,
): AsyncGenerator<Uint8Array> {
  if (method === "HEAD" || head.status === 204 || head.status === 304) return;
  const coding = head.headers["transfer-encoding"];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== "chunked") throw new HttpSyntaxError(`Unknown coding "${coding}"`);
    return yield* chunked(reader);
  }
  const length = head.headers["content-length"];
  if (length === undefined) return yield* untilClosed(reader);
  const [, digits] = /^(\d{1,15})(?:, \1)*$/.exec(length) ?? [];
  if (digits === undefined) throw new HttpSyntaxError(`Unreadable length "${length}"`);
  yield* counted(reader, Number(digits));
}
