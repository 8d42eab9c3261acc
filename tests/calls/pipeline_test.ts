import { assertEquals } from "@std/assert";
import { Breaker } from "../../lib/calls/breaker.ts";
import { type CallPorts, type FinishedCall, runCall } from "../../lib/calls/pipeline.ts";
import type { EventBody } from "../../lib/events.ts";
import type { FinishReason, JudgeRequest, ToolCall } from "../../lib/types.ts";
import { evaluationOf, FakeClock, fakeResults, fakeTool, judgeAll, NEVER } from "../fakes.ts";

const NOBODY = { granted: false, by: "nobody", reason: "nobody is there" } as const;

function portsWith(overrides: Partial<CallPorts> = {}): CallPorts {
  return {
    tools: [fakeTool()],
    judge: judgeAll("allow"),
    approve: () => Promise.resolve(NOBODY),
    clock: new FakeClock(),
    results: fakeResults(),
    random: () => 0,
    breaker: new Breaker(),
    hint: () => null,
    runOf: () => "run1",
    readOnly: null,
    ...overrides,
  };
}

function callOf(name: string, args: string): ToolCall {
  return { id: "c1", name, arguments: args };
}

interface Taken {
  readonly events: readonly EventBody[];
  readonly finished: FinishedCall;
}

async function take(
  call: ToolCall,
  ports: CallPorts,
  options: { finishReason?: FinishReason; signal?: AbortSignal } = {},
): Promise<Taken> {
  const events: EventBody[] = [];
  const stages = runCall(call, options.finishReason ?? "calls", ports, options.signal ?? NEVER);
  for (let next = await stages.next();; next = await stages.next()) {
    if (next.done) return { events, finished: next.value };
    events.push(next.value);
  }
}

/** What became of a call that was refused before anything was judged. */
async function refusal(call: ToolCall, ports = portsWith(), finishReason?: FinishReason) {
  const { events, finished } = await take(call, ports, finishReason ? { finishReason } : {});
  assertEquals(events.map(({ type }) => type), ["call_proposed", "call_finished"]);
  assertEquals([finished.decision, finished.observation.status], [null, "error"]);
  return finished.observation.error;
}

Deno.test("runCall() tells every stage of an allowed call", async () => {
  const call = callOf("echo", '{"text":"hi"}');
  const observation = {
    status: "success",
    data: { text: "hi" },
    error: null,
    truncated: [],
    summary: "echoed",
  } as const;
  assertEquals(await take(call, portsWith()), {
    events: [
      { type: "call_proposed", call_id: "c1", tool: "echo", arguments: '{"text":"hi"}' },
      { type: "call_judged", call_id: "c1", tool: "echo", evaluation: evaluationOf("allow") },
      { type: "call_started", call_id: "c1", tool: "echo", brief: "hi" },
      {
        type: "call_finished",
        call_id: "c1",
        tool: "echo",
        brief: "hi",
        arguments: { text: "hi" },
        decision: "allow",
        observation,
        ms: 0,
      },
    ],
    finished: {
      call,
      arguments: { text: "hi" },
      decision: "allow",
      brief: "hi",
      observation,
      ms: 0,
    },
  });
});

Deno.test("runCall() names the closest tools to one that does not exist", async () => {
  const tools = ["run_shell", "read_file", "list_files"].map((name) => fakeTool({ name }));
  assertEquals(await refusal(callOf("run_shel", "{}"), portsWith({ tools })), {
    code: "unknown_tool",
    message: 'There is no tool "run_shel"',
    hint: "Did you mean run_shell?",
    retriable: false,
  });
  const without = await refusal(callOf("", "{}"), portsWith({ tools }));
  assertEquals(without?.hint, "The tools are run_shell, read_file, list_files.");
});

Deno.test("runCall() never repairs and runs a call that does not parse", async () => {
  let ran = 0;
  const run = () => {
    ran++;
    return Promise.resolve({ ok: true, data: {}, summary: "" } as const);
  };
  const ports = portsWith({ tools: [fakeTool({ run })] });
  const error = await refusal(callOf("echo", '{"text": "rm -rf /tmp/x'), ports);
  assertEquals([error?.code, ran], ["invalid_arguments", 0]);
});

Deno.test("runCall() never runs a call that was cut off, even if it parses", async () => {
  assertEquals(await refusal(callOf("echo", '{"text":"a"}'), portsWith(), "length"), {
    code: "cut_off",
    message: "The call was cut off by the output limit and was not run",
    hint: "Send it again, shorter.",
    retriable: false,
  });
});

Deno.test("runCall() refuses arguments that the schema does not admit", async () => {
  assertEquals(await refusal(callOf("echo", '{"text":1,"approved":true}')), {
    code: "invalid_arguments",
    message: 'Arguments of echo: field "approved" is not known (known are text); ' +
      'field "text" must be string, but is 1',
    hint: "Correct the arguments and send the call again.",
    retriable: false,
  });
});

Deno.test("runCall() hands the judge the tool, its effect and its subjects, and no more", async () => {
  const requests: JudgeRequest[] = [];
  const tool = fakeTool({
    effect: "execute",
    subjects: (args) => [{ kind: "command", command: String(args["text"]) }],
  });
  const judge = (request: JudgeRequest) => {
    requests.push(request);
    return Promise.resolve(evaluationOf("allow"));
  };
  await take(callOf("echo", '{"text":"ls"}'), portsWith({ tools: [tool], judge }));
  const subjects = [{ kind: "command", command: "ls" }] as const;
  assertEquals(requests, [{ tool: "echo", effect: "execute", subjects }]);
});

