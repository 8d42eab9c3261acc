import { assertEquals } from "@std/assert";
import { createTransport, type TransportOptions } from "../../lib/delegate/transport.ts";
import type { Agent, Transport } from "../../lib/delegate/types.ts";
import { fakePorts, NEVER } from "../fakes.ts";
import { agentAt, failureOf, RESULT, TASK } from "./_agents.ts";

const UNHEARD = { accepted: () => {} };

function transport(agent: Partial<Agent>, options: Partial<TransportOptions> = {}): Transport {
  const ports = fakePorts({ fetch: () => Promise.resolve(Response.json(RESULT)) });
  return createTransport(agentAt("http://127.0.0.1:1/", agent), ports, {
    variable: () => undefined,
    ...options,
  });
}

Deno.test("createTransport() speaks what the agent's address says", async () => {
  assertEquals(await transport({}).send(TASK, UNHEARD, NEVER), RESULT);
  const program = transport({ address: { transport: "process", command: ["agent"] } });
  assertEquals(await failureOf(program.report(NEVER)), [
    "unreachable",
    'Agent "orders": No program may be started here',
    false,
  ]);
});

Deno.test("createTransport() loads the way to an agent of A2A once, with its token", async () => {
  const address: Agent["address"] = { transport: "a2a", url: new URL("http://127.0.0.1:1/card") };
  const loaded: (readonly [name: string, token: string | null])[] = [];
  const speaking = transport({ address, tokenVariable: "T" }, {
    variable: () => "s3cret",
    a2a: (agent, token) => {
      loaded.push([agent.name, token]);
      return Promise.resolve(transport({}));
    },
  });
  assertEquals(await speaking.send(TASK, UNHEARD, NEVER), RESULT);
  assertEquals(await speaking.recover(TASK, null, NEVER), RESULT);
  await speaking.cancel("t-1", null, NEVER);
  assertEquals(loaded, [["orders", "s3cret"]]);
});

Deno.test("createTransport() says at each use why there is no way to an agent", async () => {
  const address: Agent["address"] = { transport: "a2a", url: new URL("http://127.0.0.1:1/card") };
  const none = transport({ address });
  const failures = [
    await failureOf(none.report(NEVER)),
    await failureOf(none.send(TASK, UNHEARD, NEVER)),
    await failureOf(transport({ address, tokenVariable: "T" }).report(NEVER)),
  ];
  assertEquals(failures, [
    ["unreachable", 'Agent "orders" speaks A2A, which this rein does not', false],
    ["unreachable", 'Agent "orders" speaks A2A, which this rein does not', false],
    ["unauthorized", 'Agent "orders" needs a token, and the variable T is not set', false],
  ]);
});
