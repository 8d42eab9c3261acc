import { assertEquals } from "@std/assert";
import { MAX_BODY_BYTES, readable, receive } from "../../../tools/http/body.ts";
import { inPieces } from "../../fakes.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const response = (body: AsyncIterable<Uint8Array>, headers: Record<string, string> = {}) => ({
  status: 200,
  statusText: "OK",
  headers,
  body,
  close: () => {},
});

async function gzip(text: string): Promise<Uint8Array> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

Deno.test("receive() stops at its bound, however much would come", async () => {
  let given = 0;
  async function* endless() {
    for (;; given++) yield await Promise.resolve(new Uint8Array(100_000));
  }
  const { bytes, complete } = await receive(response(endless()));
  assertEquals([bytes.length, complete, given], [MAX_BODY_BYTES, false, 20]);
});

Deno.test("receive() bounds what a small compressed body becomes", async () => {
  const packed = await gzip("0".repeat(20_000_000));
  const { bytes, complete } = await receive(
    response(inPieces(packed)(), { "content-encoding": "gzip" }),
  );
  assertEquals([packed.length < 30_000, bytes.length, complete], [true, MAX_BODY_BYTES, false]);
});

Deno.test("receive() keeps what came of a body that breaks off", async () => {
  async function* broken() {
    yield await Promise.resolve(bytes("half"));
    throw new Error("reset");
  }
  assertEquals(await receive(response(broken())), { bytes: bytes("half"), complete: false });
});

Deno.test("readable() shortens JSON by its structure and counts what it leaves out", async () => {
  const value = { items: Array.from({ length: 5000 }, (_, id) => ({ id, name: "x".repeat(40) })) };
  const { kind, text, note } = await readable(bytes(JSON.stringify(value)), "application/json");
  const short = JSON.parse(text);
  assertEquals([kind, text.length <= 5000, note], [
    "json",
    true,
    "Shortened by structure; what is left out is counted.",
  ]);
  assertEquals(short.items.slice(0, 2), value.items.slice(0, 2));
  const kept = short.items.length - 1;
  assertEquals(short.items.at(-1), `… ${5000 - kept} more of 5000 items`);
});

Deno.test("readable() leaves short JSON whole, whatever the server calls it", async () => {
  const whole = { kind: "json", text: '{"a":[1,2]}', note: null } as const;
  for (const type of ["application/json", "application/problem+json", "text/plain", ""]) {
    assertEquals(await readable(bytes('{ "a": [1, 2] }'), type), whole);
  }
  assertEquals(await readable(bytes("{broken"), "application/json"), {
    kind: "text",
    text: "{broken",
    note: null,
  });
});

Deno.test("readable() survives JSON that is deep or wide", async () => {
  const deep = "[".repeat(5000) + "]".repeat(5000);
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`key${i}`, { a: 1 }])),
  );
  for (const text of [deep, wide, "[".repeat(200_000)]) {
    const result = await readable(bytes(text), "application/json");
    assertEquals(result.kind === "text" || result.text.length <= 5000, true);
  }
});

Deno.test("readable() reduces HTML to its text", async () => {
  const page = "<html><head><title>T</title><style>x{}</style></head><body><nav>menu</nav>" +
    "<h1>状态</h1><script>evil()</script><p>All <b>good</b>, see <a href='/log'>log</a>.</p>" +
    "<table><tr><td>cpu</td><td>7%</td></tr></table></body></html>";
  assertEquals(await readable(bytes(page), "text/html; charset=utf-8"), {
    kind: "html",
    text: "状态\n\nAll good, see log [/log].\n\ncpu   7%",
    note: "The text of an HTML page.",
  });
});

Deno.test("readable() decodes by the declared charset and describes what is no text", async () => {
  assertEquals(await readable(new Uint8Array([0xb6, 0xcb]), "text/plain; charset=gbk"), {
    kind: "text",
    text: "端",
    note: null,
  });
  assertEquals(await readable(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), "image/png"), {
    kind: "binary",
    text: "image/png, 4 bytes: 89 50 4e 47 …",
    note: null,
  });
  assertEquals((await readable(new Uint8Array([1, 0]), "text/plain")).kind, "binary");
  assertEquals((await readable(new Uint8Array(), "text/plain")).kind, "empty");
});
