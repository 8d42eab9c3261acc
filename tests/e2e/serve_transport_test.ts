import { assertEquals } from "@std/assert";
import { createTransport } from "../../lib/delegate/transport.ts";
import type { Agent } from "../../lib/delegate/types.ts";
import { createRealPorts } from "../../lib/real/ports.ts";
import { NEVER } from "../fakes.ts";
import { inPlace, task } from "./_serve.ts";

/** The agent as a caller's directory has it. */
function agentAt(url: string): Agent {
  return {
    name: "worker",
    description: "For tests",
    address: { transport: "http", url: new URL(url) },
    intents: [],
    timeoutMs: 60_000,
    tokenVariable: null,
    concurrency: 4,
    idempotent: true,
    policy: null,
    file: "agents.yaml",
  };
}

Deno.test("rein's own way to an agent gets results from rein serve, over a crash of it too", async () => {
  await inPlace("", async ({ serve, go, changes }) => {
    const ports = createRealPorts();
    const options = { variable: () => undefined };
    const first = await serve();
    const transport = createTransport(agentAt(first.url), ports, options);
    const events = { accepted: () => {} };
    const result = await transport.send(task("t-1", "once"), events, NEVER);
    assertEquals([result.status, result.data], ["success", { summary: "Done.", top_items: [] }]);
    const report = await transport.report(NEVER);
    assertEquals([report.protocols, report.intents?.length], [["agent-task/1.0"], 8]);
    const gone = new AbortController();
    const sending = transport.send(task("t-2", "change"), events, gone.signal).catch(() => null);
    await first.told("task_step", 3);
    first.child.kill("SIGKILL");
    await first.child.status;
    gone.abort();
    await sending;
    await go();
    const second = await serve();
    const again = createTransport(agentAt(second.url), ports, options);
    assertEquals((await again.recover(task("t-2", "change"), null, NEVER))?.status, "success");
    assertEquals(await again.recover(task("t-3", "once"), null, NEVER), null);
    await again.cancel("t-2", null, NEVER);
    assertEquals(await changes(), ["once", "change"]);
  });
});
