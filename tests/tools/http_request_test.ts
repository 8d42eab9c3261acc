import { assertEquals } from "@std/assert";
import { NetworkError } from "../../lib/ports.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { createHttpRequest, type HttpRequestArgs } from "../../tools/http_request.ts";
import { CONTEXT, type FakeAnswer, fakeEnvironment, FakeNetwork } from "../fakes.ts";

const HOSTS = {
  "example.com": ["93.184.215.14"],
  "other.com": ["8.8.8.8"],
  "sneaky.com": ["10.0.0.7"],
  "split.com": ["8.8.8.8", "127.0.0.1"],
  "clouded.com": ["169.254.169.254"],
  "db.internal": ["10.1.2.3"],
  "localhost": ["::1", "127.0.0.1"],
};

type Answers = Readonly<Record<string, FakeAnswer>>;

interface Sent {
  readonly outcome: ToolOutcome;
  readonly sent: readonly string[];
  readonly network: FakeNetwork;
}

/** Sends a request in a network where each URL has its answer; others answer 404. */
async function send(
  args: HttpRequestArgs,
  answers: Answers = {},
  mayReach: (host: string) => boolean = () => true,
): Promise<Sent> {
  const network = new FakeNetwork(HOSTS, ({ url }) => answers[url.href] ?? { status: 404 });
  const env = fakeEnvironment({ OPENAI_API_KEY: "sk-own-key" });
  const context = { ...CONTEXT, mayReach: (host: string) => Promise.resolve(mayReach(host)) };
  const outcome = await createHttpRequest({ network, env }).run(args, context);
  return { outcome, sent: network.sent, network };
}

/** The code and the message of a refusal; nothing may have been sent to the last address. */
async function refusal(...request: Parameters<typeof send>): Promise<[string, string] | null> {
  const { outcome } = await send(...request);
  return outcome.ok ? null : [outcome.error.code, outcome.error.message];
}

const redirect = (location: string, status = 302): FakeAnswer => ({
  status,
  headers: { location },
});

Deno.test("http_request gives status, chosen headers and body", async () => {
  const answer = {
    headers: { "content-type": "text/plain", "x-request-id": "7", "set-cookie": "secret=1" },
    body: "pong\n",
  };
  const { outcome, sent } = await send({ url: "http://example.com/ping" }, {
    "http://example.com/ping": answer,
  });
  assertEquals(outcome, {
    ok: true,
    data: {
      status: 200,
      headers: { "content-type": "text/plain", "x-request-id": "7" },
      body_kind: "text",
      body: "pong\n",
    },
    summary: "200, 5 bytes",
  });
  assertEquals(sent, ["GET http://example.com/ping @93.184.215.14"]);
});

Deno.test("http_request sends method, headers and a JSON body", async () => {
  const { network } = await send({
    url: "https://example.com/a",
    method: "PUT",
    headers: { "X-Token": "t" },
    json: { a: [1, "二"] },
  });
  const { method, headers, body } = network.requests[0] ?? {};
  assertEquals({ method, headers, body }, {
    method: "PUT",
    headers: {
      "user-agent": "rein",
      accept: "*/*",
      "accept-encoding": "gzip",
      "content-type": "application/json",
      "x-token": "t",
    },
    body: '{"a":[1,"二"]}',
  });
});

Deno.test("http_request sends nothing that is malformed, and not rein's own key", async () => {
  const url = "https://example.com/";
  const faults: [HttpRequestArgs, string][] = [
    [{ url: "http://" }, '"http://" is not an http address'],
    [{ url: "https://user:pw@example.com/" }, "the URL holds credentials; send them in a header"],
    [{ url, headers: { "a b": "c" } }, '"a b" is no name of a header'],
    [{ url, headers: { a: "b\r\nc: d" } }, 'the value of header "a" can\'t be sent'],
    [{ url, headers: { Host: "internal" } }, 'header "Host" is set by the connection'],
    [{ url, body: "x" }, "GET takes no body"],
    [{ url, method: "POST", body: "x", json: {} }, "json and body exclude each other"],
    [{ url, headers: { a: "Bearer sk-own-key" } }, "it would send the key of rein itself"],
    [{ url: `${url}?k=sk%2Down%2Dkey` }, "it would send the key of rein itself"],
    [{ url, method: "POST", json: { k: "sk-own-key" } }, "it would send the key of rein itself"],
  ];
  for (const [args, fault] of faults) {
    const { outcome, sent } = await send(args);
    const message = outcome.ok ? null : outcome.error.message;
    assertEquals([message, sent], [`Not sent: ${fault}`, []]);
  }
});

