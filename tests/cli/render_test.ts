import { assertEquals } from "@std/assert";
import { createLiveText } from "../../lib/cli/live_text.ts";
import { createRenderer, failedResult, type Output } from "../../lib/cli/render.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import { run, type RunPorts } from "../../lib/loop.ts";
import type { Event, RunResult } from "../../lib/events.ts";
import { fakeRunPorts, FakeTerminal, NEVER, ScriptedModel, type ScriptedTurn } from "../fakes.ts";

const BESIDE: ScriptedTurn = {
  text: ["Let me ", "look."],
  calls: [{ name: "echo", arguments: {} }],
};

/** What a run of these turns prints on stdout, and the run's result. */
async function printed(
  output: Output,
  turns: readonly ScriptedTurn[],
  options: { live?: boolean; ports?: Partial<RunPorts> } = {},
): Promise<{ stdout: string; stderr: string; result: RunResult; events: Event[] }> {
  const terminal = new FakeTerminal({ stdoutIsTerminal: options.live ?? false });
  const live = options.live === true && output === "text";
  const render = live ? createLiveText(terminal) : createRenderer(output, terminal);
  const ports = fakeRunPorts(new ScriptedModel(...turns), options.ports);
  const events: Event[] = [];
  const running = run({ task: "t" }, ports, NEVER);
  for (let next = await running.next();; next = await running.next()) {
    const { stdout, stderr } = terminal;
    if (next.done) return { stdout, stderr, result: next.value, events };
    events.push(next.value);
    await render(next.value);
  }
}

async function stdoutOf(
  turns: readonly ScriptedTurn[],
  options: { live?: boolean; ports?: Partial<RunPorts> } = {},
): Promise<string> {
  return (await printed("text", turns, options)).stdout;
}

Deno.test("createRenderer() gives a pipe the answer alone, with a line end", async () => {
  assertEquals([
    await stdoutOf([BESIDE, { text: ["It is ", "fine."] }]),
    await stdoutOf([{ text: "fine\n" }]),
  ], ["It is fine.\n", "fine\n"]);
});

Deno.test("createRenderer() gives a pipe nothing where there is no answer", async () => {
  const ports = { limits: { ...DEFAULT_LIMITS, maxSteps: 1 } };
  const silent: ScriptedTurn = { calls: [{ name: "echo" }] };
  assertEquals(await stdoutOf([silent], { ports }), "");
});

Deno.test("createRenderer() gives a pipe the answer as the model wrote it", async () => {
  assertEquals(await stdoutOf([{ text: "a\u001b[1mb\r\n" }]), "a\u001b[1mb\r\n");
});

Deno.test("createLiveText() shows every word, turns apart, safe for the terminal", async () => {
  assertEquals([
    await stdoutOf([BESIDE, { text: ["It is ", "fine."] }], { live: true }),
    await stdoutOf([{ text: ["a\n", "\u001b[2J", "b\n"] }], { live: true }),
  ], ["Let me look.\nIt is fine.\n", "a\n[2Jb\n"]);
});

Deno.test("createLiveText() shows Markdown to a person, whole at the end of each turn", async () => {
  const terminal = new FakeTerminal({ stdoutIsTerminal: true });
  const markdown = { styles: createStyles(true), columns: () => 80 };
  const render = createLiveText(terminal, markdown);
  const turns: ScriptedTurn[] = [
    { text: ["an **open", " end"], calls: [{ name: "echo" }] },
    { text: ["It is **fi", "ne**."] },
  ];
  const running = run({ task: "t" }, fakeRunPorts(new ScriptedModel(...turns)), NEVER);
  for await (const event of running) await render(event);
  assertEquals(terminal.stdout, "an **open end\nIt is \x1b[1mfine\x1b[22m.\n");
});

Deno.test("createLiveText() ends the line of a person whose run was cut off", async () => {
  const cut = async function* () {
    yield { type: "text", text: "It is" } as const;
    await Promise.resolve();
    throw new DOMException("cut");
  };
  const terminal = new FakeTerminal({ stdoutIsTerminal: true });
  const render = createLiveText(terminal);
  const running = run({ task: "t" }, fakeRunPorts(new ScriptedModel(cut)), NEVER);
  const following = (async () => {
    for await (const event of running) await render(event);
  })();
  await following.catch(() => {});
  const base = { schema: "rein-event/1", at: "", run_id: "run1", step: 1 } as const;
  const result = failedResult("run1", { code: "x", message: "x", hint: "" }, null);
  await render({ ...base, type: "run_finished", result });
  assertEquals(terminal.stdout, "It is\n");
});

Deno.test("createRenderer() prints the result as one line of JSON", async () => {
  const { stdout, stderr, result } = await printed("json", [BESIDE, { text: "中\n文" }], {
    live: true,
  });
  assertEquals([stdout, stderr], [`${JSON.stringify(result)}\n`, ""]);
});

Deno.test("createRenderer() prints every event as a line of JSON", async () => {
  const { stdout, events } = await printed("jsonl", [BESIDE, { text: "fine" }]);
  assertEquals(stdout, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
});

Deno.test("failedResult() has what a result has", () => {
  const error = { code: "usage", message: "No question", hint: "Ask." };
  const expected = {
    schema: "rein-result/1",
    run_id: "run1",
    status: "failed",
    stop_reason: null,
    answer: null,
    data: null,
    model: null,
    steps: 0,
    usage: { input_tokens: 0, output_tokens: 0, estimated: false },
    cost: null,
    elapsed_ms: 0,
    session: null,
    calls: [],
    facts: [],
    ending: null,
    error,
  } as const;
  assertEquals(failedResult("run1", error, null), expected);
  assertEquals(failedResult("run1", error, "interrupted"), {
    ...expected,
    status: "unfinished",
    stop_reason: "interrupted",
  });
});

Deno.test("createRenderer() begins a line anew where the text so far is void", async () => {
  const restarted: ScriptedTurn = async function* () {
    yield { type: "text", text: "Hello" };
    yield { type: "restart" };
    yield { type: "text", text: "Good day." };
    yield {
      type: "turn_finished",
      message: { role: "assistant", content: "Good day.", calls: [] },
      finishReason: "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  };
  assertEquals([await stdoutOf([restarted], { live: true }), await stdoutOf([restarted])], [
    "Hello\nGood day.\n",
    "Good day.\n",
  ]);
});
