import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../lib/types.ts";
import { inTempDir } from "../_temp.ts";
import { ask, inPlace, post, resultOf, type Served, task } from "./_serve.ts";
import { ended, SOURCE, start } from "./_program.ts";

const WAIT = { prefer: "wait=30" };

/** The status of the answer, and that of the result or its error. */
async function outcome(server: Served, id: string): Promise<string> {
  const { status, body } = await resultOf(server, id);
  return `${status} ${body.status} ${body.error?.code ?? ""}`.trim();
}

Deno.test("a task that is handed in 50 times at once runs once", async () => {
  await inPlace("", async ({ serve, changes }) => {
    const server = await serve();
    const same = task("t-1", "once");
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(server, same, WAIT)));
    const distinct = new Set(answers.map(({ status, body }) => JSON.stringify([status, body])));
    assertEquals(distinct.size, 1);
    const { status, body } = await post(server, same);
    assertEquals([status, body.status, body.data], [
      200,
      "success",
      { summary: "Done.", top_items: [] },
    ]);
    assertEquals(await changes(), ["once"]);
    const other = await post(server, { ...same, params: { mark: "other" } });
    assertEquals([other.status, other.body.error?.code], [409, "conflict"]);
  });
});

Deno.test("tasks go on after kill -9, and each change is made once", async () => {
  await inPlace("concurrency: 2\n", async ({ serve, go, changes }) => {
    const ids = ["t-1", "t-2", "t-3", "t-4"];
    const first = await serve();
    for (const id of ids) assertEquals((await post(first, task(id, "change"))).status, 202);
    // Two have made their change, and are in a call that only reads.
    await first.told("task_step", 4);
    first.child.kill("SIGKILL");
    await first.child.status;
    await go();
    const second = await serve();
    const outcomes = await Promise.all(ids.map((id) => outcome(second, id)));
    assertEquals(outcomes, ids.map(() => "200 success"));
    assertEquals(await changes(), ids.map(() => "change"));
    // Whoever sends it again meanwhile gets the same.
    assertEquals((await post(second, task("t-1", "change"))).body.status, "success");
    assertEquals((await changes()).length, ids.length);
  });
});

/** How often a server is killed while its tasks run, each time a little later. */
const KILLS = 5;

Deno.test("whenever kill -9 comes, no change is made twice and none is reported that was not made", async () => {
  await inPlace("concurrency: 3\n", async ({ serve, go, changes }) => {
    await go();
    const ids = Array.from({ length: 8 }, (_, index) => `t-${index}`);
    let server = await serve();
    await Promise.all(ids.map((id) => post(server, task(id, "change"))));
    for (let kill = 1; kill <= KILLS; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 40 * kill));
      server.child.kill("SIGKILL");
      await server.child.status;
      server = await serve();
    }
    const outcomes = await Promise.all(ids.map((id) => outcome(server, id)));
    const done = outcomes.filter((text) => text === "200 success").length;
    const unknown = outcomes.filter((text) => text === "200 failed unknown_outcome").length;
    const made = (await changes()).length;
    assertEquals([done + unknown, made >= done, made <= done + unknown], [ids.length, true, true]);
  });
});

Deno.test("a change that kill -9 has met in the middle is not made again", async () => {
  await inPlace("", async ({ serve, go, changes, changed }) => {
    const first = await serve();
    await post(first, task("t-1", "doubt"));
    await changed(1);
    first.child.kill("SIGKILL");
    await first.child.status;
    await go();
    const second = await serve();
    assertEquals(await outcome(second, "t-1"), "200 failed unknown_outcome");
    assertEquals(await changes(), ["doubt"]);
  });
});

Deno.test("SIGTERM lets running tasks end, refuses new ones and leaves the queue", async () => {
  await inPlace("concurrency: 1\n", async ({ serve, go, changes }) => {
    const first = await serve();
    assertEquals((await post(first, task("t-1", "hold"))).body["phase"], "running");
    assertEquals((await post(first, task("t-2", "once"))).body["phase"], "queued");
    first.child.kill("SIGTERM");
    await first.told("draining");
    const refused = await post(first, task("t-3", "quick"));
    assertEquals([refused.status, refused.headers.has("retry-after")], [503, true]);
    assertEquals((await ask(first, "/health")).body.status as string, "draining");
    const running = outcome(first, "t-1");
    await go();
    assertEquals(await running, "200 success");
    assertEquals((await first.child.status).code, 0);
    assertEquals(await changes(), []);
    const second = await serve();
    assertEquals(await outcome(second, "t-2"), "200 success");
    assertEquals(await outcome(second, "t-1"), "200 success");
    assertEquals(await changes(), ["once"]);
    assertEquals((await ask(second, "/tasks/t-3")).status, 404);
  });
});