Deno.test("http_request never reaches what hands out a machine's credentials", async () => {
  for (
    const host of [
      "169.254.169.254",
      "0xA9FEA9FE",
      "[::ffff:169.254.169.254]",
      "[64:ff9b::a9fe:a9fe]",
      "[fd00:ec2::254]",
      "[fe80::1]",
      "100.100.100.200",
      "metadata.google.internal",
      "metadata.google.internal.",
      "clouded.com",
    ]
  ) {
    const { outcome, sent } = await send({ url: `http://${host}/latest/meta-data` });
    assertEquals([host, outcome.ok ? null : outcome.error.code, sent], [host, "metadata", []]);
  }
});

Deno.test("http_request reaches a private network by a name that says so", async () => {
  for (const host of ["127.0.0.1", "10.1.2.3", "[::1]", "localhost", "db.internal"]) {
    const { sent } = await send({ url: `http://${host}/` });
    assertEquals([host, sent.length], [host, 1]);
  }
});

Deno.test("http_request reaches a private network by a public name only with its address", async () => {
  assertEquals(await refusal({ url: "http://sneaky.com/" }), [
    "private_address",
    '"sneaky.com" leads to 10.0.0.7, which is not on the internet',
  ]);
  assertEquals(await refusal({ url: "http://split.com/" }), [
    "private_address",
    '"split.com" leads to 8.8.8.8, 127.0.0.1, which is not on the internet',
  ]);
  const { sent } = await send({ url: "http://sneaky.com/", address: "10.0.0.7" });
  assertEquals(sent, ["GET http://sneaky.com/ @10.0.0.7"]);
  const wrong = await refusal({ url: "http://sneaky.com/", address: "10.0.0.8" });
  assertEquals(wrong?.[0], "private_address");
});

Deno.test("http_request follows redirects and names them", async () => {
  const { outcome, sent } = await send({ url: "http://example.com/" }, {
    "http://example.com/": redirect("https://example.com/a"),
    "https://example.com/a": redirect("//other.com/b", 301),
    "https://other.com/b": { body: "there" },
  });
  assertEquals(sent, [
    "GET http://example.com/ @93.184.215.14",
    "GET https://example.com/a @93.184.215.14",
    "GET https://other.com/b @8.8.8.8",
  ]);
  assertEquals(outcome.ok ? outcome.data["redirected"] : null, [
    "https://example.com/a",
    "https://other.com/b",
  ]);
});

Deno.test("http_request asks the policy before it follows to another host", async () => {
  const answers = { "http://example.com/": redirect("http://other.com/") };
  const { outcome, sent } = await send({ url: "http://example.com/" }, answers, () => false);
  assertEquals([outcome, sent], [{
    ok: false,
    error: {
      code: "redirect",
      message: 'The answer redirects to "other.com", which the policy does not allow unasked',
      hint: "Request that address itself, so that it is judged.",
      retriable: false,
    },
  }, ["GET http://example.com/ @93.184.215.14"]]);
});

Deno.test("http_request follows no redirect from a public address to a private one", async () => {
  for (
    const [location, code] of [
      ["http://127.0.0.1/", "private_redirect"],
      ["http://db.internal/", "private_redirect"],
      ["http://sneaky.com/", "private_redirect"],
      ["http://169.254.169.254/", "metadata"],
    ] as const
  ) {
    const answers = { "http://example.com/": redirect(location) };
    const { outcome, sent } = await send({ url: "http://example.com/" }, answers);
    const got = [outcome.ok ? null : outcome.error.code, sent.length];
    assertEquals([location, ...got], [location, code, 1]);
  }
});

Deno.test("http_request follows from one private host to another that the policy allows", async () => {
  const { sent } = await send({ url: "http://localhost/" }, {
    "http://localhost/": redirect("http://db.internal/"),
  });
  assertEquals(sent, ["GET http://localhost/ @::1", "GET http://db.internal/ @10.1.2.3"]);
});

Deno.test("http_request takes secrets of one host to no other", async () => {
  const args = {
    url: "https://example.com/",
    headers: { Authorization: "t", "X-Key": "k", Accept: "a" },
  };
  const { network } = await send(args, { "https://example.com/": redirect("https://other.com/") });
  assertEquals(network.requests[1]?.headers, {
    "user-agent": "rein",
    accept: "a",
    "accept-encoding": "gzip",
  });
});

