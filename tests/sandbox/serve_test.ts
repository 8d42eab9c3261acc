import { assertEquals } from "@std/assert";
import type { FromWorker } from "../../lib/sandbox/messages.ts";
import { createServer } from "../../lib/sandbox/serve.ts";
import { createStopFlag, raise } from "../../lib/sandbox/stop_flag.ts";
import type { Tool } from "../../lib/types.ts";
import { aborted, CONTEXT, fakeTool, settle } from "../fakes.ts";

const PLACE = { cwd: "/work", grants: { read: true, write: [], net: [] }, limits: {} } as const;

/** A worker's side with one tool, told where it is, and what it says. */
function setUp(run: Tool["run"]) {
  const said: FromWorker[] = [];
  const take = createServer(() => [fakeTool({ run })], {
    collect: CONTEXT.collect,
    post: (message) => void said.push(message),
  });
  take({ type: "place", place: PLACE });
  return { said, take };
}

Deno.test("createServer() runs a tool and says what came of it", async () => {
  const { said, take } = setUp((args) => Promise.resolve({ ok: true, data: args, summary: "x" }));
  take({ type: "run", call: 7, tool: "echo", args: { text: "a" }, stop: createStopFlag() });
  await settle();
  const outcome = { ok: true, data: { text: "a" }, summary: "x" } as const;
  assertEquals(said, [{ type: "outcome", call: 7, outcome }]);
});

Deno.test("createServer() says what a tool threw, and that a tool is not there", async () => {
  const { said, take } = setUp(() => Promise.reject(new RangeError("too far")));
  take({ type: "run", call: 1, tool: "echo", args: {}, stop: createStopFlag() });
  take({ type: "run", call: 2, tool: "other", args: {}, stop: createStopFlag() });
  await settle();
  assertEquals(said.toSorted((a, b) => a.call - b.call), [
    { type: "thrown", call: 1, message: "too far" },
    { type: "thrown", call: 2, message: 'The worker has no tool "other"' },
  ]);
});

Deno.test("createServer() hands questions on and waits for the answers", async () => {
  const { said, take } = setUp(async (_args, { mayRead }) => {
    const data = { a: await mayRead("/a"), b: await mayRead("/b") };
    return { ok: true, data, summary: "" };
  });
  take({ type: "run", call: 1, tool: "echo", args: {}, stop: createStopFlag() });
  await settle();
  take({ type: "answer", question: 1, allowed: true });
  await settle();
  take({ type: "answer", question: 2, allowed: false });
  await settle();
  assertEquals(said, [
    { type: "question", call: 1, question: 1, about: "read", name: "/a" },
    { type: "question", call: 1, question: 2, about: "read", name: "/b" },
    { type: "outcome", call: 1, outcome: { ok: true, data: { a: true, b: false }, summary: "" } },
  ]);
});

Deno.test("createServer() cancels the call that is named, and no other", async () => {
  const { said, take } = setUp(async (args, { signal }) => {
    await aborted(signal);
    return { ok: true, data: args, summary: "cancelled" };
  });
  take({ type: "run", call: 1, tool: "echo", args: {}, stop: createStopFlag() });
  take({ type: "run", call: 2, tool: "echo", args: {}, stop: createStopFlag() });
  await settle();
  take({ type: "cancel", call: 2 });
  take({ type: "cancel", call: 3 });
  await settle();
  assertEquals(said.map(({ type, call }) => [type, call]), [["outcome", 2]]);
});

Deno.test("createServer() lets a tool that never waits see that it should stop", async () => {
  const seen: boolean[] = [];
  const stop = createStopFlag();
  const { said, take } = setUp((args, { signal }) => {
    seen.push(signal.aborted);
    raise(stop);
    seen.push(signal.aborted);
    signal.throwIfAborted();
    return Promise.resolve({ ok: true, data: args, summary: "" });
  });
  take({ type: "run", call: 1, tool: "echo", args: {}, stop });
  await settle();
  assertEquals([seen, said], [[false, true], [
    { type: "thrown", call: 1, message: "The call was stopped" },
  ]]);
});
