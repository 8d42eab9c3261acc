import { assertEquals } from "@std/assert";
import stringWidth from "string-width";
import { compositionLines, curveLines, toldLines, treeLines } from "../../lib/cli/trace_tree.ts";
import { english, loadSay } from "../../lib/messages/messages.ts";
import { compositionOf } from "../../lib/trace/composition.ts";
import { joinDelegated } from "../../lib/trace/join_delegated.ts";
import { tracedRuns, Tracer } from "../../lib/trace/tracer.ts";
import { agentRun, incident } from "../trace/_story.ts";

/** The run with what an agent ran for it. */
async function joinedRun(task?: string) {
  const [run] = tracedRuns(incident(task));
  if (run === undefined) throw new Error("There is none");
  return await joinDelegated(
    run,
    (agent) => Promise.resolve(agent === "payments" ? tracedRuns(agentRun()) : []),
  );
}

const lined = (lines: readonly string[]) => `\n${lines.join("\n")}\n`;

Deno.test("treeLines() shows a run with its decisions, failures and delegated runs", async () => {
  const lines = treeLines(await joinedRun(), { say: english, columns: 200 });
  assertEquals(
    lined(lines),
    `
run run-1 · gpt-4o · answered · 5 steps · 6 calls · 9.6 s · 14200 in, 520 out
  Why does checkout fail since 14:07?
├─ step 1 · 900 ms · 1800 in, 90 out · I look at the log first.
│  ├─ list_files . · allow (ops.read) · 2 entries · 120 ms
│  └─ run_shell grep -c " 502 " access.log · allow (ops.read-text) · 1 line · 340 ms
├─ step 2 · 900 ms · 2900 in, 120 out · The old build takes room.
│  ├─ run_shell rm -rf / · deny (baseline.rm-root) · denied: The policy denies this · 2 ms
│  └─ run_shell rm -rf build · ask (ops.delete), approved by a person · 0 lines · 80 ms
├─ step 3 · 900 ms · 4100 in, 60 out
│  └─ http_request GET http://payment.internal/health · allow (ops.http-get) · error: Connection refused · 30 ms
├─ step 4 · 1.5 s · 2400 in, 110 out · Others know their services better.
│  ├─ context compacted: 7400 → 2100 tokens
│  └─ delegate 2 tasks · allow (ops.read) · 1 of 2 done · 2.0 s
│     ├─ payments/examine · success · 1.8 s
│     │  └─ run run-agent · gpt-4o · answered · 2 steps · 1 call · 1.9 s · 2100 in, 100 out
│     │     ├─ step 1 · 900 ms · 900 in, 40 out · I read its log.
│     │     │  └─ read_file payment.log 1–200 · allow (ops.read) · lines 1–200 of 812 · 120 ms
│     │     ├─ step 2 · 900 ms · 1200 in, 60 out
│     │     └─ answer: The connection pool is exhausted.
│     └─ orders/examine · failed · No answer in 30 s · 1.8 s
├─ step 5 · 1.2 s · 3000 in, 140 out
└─ answer: The payment service has no free connections since 14:07:12.
`,
  );
});

Deno.test("treeLines() says the same in Chinese", async () => {
  const manner = { say: await loadSay("zh"), columns: 200 };
  assertEquals(
    lined(treeLines(await joinedRun("为什么结账失败？"), manner)),
    `
运行 run-1 · gpt-4o · answered · 5 步 · 6 次调用 · 9.6 s · 输入 14200，输出 520
  为什么结账失败？
├─ 步骤 1 · 900 ms · 输入 1800，输出 90 · I look at the log first.
│  ├─ list_files . · allow (ops.read) · 2 entries · 120 ms
│  └─ run_shell grep -c " 502 " access.log · allow (ops.read-text) · 1 line · 340 ms
├─ 步骤 2 · 900 ms · 输入 2900，输出 120 · The old build takes room.
│  ├─ run_shell rm -rf / · deny (baseline.rm-root) · denied: The policy denies this · 2 ms
│  └─ run_shell rm -rf build · ask (ops.delete), 由人批准 · 0 lines · 80 ms
├─ 步骤 3 · 900 ms · 输入 4100，输出 60
│  └─ http_request GET http://payment.internal/health · allow (ops.http-get) · error: Connection refused · 30 ms
├─ 步骤 4 · 1.5 s · 输入 2400，输出 110 · Others know their services better.
│  ├─ 上下文已压缩：7400 → 2100 令牌
│  └─ delegate 2 tasks · allow (ops.read) · 1 of 2 done · 2.0 s
│     ├─ payments/examine · success · 1.8 s
│     │  └─ 运行 run-agent · gpt-4o · answered · 2 步 · 1 次调用 · 1.9 s · 输入 2100，输出 100
│     │     ├─ 步骤 1 · 900 ms · 输入 900，输出 40 · I read its log.
│     │     │  └─ read_file payment.log 1–200 · allow (ops.read) · lines 1–200 of 812 · 120 ms
│     │     ├─ 步骤 2 · 900 ms · 输入 1200，输出 60
│     │     └─ 回答：The connection pool is exhausted.
│     └─ orders/examine · failed · No answer in 30 s · 1.8 s
├─ 步骤 5 · 1.2 s · 输入 3000，输出 140
└─ 回答：The payment service has no free connections since 14:07:12.
`,
  );
});