Deno.test("http_request turns a POST into a GET where browsers do, and sends no change on", async () => {
  const args = { url: "http://example.com/", method: "POST", json: {} };
  const seen = await send(args, { "http://example.com/": redirect("/a", 303) });
  assertEquals(seen.sent[1], "GET http://example.com/a @93.184.215.14");
  const kept = await send(args, { "http://example.com/": redirect("/a", 307) });
  assertEquals(kept.sent[1], "POST http://example.com/a @93.184.215.14");
  const away = await refusal(args, { "http://example.com/": redirect("http://other.com/", 308) });
  assertEquals(away, ["redirect", "The answer redirects a POST to http://other.com/"]);
});

Deno.test("http_request ends a ring of redirects", async () => {
  const answers = { "http://example.com/": redirect("http://example.com/") };
  const { outcome, sent } = await send({ url: "http://example.com/" }, answers);
  assertEquals([outcome.ok ? null : outcome.error.code, sent.length], ["redirects", 6]);
});

Deno.test("http_request marks what may pass by itself", async () => {
  const args = { url: "http://example.com/" };
  for (const status of [408, 429, 500, 503]) {
    const answer = { status, headers: { "retry-after": "7" }, body: "<h1>later</h1>" };
    const { outcome } = await send(args, { "http://example.com/": answer });
    assertEquals(outcome, {
      ok: false,
      error: {
        code: `http_${status}`,
        message: `GET http://example.com/ was answered ${status}: <h1>later</h1>`,
        hint: "The server asks to wait: Retry-After 7.",
        retriable: true,
      },
    });
  }
  const broken = new NetworkError("unreachable", "93.184.215.14 port 80 could not be reached");
  const { outcome } = await send(args, { "http://example.com/": broken });
  assertEquals(outcome, {
    ok: false,
    error: {
      code: "network_unreachable",
      message: "93.184.215.14 port 80 could not be reached",
      hint: "Check the name, the port and whether the service runs.",
      retriable: true,
    },
  });
  const { outcome: missing } = await send({ url: "http://nowhere.com/" });
  assertEquals(missing.ok ? null : missing.error.code, "network_unresolved");
});

Deno.test("http_request takes a 404 for an answer", async () => {
  const { outcome } = await send({ url: "http://example.com/x" });
  assertEquals(outcome.ok ? outcome.data : null, {
    status: 404,
    headers: {},
    body_kind: "empty",
    body: "",
  });
});

Deno.test("http_request tries the next address of a host that refuses the first", async () => {
  const network = new FakeNetwork(
    HOSTS,
    ({ address }) => address === "::1" ? new NetworkError("refused", "refused") : { body: "up" },
  );
  const tool = createHttpRequest({ network, env: fakeEnvironment() });
  const outcome = await tool.run({ url: "http://localhost:8080/" }, CONTEXT);
  assertEquals(outcome.ok ? outcome.data["body"] : null, "up");
  assertEquals(network.sent, [
    "GET http://localhost:8080/ @::1",
    "GET http://localhost:8080/ @127.0.0.1",
  ]);
});

Deno.test("http_request says what it is about to reach and to change", () => {
  const tool = createHttpRequest({ network: new FakeNetwork({}), env: fakeEnvironment() });
  const change = { url: "https://Example.COM./a", method: "DELETE", address: "10.0.0.7" };
  assertEquals(tool.subjects(change), [
    { kind: "host", host: "example.com", access: "write" },
    { kind: "host", host: "10.0.0.7", access: "write" },
  ]);
  assertEquals(tool.subjects({ url: "http://0x7f.1/" }), [
    { kind: "host", host: "127.0.0.1", access: "read" },
  ]);
  assertEquals(
    ["GET", "PUT", "POST", "PATCH"].map((method) => tool.idempotent?.({ ...change, method })),
    [true, true, false, false],
  );
});

Deno.test("http_request shows the whole request to whoever decides", async () => {
  const tool = createHttpRequest({ network: new FakeNetwork({}), env: fakeEnvironment() });
  const args = { url: "https://a.example/x", method: "POST", headers: { A: "b" }, json: { c: 1 } };
  assertEquals(await tool.preview?.(args), 'POST https://a.example/x\nA: b\n\n{\n  "c": 1\n}');
});
