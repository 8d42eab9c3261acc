import { assertEquals } from "@std/assert";
import type { Grants, Processes, WorkerEvents, WorkerKind } from "../../lib/ports.ts";
import { createSandbox, type SandboxPorts } from "../../lib/sandbox/sandbox.ts";
import type { ToWorker } from "../../lib/sandbox/messages.ts";
import type { Tool, ToolOutcome } from "../../lib/types.ts";
import { CONTEXT, FakeClock, fakeTool } from "../fakes.ts";

const PLACE = { cwd: "/work", realPath: (path: string) => path };

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
  const sandbox = createSandbox({}, ports, { ...PLACE, mainSide: ["todo"] });
  const tools = ["run_shell", "todo", "read_file"].map((name) => fakeTool({ name }));
  const confined = sandbox.confine(tools);
  const own = await confined[1]!.run({ text: "mine" }, CONTEXT);
  assertEquals([confined[0] === tools[0], dataOf(own)], [true, { text: "mine" }]);
  const outcome = await confined[2]!.run({}, CONTEXT);
  assertEquals([dataOf(outcome), dropped], [{ kind: "tools", write: [] }, []]);
  sandbox.end();
});

Deno.test("createSandbox() contains the shell where no program may start, and gives the right up", async () => {
  const { ports, dropped } = setUp({ runs: false });
  const sandbox = createSandbox({}, ports, PLACE);
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
  const sandbox = createSandbox({}, ports, PLACE);
  const subjects = () => [{ kind: "path", access: "write", path: "out/a" }] as const;
  const [tool] = sandbox.confine([fakeTool({ name: "write_file", subjects })]);
  const outcome = await tool!.run({}, CONTEXT);
  assertEquals([dataOf(outcome), ended], [{ kind: "tools", write: ["/work/out"] }, ["tools"]]);
  sandbox.end();
});

Deno.test("createSandbox() holds the tools of the main side to what is granted", async () => {
  const { ports } = setUp({ runs: true });
  // A link leads from the granted folder to another one; what is not there yet has no path.
  const realPath = (path: string) =>
    path.startsWith("/work/out/new") ? null : path.replace("/work/out/link", "/etc");
  const walls = { write: ["out"], net: ["api.example.com"] };
  const place = { cwd: "/work", realPath, mainSide: ["writer", "asker"] };
  const sandbox = createSandbox(walls, ports, place);
  const [writer, asker] = sandbox.confine([
    fakeTool({
      name: "writer",
      subjects: ({ text }) => [{ kind: "path", access: "write", path: String(text) }],
    }),
    fakeTool({ name: "asker", subjects: ({ text }) => [{ kind: "host", host: String(text) }] }),
  ]);
  const codeOf = async (tool: Tool | undefined, text: string) => {
    const outcome = await tool!.run({ text }, CONTEXT);
    return outcome.ok ? "ran" : outcome.error.code;
  };
  assertEquals(await codeOf(writer, "out/new/a"), "ran");
  for (const path of ["a", "out/../a", "out/link/passwd", "/etc/passwd", "outside/a"]) {
    assertEquals(await codeOf(writer, path), "no_permission");
  }
  assertEquals(await codeOf(asker, "api.example.com"), "ran");
  assertEquals(await codeOf(asker, "example.com"), "no_permission");
  sandbox.end();
});
