import { assertEquals } from "@std/assert";
import { NetworkError } from "../../lib/ports.ts";
import type { Tool, ToolOutcome } from "../../lib/types.ts";
import type { RunShellArgs } from "../../tools/run_shell.ts";
import { createWaitFor, type WaitForArgs } from "../../tools/wait_for.ts";
import { aborted, CONTEXT, FakeClock, FakeNetwork, fakeTool, settle } from "../fakes.ts";

/** A shell in which every command ends with the next code, the last one again and again. */
function shellEnding(...codes: readonly number[]): Tool<RunShellArgs> {
  let runs = 0;
  const run = () => {
    const code = codes[Math.min(runs++, codes.length - 1)] ?? 0;
    const data = { exit_code: code, stdout: code === 0 ? "ready\n" : "", stderr: "not yet" };
    return Promise.resolve<ToolOutcome>({ ok: true, data, summary: "" });
  };
  return fakeTool({ run }) as unknown as Tool<RunShellArgs>;
}

interface World {
  readonly clock: FakeClock;
  readonly network: FakeNetwork;
  readonly shell: Tool<RunShellArgs> | null;
}

function worldWith(overrides: Partial<World> = {}): World {
  const clock = new FakeClock();
  return { clock, network: new FakeNetwork({}), shell: shellEnding(0), ...overrides };
}

/** Waits while the clock goes on, half a second at a time. */
async function wait(args: WaitForArgs, world: World, signal = CONTEXT.signal) {
  let ended = false;
  const running = createWaitFor(world).run(args, { ...CONTEXT, signal })
    .finally(() => ended = true);
  while (!ended) {
    await settle();
    if (!ended) await world.clock.advance(500);
  }
  assertEquals(world.clock.sleeping, 0);
  return await running;
}

Deno.test("wait_for tries a command until it succeeds", async () => {
  assertEquals(await wait({ command: "is-up" }, worldWith({ shell: shellEnding(1, 1, 0) })), {
    ok: true,
    data: { met: true, attempts: 3, waited_ms: 4000, last_seen: "exit 0: ready" },
    summary: "met after 4 s: exit 0: ready",
  });
});

Deno.test("wait_for says what it saw last when time is over", async () => {
  const args = { command: "is-up", interval_ms: 1000, within_ms: 3000 };
  assertEquals(await wait(args, worldWith({ shell: shellEnding(1) })), {
    ok: true,
    data: { met: false, attempts: 3, waited_ms: 3000, last_seen: "exit 1: not yet" },
    summary: "not met after 3 s: exit 1: not yet",
  });
});

Deno.test("wait_for can wait for an end and for a text", async () => {
  const ended = await wait(
    { command: "pgrep x", gone: true },
    worldWith({
      shell: shellEnding(0, 1),
    }),
  );
  assertEquals(ended.ok ? ended.data["attempts"] : null, 2);
  const args = { command: "status", contains: "done", within_ms: 1000 };
  const without = await wait(args, worldWith());
  assertEquals(without.ok ? without.data["met"] : null, false);
});

Deno.test("wait_for ends a command that runs when time is over", async () => {
  let killed = false;
  const run: Tool["run"] = async (_args, { signal }) => {
    await aborted(signal);
    killed = true;
    return { ok: true, data: { exit_code: 143, stdout: "", stderr: "" }, summary: "" };
  };
  const shell = fakeTool({ run }) as unknown as Tool<RunShellArgs>;
  const outcome = await wait({ command: "sleep 99", within_ms: 1000 }, worldWith({ shell }));
  assertEquals([killed, outcome.ok ? outcome.data : null], [true, {
    met: false,
    attempts: 1,
    waited_ms: 1000,
    last_seen: "nothing was seen in time",
  }]);
});

Deno.test("wait_for waits for a port of any address of its host", async () => {
  const network = new FakeNetwork({ localhost: ["::1", "127.0.0.1"] });
  let tries = 0;
  network.connect = (address, port) =>
    address === "127.0.0.1" && ++tries === 2
      ? Promise.resolve()
      : Promise.reject(new NetworkError("refused", `${address} port ${port} refused`));
  assertEquals(await wait({ port: "localhost:5432" }, worldWith({ network })), {
    ok: true,
    data: { met: true, attempts: 2, waited_ms: 2000, last_seen: "127.0.0.1 port 5432 is open" },
    summary: "met after 2 s: 127.0.0.1 port 5432 is open",
  });
});

Deno.test("wait_for waits for a URL through failures and 503", async () => {
  let tries = 0;
  const network = new FakeNetwork({}, () => {
    tries++;
    if (tries === 1) return new NetworkError("refused", "refused");
    return tries === 2 ? { status: 503 } : { body: '{"status":"ok"}' };
  });
  const args = { url: "http://10.0.0.1/health", contains: '"ok"' };
  assertEquals(await wait(args, worldWith({ network })), {
    ok: true,
    data: { met: true, attempts: 3, waited_ms: 4000, last_seen: "status 200, 15 bytes" },
    summary: "met after 4 s: status 200, 15 bytes",
  });
});

Deno.test("wait_for does not wait for what can't come", async () => {
  const network = new FakeNetwork({ "public.com": ["10.0.0.7"] });
  for (
    const [args, code] of [
      [{ url: "http://169.254.169.254/" }, "metadata"],
      [{ port: "169.254.169.254:80" }, "metadata"],
      [{ port: "public.com:80" }, "private_address"],
      [{}, "invalid_arguments"],
      [{ port: "a:1", url: "http://a/" }, "invalid_arguments"],
    ] as const
  ) {
    const outcome = await wait(args, worldWith({ network }));
    assertEquals([args, outcome.ok ? null : outcome.error.code], [args, code]);
  }
});

Deno.test("wait_for ends when the run is interrupted", async () => {
  const run = new AbortController();
  const world = worldWith({ shell: shellEnding(1) });
  const running = createWaitFor(world).run({ command: "x" }, { ...CONTEXT, signal: run.signal });
  await settle();
  run.abort();
  const outcome = await running;
  assertEquals([outcome.ok ? outcome.data["met"] : null, world.clock.sleeping], [false, 0]);
});

Deno.test("wait_for has its command judged like one, its hosts like hosts", () => {
  const tool = createWaitFor(worldWith());
  assertEquals([
    tool.subjects({ command: "rm x" }),
    tool.subjects({ port: "0x7f.1:80" }),
    tool.subjects({ port: "[::1]:80" }),
    tool.subjects({ url: "http://A.example:8080/x" }),
    tool.brief({ port: "a:1", gone: true }),
  ], [
    [{ kind: "command", command: "rm x" }],
    [{ kind: "host", host: "127.0.0.1", access: "read" }],
    [{ kind: "host", host: "::1", access: "read" }],
    [{ kind: "host", host: "a.example", access: "read" }],
    "a:1 gone, up to 60 s",
  ]);
});

Deno.test("wait_for offers no command where none may run", async () => {
  const tool = createWaitFor(worldWith({ shell: null }));
  assertEquals([tool.effect, "command" in tool.parameters.properties], ["network", false]);
  const outcome = await tool.run({ command: "x" }, CONTEXT);
  assertEquals(outcome.ok, false);
});