Deno.test("a drain that takes too long leaves tasks in the middle, which go on later", async () => {
  await inPlace("", async ({ serve, go, changes }) => {
    const first = await serve(["--drain", "0.2"]);
    await post(first, task("t-1", "change"));
    await first.told("task_step", 2);
    first.child.kill("SIGTERM");
    assertEquals((await first.child.status).code, 143);
    await go();
    const second = await serve();
    assertEquals(await outcome(second, "t-1"), "200 success");
    assertEquals(await changes(), ["change"]);
  });
});

Deno.test("DELETE gives a task up, in the queue as well as in the middle", async () => {
  await inPlace("concurrency: 1\n", async ({ serve, changes }) => {
    const server = await serve();
    await post(server, task("t-1", "hold"));
    await post(server, task("t-2", "once"));
    for (const id of ["t-2", "t-1"]) {
      const { status } = await ask(server, `/tasks/${id}`, { method: "DELETE" });
      assertEquals([200, 202].includes(status), true);
      assertEquals(await outcome(server, id), "200 failed cancelled");
    }
    assertEquals(await changes(), []);
    assertEquals((await ask(server, "/tasks/t-9", { method: "DELETE" })).status, 404);
  });
});

Deno.test("a task whose time is over has failed by a timeout", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const { body } = await post(server, task("t-1", "hold", { timeout_sec: 1 }), WAIT);
    // The last words of the model are what was obtained.
    assertEquals([body.status, body.error?.code, body.data], [
      "partial_success",
      "timeout",
      { summary: "Done.", top_items: [] },
    ]);
  });
});

Deno.test("a full queue is answered by 429 and when to come again", async () => {
  await inPlace("concurrency: 1\nqueue: 1\n", async ({ serve, go }) => {
    const server = await serve();
    await post(server, task("t-1", "hold"));
    await post(server, task("t-2", "quick"));
    const { status, headers, body } = await post(server, task("t-3", "quick"));
    assertEquals([status, body.error?.code, body.error?.retriable], [429, "busy", true]);
    assertEquals(Number(headers.get("retry-after")) >= 1, true);
    // What is known is not refused, and leaves nothing behind where it is.
    assertEquals((await post(server, task("t-2", "quick"))).status, 202);
    await go();
    assertEquals(await outcome(server, "t-2"), "200 success");
    assertEquals((await post(server, task("t-3", "quick"), WAIT)).body.status, "success");
  });
});

Deno.test("what is no task is refused, and says why", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const said = async (body: unknown, headers?: Record<string, string>) => {
      const answer = await post(server, body, headers);
      return [answer.status, answer.body.error?.code];
    };
    assertEquals(await said("{"), [400, "not_json"]);
    assertEquals(await said({}), [400, "invalid_envelope"]);
    assertEquals(await said({ ...task("t", "quick"), protocol: "agent-task/2.0" }), [
      400,
      "unknown_protocol",
    ]);
    assertEquals(await said(task("t", "other")), [404, "unknown_intent"]);
    assertEquals(await said(task("t", "quick", { params: { mark: 1 } })), [400, "invalid_params"]);
    assertEquals(await said(task("t", "quick", { depth: 3, max_depth: 2 })), [422, "depth_limit"]);
    const callback = "http://127.0.0.1:1/x";
    assertEquals(await said(task("t", "quick", { callback })), [422, "callback_refused"]);
    const policy = { rules: [{ id: "x" }] };
    assertEquals(await said(task("t", "quick", { policy })), [400, "invalid_policy"]);
    assertEquals(await said("x".repeat(1_000_001)), [413, "too_large"]);
    assertEquals(await said("{}", { "content-type": "text/plain" }), [415, "not_json"]);
    assertEquals((await ask(server, "/tasks/t")).status, 404);
    assertEquals((await ask(server, "/tasks", { method: "PUT" })).status, 405);
  });
});

