import { assertEquals } from "@std/assert";
import { delegationOfRun, findAgents, mayDelegate } from "../../lib/cli/agents_of_run.ts";
import { taskTablePath } from "../../lib/delegate/task_table.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { inTempDir } from "../_temp.ts";
import { fakeEnvironment, fakePorts, MemoryFiles } from "../fakes.ts";

const AGENTS = `agents:
  - name: orders
    description: Looks at orders
    address: http://127.0.0.1:1/tasks
    token: REIN_TOKEN_ORDERS
    intents:
      - name: status
        description: Finds the state
        effect: read
        parameters: {type: object}
`;

const PORTS = fakePorts({
  files: new MemoryFiles({ "agents.yaml": AGENTS }),
  env: fakeEnvironment({ REIN_TOKEN_ORDERS: " secret-token \n" }),
});

const RUN = {
  wish: { options: {} },
  policy: undefined,
  kept: { session: { id: null }, results: { redact: (data: object) => data as never } },
  face: { steps: { warn: () => {} } },
};

Deno.test("mayDelegate() allows it within a delegated task where somebody says so, and the policy not no", () => {
  const parent = { task_id: "t-1" };
  const may = (directory: boolean, policy: boolean | undefined, option: boolean) =>
    mayDelegate({ parent, directory: { recursive: directory }, policy, option });
  assertEquals(
    [may(false, undefined, false), may(true, undefined, false), may(false, undefined, true)],
    [false, true, true],
  );
  assertEquals([may(false, true, false), may(true, false, true)], [true, false]);
  const nobody = { parent: null, directory: { recursive: false }, policy: false, option: false };
  assertEquals(mayDelegate(nobody), true);
});

Deno.test("findAgents() knows the tokens that must not be shown", async () => {
  const { directory, tokens } = await findAgents({ agents: ["agents.yaml"] }, PORTS);
  assertEquals([directory.agents.map(({ name }) => name), tokens], [["orders"], ["secret-token"]]);
  assertEquals((await findAgents({}, PORTS)).directory.agents, []);
});

Deno.test("delegationOfRun() gives nothing where there is nobody, or where it may not be", async () => {
  const nobody = await findAgents({}, PORTS);
  const agents = await findAgents({ agents: ["agents.yaml"] }, PORTS);
  const wish = { options: {}, parent: { task_id: "t-1" } };
  const given = [
    await delegationOfRun(nobody, PORTS, RUN),
    await delegationOfRun(agents, PORTS, { ...RUN, wish }),
    await delegationOfRun(agents, PORTS, {
      ...RUN,
      wish: { ...wish, options: { recursive: true } },
    }),
    await delegationOfRun(agents, PORTS, RUN),
  ];
  assertEquals(given.map(({ delegation }) => delegation !== null), [false, false, true, true]);
  for (const { close } of given) close();
});

Deno.test("delegationOfRun() keeps tasks on the disk where the session is kept", async () => {
  const agents = await findAgents({ agents: ["agents.yaml"] }, PORTS);
  await inTempDir({}, async (directory) => {
    const ports = { ...PORTS, databases: createDatabases(directory) };
    const there = async (id: string | null) => {
      const kept = { ...RUN.kept, session: { id } };
      (await delegationOfRun(agents, ports, { ...RUN, kept })).close();
      return await Deno.stat(taskTablePath(directory)).then(() => true, () => false);
    };
    assertEquals([await there(null), await there("s1")], [false, true]);
  });
});
