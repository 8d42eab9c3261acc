import { assertEquals } from "@std/assert";
import { handlerOf, isLoopback, type Route } from "../../lib/serve/routes.ts";

const ROUTES: readonly Route[] = [
  { method: "GET", path: "/open", open: true, answer: () => new Response("open") },
  { method: "GET", path: "/tasks/:id", answer: ({ parts }) => new Response(parts["id"] ?? "") },
  { method: "DELETE", path: "/tasks/:id", answer: () => new Response("gone") },
];

async function ask(
  path: string,
  init: RequestInit = {},
  token: string | null = null,
): Promise<[number, string]> {
  const request = new Request(`http://127.0.0.1${path}`, init);
  const headers = new Headers(init.headers);
  // A request that is made by hand has no host; one that came in has.
  if (!headers.has("host")) headers.set("host", "127.0.0.1:8701");
  Object.defineProperty(request, "headers", { value: headers });
  const handle = handlerOf(ROUTES, { token });
  const response = await handle(request, { address: "127.0.0.1" });
  return [response.status, await response.text()];
}

Deno.test("handlerOf() finds a route by method and path, and decodes its parts", async () => {
  assertEquals(await ask("/tasks/a%3Ab"), [200, "a:b"]);
  assertEquals(await ask("/tasks/a", { method: "DELETE" }), [200, "gone"]);
  assertEquals(await ask("/tasks/a", { method: "PUT" }), [405, ""]);
  assertEquals(await ask("/tasks/"), [404, ""]);
  assertEquals(await ask("/tasks/%E0%A4%A"), [404, ""]);
  assertEquals(await ask("/tasks/a/b"), [404, ""]);
});

Deno.test("handlerOf() asks for the token everywhere but where it is open", async () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  assertEquals(await ask("/tasks/a", bearer("right"), "right"), [200, "a"]);
  const wrong: [number, string] = [401, ""];
  assertEquals(await ask("/tasks/a", bearer("righ"), "right"), wrong);
  assertEquals(await ask("/tasks/a", bearer(""), "right"), wrong);
  assertEquals(await ask("/tasks/a", {}, "right"), wrong);
  assertEquals(await ask("/nothing", {}, "right"), wrong);
  assertEquals(await ask("/open", {}, "right"), [200, "open"]);
});

Deno.test("handlerOf() turns away, without a token, whom a name of their own led here", async () => {
  assertEquals(await ask("/tasks/a", { headers: { host: "evil.example" } }), [403, ""]);
  assertEquals(await ask("/tasks/a", { headers: { origin: "http://evil.example" } }), [403, ""]);
  assertEquals(await ask("/tasks/a", { headers: { host: "localhost:1" } }), [200, "a"]);
  // What is open to whoever is there is not thereby open to pages of other sites.
  assertEquals(await ask("/open", { headers: { host: "evil.example" } }), [403, ""]);
  assertEquals(await ask("/open", { headers: { host: "evil.example" } }, "right"), [200, "open"]);
});

Deno.test("isLoopback() knows the addresses that others can't reach", () => {
  const hosts = ["127.0.0.1", "127.8.0.1", "localhost", "::1", "0.0.0.0", "::", "10.0.0.1"];
  assertEquals(hosts.map(isLoopback), [true, true, true, true, false, false, false]);
});