Deno.test("runCall() does not ask about what the policy denies", async () => {
  const { events, finished } = await take(
    callOf("echo", "{}"),
    portsWith({ judge: judgeAll("deny") }),
  );
  assertEquals(events.map(({ type }) => type), ["call_proposed", "call_judged", "call_finished"]);
  assertEquals([finished.decision, finished.observation.status, finished.observation.error?.code], [
    "deny",
    "denied",
    "denied_by_policy",
  ]);
});

Deno.test("runCall() runs what a person approves, and shows them what it is", async () => {
  const asked: unknown[] = [];
  const approve: CallPorts["approve"] = (request) => {
    asked.push(request);
    return Promise.resolve({ granted: true, by: "person", scope: "once" });
  };
  const ports = portsWith({ judge: judgeAll("ask"), approve });
  const { events, finished } = await take(callOf("echo", '{"text":"hi"}'), ports);
  assertEquals(events.map(({ type }) => type), [
    "call_proposed",
    "call_judged",
    "approval_requested",
    "approval_answered",
    "call_started",
    "call_finished",
  ]);
  assertEquals(asked, [{
    tool: "echo",
    arguments: { text: "hi" },
    brief: "hi",
    subjects: [],
    preview: null,
    evaluation: evaluationOf("ask"),
  }]);
  assertEquals([finished.decision, finished.observation.status], ["ask", "success"]);
});

Deno.test("runCall() does not run what nobody can approve", async () => {
  const { events, finished } = await take(
    callOf("echo", "{}"),
    portsWith({ judge: judgeAll("ask") }),
  );
  assertEquals(events.map(({ type }) => type), [
    "call_proposed",
    "call_judged",
    "approval_requested",
    "approval_answered",
    "call_finished",
  ]);
  assertEquals(finished.observation, {
    status: "denied",
    data: null,
    error: {
      code: "approval_needed",
      message: "Needs a person's approval and nobody is there: " +
        '"it" (rule test.ask: The test says so)',
      hint: "Do not try the same in another way. Use reading commands, " +
        "or tell the person what is needed.",
      retriable: false,
    },
    truncated: [],
    summary: "denied: Needs a person's approval and nobody is there: " +
      '"it" (rule test.ask: The test says so)',
  });
});

Deno.test("runCall() ends a call that cannot be judged without running it", async () => {
  const ports = portsWith({ judge: () => Promise.reject(new Error("No policy")) });
  const { events, finished } = await take(callOf("echo", "{}"), ports);
  assertEquals(events.map(({ type }) => type), ["call_proposed", "call_finished"]);
  assertEquals(finished.observation.error, {
    code: "internal",
    message: "The call could not be judged: No policy",
    hint: "Try another way.",
    retriable: false,
  });
});

Deno.test("runCall() runs nothing once the run is interrupted", async () => {
  let ran = 0;
  const run = () => {
    ran++;
    return Promise.resolve({ ok: true, data: {}, summary: "" } as const);
  };
  const controller = new AbortController();
  const judge = () => {
    controller.abort();
    return Promise.resolve(evaluationOf("allow"));
  };
  const ports = portsWith({ tools: [fakeTool({ run })], judge });
  const { finished } = await take(callOf("echo", "{}"), ports, { signal: controller.signal });
  assertEquals([finished.observation.status, ran], ["cancelled", 0]);
});

Deno.test("runCall() lets a tool ask whether it may read a path", async () => {
  const judge = (request: JudgeRequest) => {
    const [subject] = request.subjects;
    const denied = subject?.kind === "path" && subject.path.endsWith("secret");
    return Promise.resolve(evaluationOf(denied ? "deny" : "allow"));
  };
  const run: ReturnType<typeof fakeTool>["run"] = async (_args, { mayRead }) => {
    const data = { notes: await mayRead("/a/notes"), secret: await mayRead("/a/secret") };
    return { ok: true, data, summary: "" };
  };
  const ports = portsWith({ judge, tools: [fakeTool({ run })] });
  const { finished } = await take(callOf("echo", "{}"), ports);
  assertEquals(finished.observation.data, { notes: true, secret: false });
});

Deno.test("runCall() lets a tool ask whether it may reach a host", async () => {
  const judged: JudgeRequest[] = [];
  const judge = (request: JudgeRequest) => {
    judged.push(request);
    const [subject] = request.subjects;
    const asks = subject?.kind === "host" && subject.host === "other.com";
    return Promise.resolve(evaluationOf(asks ? "ask" : "allow"));
  };
  const run: ReturnType<typeof fakeTool>["run"] = async (_args, { mayReach }) => {
    const data = { known: await mayReach("known.com"), other: await mayReach("other.com") };
    return { ok: true, data, summary: "" };
  };
  const ports = portsWith({ judge, tools: [fakeTool({ run })] });
  const { finished } = await take(callOf("echo", "{}"), ports);
  assertEquals(finished.observation.data, { known: true, other: false });
  assertEquals(judged[1], {
    tool: "echo",
    effect: "network",
    subjects: [{ kind: "host", host: "known.com", access: "read" }],
  });
});

Deno.test("runCall() puts the call in one short line, whatever it holds", async () => {
  const briefOf = async (text: string) => {
    const call = callOf("echo", JSON.stringify({ text }));
    const last = (await take(call, portsWith())).events.at(-1);
    return last?.type === "call_finished" ? last.brief : null;
  };
  assertEquals(await briefOf(" a\n\tb  c "), "a b c");
  assertEquals(await briefOf(`${"x".repeat(118)}😀 and more`), `${"x".repeat(118)}…`);
});

Deno.test("runCall() measures by the clock", async () => {
  const clock = new FakeClock(1000);
  const judge = async () => {
    await clock.advance(25);
    return evaluationOf("allow");
  };
  const { finished } = await take(callOf("echo", "{}"), portsWith({ clock, judge }));
  assertEquals(finished.ms, 25);
});
