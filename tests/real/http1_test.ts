import { assertEquals } from "@std/assert";
import {
  ByteReader,
  type ByteStream,
  HttpSyntaxError,
  readBody,
  readHead,
  writeRequest,
} from "../../lib/real/http1.ts";

/** A connection that brings a text, a few bytes at a time, and keeps what is written. */
function streamOf(text: string, pieceBytes: number): ByteStream & { written: string } {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return {
    written: "",
    read(buffer) {
      if (at >= bytes.length) return Promise.resolve(null);
      const piece = bytes.subarray(at, at + Math.min(pieceBytes, buffer.length));
      buffer.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length);
    },
    write(piece) {
      this.written += new TextDecoder().decode(piece.subarray(0, 7));
      return Promise.resolve(Math.min(7, piece.length));
    },
  };
}

/** What is read of an answer, whatever the pieces that it comes in; or why it can't be read. */
async function read(answer: string, method = "GET"): Promise<unknown> {
  const seen = new Set<string>();
  for (const pieceBytes of [1, 7, 10_000]) {
    const reader = new ByteReader(streamOf(answer, pieceBytes));
    try {
      const head = await readHead(reader);
      const pieces = await Array.fromAsync(
        readBody(reader, head, method),
        (piece) => new Uint8Array(piece),
      );
      const { status, headers } = head;
      seen.add(JSON.stringify({ status, headers, body: await new Blob(pieces).text() }));
    } catch (error) {
      if (!(error instanceof HttpSyntaxError)) throw error;
      seen.add(JSON.stringify(error.message));
    }
  }
  assertEquals(seen.size, 1);
  return JSON.parse([...seen][0] ?? "");
}

Deno.test("readBody() reads what is counted, chunked, or ends with the connection", async () => {
  assertEquals(await read("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n状态 and more"), {
    status: 200,
    headers: { "content-length": "6" },
    body: "状态",
  });
  const chunks = "4\r\nWiki\r\nF;x=y\r\npedia in \r\n\r\nc.\r\n0\r\n\r\n";
  assertEquals(await read(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`), {
    status: 200,
    headers: { "transfer-encoding": "chunked" },
    body: "Wikipedia in \r\n\r\nc.",
  });
  assertEquals(await read("HTTP/1.0 200\n\nall of it"), {
    status: 200,
    headers: {},
    body: "all of it",
  });
});

Deno.test("readBody() expects none where there can be none", async () => {
  const head = "Content-Length: 99\r\n\r\n";
  const none = { headers: { "content-length": "99" }, body: "" };
  assertEquals(await read(`HTTP/1.1 200 OK\r\n${head}`, "HEAD"), { status: 200, ...none });
  assertEquals(await read(`HTTP/1.1 304 Not Modified\r\n${head}`), { status: 304, ...none });
});

Deno.test("readHead() passes over interim answers and joins headers of one name", async () => {
  const answer = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
    "HTTP/1.1 204 No Content\r\nX-A: 1\r\nx-a:  2\r\n\r\n";
  assertEquals(await read(answer), { status: 204, headers: { "x-a": "1, 2" }, body: "" });
});

Deno.test("an answer that breaks off or is none is an error, never half a success", async () => {
  const ok = "HTTP/1.1 200 OK\r\n";
  assertEquals([
    await read(""),
    await read("SSH-2.0-x\r\n"),
    await read(`${ok}Content-Length: 5\r\n\r\nabc`),
    await read(`${ok}Content-Length: 5, 6\r\n\r\nabcde`),
    await read(`${ok}Content-Length: -1\r\n\r\n`),
    await read(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`),
    await read(`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`),
    await read(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    await read(`${ok}no colon\r\n\r\n`),
    await read(`${ok}X: ${"y".repeat(70_000)}`),
    await read(ok + "X: y\r\n".repeat(20_000)),
  ], [
    "The answer broke off",
    "The answer is not HTTP/1.1",
    "The answer broke off",
    'Unreadable length "5, 6"',
    'Unreadable length "-1"',
    'Unknown coding "gzip, chunked"',
    "The answer broke off",
    "A chunk of the answer has no length",
    "A header of the answer has no name",
    "A line of the answer has no end",
    "The head of the answer is too long",
  ]);
});

Deno.test("writeRequest() writes all of a request, and no line that a header smuggles in", async () => {
  const stream = streamOf("", 1);
  const url = new URL("http://a.example:8080/端?q=1#fragment");
  await writeRequest(stream, { url, method: "POST", headers: { a: "b" }, body: "x=1" });
  assertEquals(
    stream.written,
    "POST /%E7%AB%AF?q=1 HTTP/1.1\r\na: b\r\nhost: a.example:8080\r\nconnection: close\r\n" +
      "content-length: 3\r\n\r\nx=1",
  );
  const smuggled = { url, method: "GET", headers: { a: "b\r\nc: d" }, body: null };
  const failure = await writeRequest(stream, smuggled).catch((error) => error.message);
  assertEquals(failure, "A header has line ends");
});