Deno.test("a policy that comes with a task tightens and loosens nothing", async () => {
  await inPlace("", async ({ serve, changes }) => {
    const server = await serve();
    const deny = [{ id: "no", decision: "deny", programs: ["echo"], reason: "Frozen" }];
    const { body } = await post(server, task("t-1", "once", { policy: { rules: deny } }), WAIT);
    assertEquals([body.status, body.error?.code], ["partial_success", "denied"]);
    const allow = [
      { id: "yes", decision: "allow", paths: { write: ["/**"] }, reason: "Anything" },
      { id: "all", decision: "allow", programs: ["*"], reason: "Anything" },
    ];
    const loosened = await post(server, task("t-2", "once", { policy: { rules: allow } }), WAIT);
    assertEquals(loosened.body.status, "success");
    const forbidden = task("t-3", "forbidden", { policy: { rules: allow } });
    assertEquals((await post(server, forbidden, WAIT)).body.error?.code, "denied");
    assertEquals(await changes(), ["once"]);
  });
});

Deno.test("an intent that reads changes nothing, whatever its owner's policy allows", async () => {
  await inPlace("", async ({ serve, changes }) => {
    const server = await serve();
    const { body } = await post(server, task("t-1", "sneaky"), WAIT);
    assertEquals([body.error?.code, await changes()], ["denied", []]);
  });
});

Deno.test("callers need the token where the agent has one, and are told nothing without", async () => {
  const env = { REIN_TOKEN_TEST: "secret-1" };
  await inPlace("token: REIN_TOKEN_TEST\n", async ({ serve }) => {
    const server = await serve([], env);
    const statuses = async (headers: Record<string, string>) => [
      (await post(server, task("t-1", "quick"), { ...headers, ...WAIT })).status,
      (await ask(server, "/tasks", { headers })).status,
      (await ask(server, "/tasks/t-1", { headers })).status,
      (await ask(server, "/metrics", { headers })).status,
      (await ask(server, "/nothing", { headers })).status,
      (await ask(server, "/health", { headers })).status,
    ];
    const none = [401, 401, 401, 401, 401, 200];
    assertEquals(await statuses({}), none);
    assertEquals(await statuses({ authorization: "Bearer secret-2" }), none);
    const given = { authorization: "Bearer secret-1" };
    assertEquals(await statuses(given), [200, 200, 200, 200, 404, 200]);
    const refused = await fetch(server.url);
    assertEquals([await refused.text(), refused.headers.get("www-authenticate")], ["", "Bearer"]);
  });
});

Deno.test("a client that sends slowly, or goes away, holds up nobody", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const { hostname, port } = new URL(server.url);
    const head = "POST /tasks HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n" +
      'content-length: 500\r\n\r\n{"task_id":';
    const slow = await Promise.all(Array.from({ length: 20 }, async () => {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode(head));
      return connection;
    }));
    assertEquals((await post(server, task("t-1", "quick"), WAIT)).body.status, "success");
    for (const connection of slow) connection.close();
    assertEquals((await post(server, task("t-2", "quick"), WAIT)).body.status, "success");
  });
});

Deno.test("an answer that is too large is an attachment, which goes with its task", async () => {
  await inPlace("keep: {tasks: 1}\n", async ({ serve }) => {
    const server = await serve();
    const { body } = await post(server, task("t:1", "large"), WAIT);
    assertEquals(body.data, { summary: "Many rows.", top_items: ["first"], left_out: ["rows"] });
    const [reference] = body.attachments ?? [];
    const whole = await fetch(new URL(reference?.url ?? "", server.url));
    const text = await whole.text();
    assertEquals([JSON.parse(text).rows.length, text.length], [4000, reference?.bytes]);
    assertEquals((await ask(server, "/tasks/t:1/attachments/other")).status, 404);
  });
});

Deno.test("a page of another site that a browser shows can't hand tasks in", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    const { status } = await post(server, task("t-1", "quick"), { origin: "https://evil.example" });
    assertEquals(status, 403);
  });
});

