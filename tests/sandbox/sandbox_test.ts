import { assertEquals } from "@std/assert";
import type { Grants, Processes, WorkerEvents, WorkerKind } from "../../lib/ports.ts";
import { createSandbox, type SandboxPorts } from "../../lib/sandbox/sandbox.ts";
import type { ToWorker } from "../../lib/sandbox/messages.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { CONTEXT, FakeClock, fakeTool } from "../fakes.ts";

/** Ports whose workers answer every call with their kind and grants. */
function setUp(options: { readonly runs: boolean }) {
  const dropped: string[] = [];
  const ended: WorkerKind[] = [];
  const start = (kind: WorkerKind, grants: Grants, events: WorkerEvents) => ({
    post: (message: unknown) => {
      const { type, call } = message as ToWorker & { readonly call: number };
      if (type !== "run") return;
      const outcome = { ok: true, data: { kind, write: grants.write }, summary: "" };
      queueMicrotask(() => events.message({ type: "outcome", call, outcome }));
    },
    end: () => void ended.push(kind),
  });
  const processes: Processes = {
    available: () => options.runs,
    run: () => Promise.reject(new Error("Not here")),
  };
  const ports: SandboxPorts = {
    workers: { start, memoryBytes: () => 0 },
    processes,
    permissions: { holds: () => true, drop: (kind) => void dropped.push(kind) },
    clock: new FakeClock(),
  };
  return { ports, dropped, ended };
}

const dataOf = (outcome: ToolOutcome) => outcome.ok && outcome.data;

Deno.test("createSandbox() leaves the host's shell on the main side and takes the rest into workers", async () => {
  const { ports, dropped } = setUp({ runs: true });
  const sandbox = createSandbox({}, ports, { cwd: "/work", mainSide: ["todo"] });
  const tools = ["run_shell", "todo", "read_file"].map((name) => fakeTool({ name }));
  const confined = sandbox.confine(tools);
  assertEquals([confined[0] === tools[0], confined[1] === tools[1]], [true, true]);
  const outcome = await confined[2]!.run({}, CONTEXT);
  assertEquals([dataOf(outcome), dropped], [{ kind: "tools", write: [] }, []]);
  sandbox.end();
});

Deno.test("createSandbox() contains the shell where no program may start, and gives the right up", async () => {
  const { ports, dropped } = setUp({ runs: false });
  const sandbox = createSandbox({}, ports, { cwd: "/work" });
  const [shell] = sandbox.confine([fakeTool({ name: "run_shell" })]);
  const outcome = await shell!.run({}, CONTEXT);
  assertEquals([dataOf(outcome), dropped], [{ kind: "shell", write: [] }, ["run"]]);
  assertEquals([sandbox.processes.available(), sandbox.processes.programs?.includes("awk")], [
    true,
    true,
  ]);
  sandbox.end();
});

Deno.test("createSandbox() gives a call that writes a worker of its own, and ends it", async () => {
  const { ports, ended } = setUp({ runs: true });
  const sandbox = createSandbox({}, ports, { cwd: "/work" });
  const subjects = () => [{ kind: "path", access: "write", path: "out/a" }] as const;
  const [tool] = sandbox.confine([fakeTool({ name: "write_file", subjects })]);
  const outcome = await tool!.run({}, CONTEXT);
  assertEquals([dataOf(outcome), ended], [{ kind: "tools", write: ["/work/out"] }, ["tools"]]);
  sandbox.end();
});
