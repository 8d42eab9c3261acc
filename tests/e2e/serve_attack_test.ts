import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { ask, inPlace, type Place, post, task } from "./_serve.ts";

const WAIT = { prefer: "wait=30" };
const FIXTURE = fileURLToPath(new URL("../mcp/_stdio_server.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

function turn(name: string, args: unknown): string {
  return `${JSON.stringify({ calls: [{ name, arguments: args }] })}\n`;
}

const ANSWER = `${JSON.stringify({ text: '{"summary":"Done.","top_items":[]}' })}\n`;

function intent(name: string, tools: string, effect = "read"): string {
  return `
  - name: ${name}
    description: For tests
    effect: ${effect}
    prompt: Do it
    tools: [${tools}]
    policy: open.yaml
    model: recorded:${name}.jsonl`;
}

/** Allows all that a policy can allow here. */
const OPEN = `name: open
defaults: {write: allow, execute: allow, network: allow, delegate: allow}
rules:
  - {id: open.hosts, decision: allow, hosts: ["127.0.0.1*"], reason: The test's own server}
`;

/** Puts another agent into the directory of a test. */
async function write({ directory }: Place, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${directory}/${name}`, text);
  }
}

function agent(...intents: readonly string[]): string {
  return `name: worker\ndescription: For tests\nintents:${intents.join("")}\n`;
}

Deno.test("a policy of a task that is hard to match holds up nobody", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const hard = `${"*a".repeat(20)}*b`;
    const long = "a".repeat(300);
    const rules = [
      { id: "p", programs: [hard], examples: { match: [long] } },
      { id: "a", programs: ["echo"], args: [hard], examples: { match: [`echo ${long}`] } },
      { id: "f", paths: [`/${hard}`], examples: { match: [`cat /${long}`] } },
      { id: "t", tools: [hard], examples: { match: [long] } },
      { id: "i", intents: [hard], examples: { match: [long] } },
    ].map((rule) => ({ ...rule, decision: "deny", reason: "Frozen" }));
    const { body } = await post(server, task("t-1", "sneaky", { policy: { rules } }), WAIT);
    assertEquals(body.error?.code, "denied");
    const many = { rules: Array(300).fill({ ...rules[0], reason: long }) };
    const refused = await post(server, task("t-2", "quick", { policy: many }), WAIT);
    assertEquals([refused.status, refused.body.error?.code], [400, "invalid_policy"]);
    assertEquals((await ask(server, "/health")).status, 200);
  });
});

Deno.test("brackets without an end are refused, as a task and as a message of A2A", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const deep = `{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const body = JSON.stringify(task("t-1", "quick")).replace('{"mark":"it"}', deep);
    assertEquals((await post(server, body)).body.error?.code, "not_json");
    const headers = { "content-type": "application/json" };
    const message = await ask(server, "/a2a", { method: "POST", headers, body: deep });
    assertEquals(message.status, 400);
  });
});

Deno.test("an intent that reads sends nothing that may change something elsewhere", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {}, signal: stop.signal };
  const other = Deno.serve(options, (request) => {
    asked.push(request.method);
    return new Response("yes");
  });
  const url = `http://127.0.0.1:${other.addr.port}/x`;
  await inPlace("", async (place) => {
    await write(place, {
      "agent.yaml": agent(
        ...[intent("get", "http_request"), intent("send", "http_request")],
        intent("curl", "run_shell"),
      ),
      "open.yaml": OPEN,
      "get.jsonl": turn("http_request", { url }) + ANSWER,
      "send.jsonl": turn("http_request", { url, method: "POST", body: "x" }) + ANSWER,
      "curl.jsonl": turn("run_shell", { command: `curl -s -X POST -d x ${url}` }) + ANSWER,
    });
    const server = await place.serve();
    const codes = [];
    for (const name of ["get", "send", "curl"]) {
      const { body } = await post(server, task(name, name, { params: {} }), WAIT);
      codes.push([body.status, body.error?.code]);
    }
    assertEquals([codes, asked], [
      [["success", undefined], ["partial_success", "denied"], ["partial_success", "denied"]],
      ["GET"],
    ]);
  });
  stop.abort();
  await other.finished;
});

/** Where the runtime keeps its packages, which a server would look for below HOME. */
async function cacheDirectory(): Promise<string> {
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] });
  return JSON.parse(new TextDecoder().decode((await info.output()).stdout)).denoDir;
}

Deno.test("MCP servers are started for intents that name their tools, which get no others", async () => {
  const cache = await cacheDirectory();
  await inPlace("", async (place) => {
    const { directory } = place;
    const flags = `run --quiet --allow-all --no-prompt '--config=${CONFIG}'`;
    const line =
      `echo started >> started; DENO_DIR="$REIN_TOKEN_CACHE" exec '${Deno.execPath()}' ` +
      `${flags} '${FIXTURE}' well`;
    const a = { command: ["sh", "-c", line], env: ["REIN_TOKEN_CACHE"], reads: ["echo", "data"] };
    await Deno.mkdir(`${directory}/.config/rein`, { recursive: true });
    await write(place, {
      ".config/rein/config.yaml": JSON.stringify({ mcp: { a } }),
      started: "",
      "agent.yaml": agent(intent("plain", "read_file"), intent("far", "a__echo", "change")),
      "open.yaml": OPEN,
      "plain.jsonl": turn("a__echo", { text: "one" }) + ANSWER,
      "far.jsonl": turn("a__echo", { text: "two" }) + turn("a__data", {}) + ANSWER,
    });
    const env = { HOME: directory, DENO_DIR: cache, REIN_TOKEN_CACHE: cache };
    const server = await place.serve([], env);
    const steps: unknown[] = [];
    for (const name of ["plain", "far"]) {
      await post(server, task(name, name, { params: {} }), WAIT);
      steps.push(await Deno.readTextFile(`${directory}/started`));
    }
    assertEquals(steps, ["", "started\n"]);
    assertEquals((await server.told("task_step"))["text"], 'a__echo {"text":"two"}');
  });
});