Deno.test("treeLines() keeps to 40 columns", async () => {
  const lines = treeLines(await joinedRun("为什么结账从十四点零七分开始一直失败，是谁的错？"), {
    say: english,
    columns: 40,
  });
  assertEquals(
    lined(lines),
    `
run run-1 · gpt-4o · answered · 5 steps…
  为什么结账从十四点零七分开始一直失败…
├─ step 1 · 900 ms · 1800 in, 90 out · …
│  ├─ list_files . · allow (ops.read) ·…
│  └─ run_shell grep -c " 502 " access.…
├─ step 2 · 900 ms · 2900 in, 120 out ·…
│  ├─ run_shell rm -rf / · deny (baseli…
│  └─ run_shell rm -rf build · ask (ops…
├─ step 3 · 900 ms · 4100 in, 60 out
│  └─ http_request GET http://payment.i…
├─ step 4 · 1.5 s · 2400 in, 110 out · …
│  ├─ context compacted: 7400 → 2100 to…
│  └─ delegate 2 tasks · allow (ops.rea…
│     ├─ payments/examine · success · 1…
│     │  └─ run run-agent · gpt-4o · an…
│     │     ├─ step 1 · 900 ms · 900 in…
│     │     │  └─ read_file payment.log…
│     │     ├─ step 2 · 900 ms · 1200 i…
│     │     └─ answer: The connection p…
│     └─ orders/examine · failed · No a…
├─ step 5 · 1.2 s · 3000 in, 140 out
└─ answer: The payment service has no f…
`,
  );
  assertEquals(lines.filter((line) => stringWidth(line) > 40), []);
});

Deno.test("treeLines() gives nothing of a text to a terminal that it would obey", () => {
  const events = JSON.parse(
    JSON.stringify(incident()).replaceAll("payment", "pay\\u001b[2J\\u202e"),
  );
  const lines = tracedRuns(events).flatMap((run) => treeLines(run, { say: english, columns: 200 }));
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  assertEquals(lines.filter((line) => /[\u0000-\u001f\u202e]/.test(line)), []);
});

Deno.test("toldLines() tells of a run as it grows", () => {
  const tracer = new Tracer();
  const manner = { say: english, columns: 120 };
  const lines = incident().flatMap((event) => {
    const told = tracer.take(event);
    return told === null ? [] : toldLines(told, manner);
  });
  assertEquals(
    lined(lines),
    `
run run-1 · gpt-4o
  Why does checkout fail since 14:07?
├─ step 1 · 900 ms · 1800 in, 90 out · I look at the log first.
│  ├─ list_files . · allow (ops.read) · 2 entries · 120 ms
│  ├─ run_shell grep -c " 502 " access.log · allow (ops.read-text) · 1 line · 340 ms
├─ step 2 · 900 ms · 2900 in, 120 out · The old build takes room.
│  ├─ run_shell rm -rf / · deny (baseline.rm-root) · denied: The policy denies this · 2 ms
│  ├─ run_shell rm -rf build · ask (ops.delete), approved by a person · 0 lines · 80 ms
├─ step 3 · 900 ms · 4100 in, 60 out
│  ├─ http_request GET http://payment.internal/health · allow (ops.http-get) · error: Connection refused · 30 ms
├─ context compacted: 7400 → 2100 tokens
├─ step 4 · 1.5 s · 2400 in, 110 out · Others know their services better.
│  ├─ delegate 2 tasks · allow (ops.read) · 1 of 2 done · 2.0 s
│  │  ├─ payments/examine · success · 1.8 s
│  │  └─ orders/examine · failed · No answer in 30 s · 1.8 s
├─ step 5 · 1.2 s · 3000 in, 140 out
├─ answer: The payment service has no free connections since 14:07:12.
└─ answered · 5 steps · 6 calls · 9.6 s · 14200 in, 520 out
`,
  );
});

Deno.test("curveLines() and compositionLines() tell where the tokens went", () => {
  const manner = { say: english, columns: 80 };
  const lines = tracedRuns(incident())
    .flatMap((
      run,
    ) => [...curveLines(run, manner), ...compositionLines(compositionOf(run), manner)]);
  assertEquals(
    lined(lines),
    `
Tokens of each request: ▄▆█▅▆ 1800–4100
Where the context went, by estimate:
  part                               tokens  in all requests
  instructions, tools, earlier talk  1790    8949             93 %
  run_shell                          66      215              2 %
  the model's words                  74      196              2 %
  delegate                           132     132              1 %
  list_files                         17      67               1 %
  http_request                       29      58               1 %
  task                               10      51               1 %
`,
  );
});
