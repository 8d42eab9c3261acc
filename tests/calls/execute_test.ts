import { assertEquals } from "@std/assert";
import { execute } from "../../lib/calls/execute.ts";
import type { Tool, ToolOutcome } from "../../lib/types.ts";
import { aborted, CONTEXT, FakeClock, fakeResults, fakeTool, settle } from "../fakes.ts";

const TIMEOUT = {
  code: "timeout",
  message: "echo did not end within 1000 ms and was stopped",
  hint: "Ask for less at once, or give a longer time limit if the tool takes one.",
  retriable: false,
};

const INTERRUPTED = {
  code: "interrupted",
  message: "The run was interrupted",
  hint: "Nothing to do: the run ends here.",
  retriable: false,
};

function tool(run: Tool["run"]): Tool {
  return fakeTool({ run });
}

/** Brings back what it has once it is told to end. */
const obedient = tool(async (_args, { signal }): Promise<ToolOutcome> => {
  await aborted(signal);
  return { ok: true, data: { stdout: "half" }, summary: "half" };
});

/** Never ends. */
const deaf = tool(() => new Promise(() => {}));

Deno.test("execute() gives what the tool brought back and leaves nothing waiting", async () => {
  const clock = new FakeClock();
  assertEquals(
    await execute(fakeTool(), { text: "a" }, { ...CONTEXT, results: fakeResults(), clock }),
    {
      status: "success",
      data: { text: "a" },
      error: null,
      truncated: [],
      summary: "echoed",
    },
  );
  assertEquals(clock.sleeping, 0);
});

Deno.test("execute() no longer listens to its run once the call has ended", async () => {
  const clock = new FakeClock();
  const run = new AbortController();
  const { signal } = run;
  await execute(fakeTool(), { text: "a" }, { ...CONTEXT, results: fakeResults(), clock, signal });
  const { sleep } = clock;
  let slept = 0;
  clock.sleep = (ms, until) => {
    slept++;
    return sleep.call(clock, ms, until);
  };
  run.abort();
  assertEquals(slept, 0);
});

Deno.test("execute() keeps what a tool had when its time was over", async () => {
  const clock = new FakeClock();
  const running = execute(obedient, {}, { ...CONTEXT, results: fakeResults(), clock });
  await clock.advance(1000);
  assertEquals(await running, {
    status: "timeout",
    data: { stdout: "half" },
    error: TIMEOUT,
    truncated: [],
    summary: `timeout: ${TIMEOUT.message}`,
  });
  assertEquals(clock.sleeping, 0);
});

Deno.test("execute() waits as long as the call asks for", async () => {
  const clock = new FakeClock();
  const running = execute(obedient, { timeout_ms: 5000 }, {
    ...CONTEXT,
    results: fakeResults(),
    clock,
  });
  await clock.advance(4999);
  const before = await Promise.race([running, settle()]);
  await clock.advance(1);
  assertEquals([before, (await running).status], [undefined, "timeout"]);
});

Deno.test("execute() gives up on a tool that does not listen", async () => {
  const clock = new FakeClock();
  const running = execute(deaf, {}, { ...CONTEXT, results: fakeResults(), clock });
  await clock.advance(1000);
  await clock.advance(2000);
  assertEquals(await running, {
    status: "timeout",
    data: null,
    error: TIMEOUT,
    truncated: [],
    summary: `timeout: ${TIMEOUT.message}`,
  });
  assertEquals(clock.sleeping, 0);
});

Deno.test("execute() ends cancelled, with what there was, when the run is interrupted", async () => {
  const clock = new FakeClock();
  const run = new AbortController();
  const running = execute(obedient, {}, {
    ...CONTEXT,
    results: fakeResults(),
    clock,
    signal: run.signal,
  });
  run.abort();
  assertEquals(await running, {
    status: "cancelled",
    data: { stdout: "half" },
    error: INTERRUPTED,
    truncated: [],
    summary: "cancelled: The run was interrupted",
  });
});

Deno.test("execute() starts nothing in a run that was interrupted before", async () => {
  let started = 0;
  const counting = tool(() => {
    started++;
    return Promise.resolve({ ok: true, data: {}, summary: "" });
  });
  const run = {
    ...CONTEXT,
    results: fakeResults(),
    clock: new FakeClock(),
    signal: AbortSignal.abort(),
  };
  assertEquals([(await execute(counting, {}, run)).status, started], ["cancelled", 0]);
});

Deno.test("execute() turns what a tool throws into an error", async () => {
  const broken = tool(() => Promise.reject(new Error("Out of luck")));
  assertEquals(
    await execute(broken, {}, { ...CONTEXT, results: fakeResults(), clock: new FakeClock() }),
    {
      status: "error",
      data: null,
      error: {
        code: "tool_failed",
        message: "Out of luck",
        hint: "Try another way; this one is broken.",
        retriable: false,
      },
      truncated: [],
      summary: "error: Out of luck",
    },
  );
});

Deno.test("execute() turns what a tool throws at once into an error", async () => {
  const broken = tool(() => {
    throw "a string";
  });
  const { status, error } = await execute(broken, {}, {
    ...CONTEXT,
    results: fakeResults(),
    clock: new FakeClock(),
  });
  assertEquals([status, error?.message], ["error", "a string"]);
});