Deno.test("an agent says what it is, how it is, and what it has done", async () => {
  await inPlace("", async ({ serve }) => {
    const server = await serve();
    await post(server, task("t-1", "quick"), WAIT);
    const { body } = await ask(server, "/tasks");
    assertEquals([body["schema"], body["name"], (body["intents"] as unknown[]).length], [
      "agent-description/1.0",
      "worker",
      8,
    ]);
    const metrics = await (await fetch(new URL("/metrics", server.url))).text();
    const wanted = [
      'rein_tasks_total{intent="quick",status="success",code=""} 1',
      "rein_tasks_running 0",
      'rein_task_seconds_count{intent="quick"} 1',
      'rein_tokens_total{direction="input"} 10',
    ];
    assertEquals(wanted.filter((line) => !metrics.includes(`${line}\n`)), []);
    assertEquals((await ask(server, "/health")).body.status as string, "ok");
  });
});

Deno.test("the agents of the examples do what their own examples ask", async () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  await inTempDir({}, async (directory) => {
    await new Deno.Command("cp", { args: ["-r", `${root}examples`, directory] }).output();
    for (const name of ["order-analysis", "alert-triage"]) {
      const args = ["serve", "--agent", `examples/agents/${name}.yaml`, "--listen", "127.0.0.1:0"];
      const child = start(SOURCE, [...args, "--output", "jsonl"], {
        cwd: directory,
        env: { XDG_STATE_HOME: `${directory}/state` },
      });
      const lines = child.stdout.pipeThrough(new TextDecoderStream());
      const reader = lines.getReader();
      const { url } = JSON.parse((await reader.read()).value?.split("\n")[0] ?? "{}");
      const { body } = await ask({ url }, "/tasks");
      const statuses: unknown[] = [];
      for (const intent of body["intents"] as { name: string; example: JsonObject }[]) {
        const example = task(`t-${intent.name}`, intent.name, { params: intent.example });
        statuses.push((await post({ url }, example, WAIT)).body.status);
      }
      assertEquals(statuses, ["success", "success"]);
      child.kill("SIGTERM");
      while (!(await reader.read()).done);
      assertEquals([(await child.status).code, await new Response(child.stderr).text() !== ""], [
        0,
        true,
      ]);
    }
    assertEquals(
      await Deno.readTextFile(`${directory}/notes/gateway-2026-11-29.md`),
      "The gateway was slow for three minutes.\n",
    );
  });
});

/** Starts an agent that can't be served; its exit code and what it says. */
async function fails(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<[number, string]> {
  const state = { XDG_STATE_HOME: `${directory}/state` };
  const child = start(SOURCE, ["serve", ...args], { cwd: directory, env: { ...state, ...env } });
  const { code, stderr } = await ended(child);
  return [code, stderr];
}

Deno.test("a server that can't be started says why in one line", async () => {
  await inPlace("", async ({ serve, directory }) => {
    const { url } = await serve();
    const at = new URL(url).host;
    const agent = ["--agent", "agent.yaml", "--listen"];
    const served = await fails(directory, [...agent, "127.0.0.1:0"]);
    assertEquals(served[0], 2);
    assertEquals(
      /^rein: Agent "worker" is served already, by process \d+\. .*\n$/.test(served[1]),
      true,
    );
    await Deno.writeTextFile(
      `${directory}/other.yaml`,
      (await Deno.readTextFile(`${directory}/agent.yaml`)).replace("name: worker", "name: other"),
    );
    assertEquals(await fails(directory, ["--agent", "other.yaml", "--listen", at]), [
      2,
      `rein: Something else listens on ${at} already. Choose another address with --listen.\n`,
    ]);
    assertEquals(await fails(directory, ["--agent", "other.yaml", "--listen", "0.0.0.0:0"]), [
      2,
      "rein: 0.0.0.0 can be reached by others, and other.yaml names no token. " +
      'Add "token: REIN_TOKEN_…" to it, or listen on 127.0.0.1.\n',
    ]);
    await Deno.writeTextFile(
      `${directory}/wrong.yaml`,
      "name: x\ndescription: y\nintents: []\nintent: 1\n",
    );
    assertEquals(await fails(directory, ["--agent", "wrong.yaml", "--listen", "127.0.0.1:0"]), [
      2,
      'rein: wrong.yaml:4:1: Unknown key "intent": remove it or correct its name. Correct the file.\n',
    ]);
  });
});
