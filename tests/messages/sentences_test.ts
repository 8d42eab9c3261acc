import { assertEquals } from "@std/assert";
import { unmetError } from "../../lib/answer/hold.ts";
import { denialOf } from "../../lib/calls/denial.ts";
import { runCli } from "../../lib/cli/cli.ts";
import { FIELDS, SETTINGS } from "../../lib/config/settings.ts";
import { whyOf } from "../../lib/ending.ts";
import { loadSay } from "../../lib/messages/messages.ts";
import { recognise } from "../../lib/messages/recognise.ts";
import { timeoutError } from "../../lib/model/model_error.ts";
import type { FileErrorCode } from "../../lib/ports.ts";
import { fileError, pathError } from "../../lib/real/file_error.ts";
import { newRecord } from "../../lib/record.ts";
import { effectiveGrants, renderGrants } from "../../lib/sandbox/grants.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import type { Approval } from "../../lib/types.ts";
import { evaluationOf, fakeEnvironment, fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

const say = await loadSay("zh");

/** Sentences that stay English, in whole or in part, though a Chinese person reads them. */
function leftEnglish(sentences: readonly string[]): string[] {
  return sentences.filter((sentence) => {
    const told = recognise(sentence, say).replace(/“[^”]*”|"[^"]*"/g, "");
    return told === sentence || /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(told);
  });
}

Deno.test("every kind of failure of a file is told in Chinese", () => {
  const codes: readonly FileErrorCode[] = [
    ...["not_found", "no_permission", "is_directory", "not_directory"] as const,
    ...["is_link", "not_file", "unreadable", "unwritable"] as const,
  ];
  const errors = codes.flatMap((code) => [
    pathError(code, "/a b", "read"),
    pathError(code, "/a b", "written"),
  ]);
  const others = (["read", "written"] as const).map((use) =>
    fileError("/a", new TypeError("os error 5"), use)
  );
  assertEquals(leftEnglish([...errors, ...others].map(({ message }) => message)), []);
});

Deno.test("every timer of the model is told in Chinese, with what to do", () => {
  const names = ["connect", "first_byte", "idle", "total"] as const;
  const errors = names.map((name) => timeoutError(name, 90_000, { baseUrl: "http://h/v1" }));
  assertEquals(leftEnglish(errors.flatMap(({ message, hint }) => [message, hint])), []);
  assertEquals(
    recognise(errors[0]?.message ?? "", say),
    "在 90 秒内无法与模型服务器 http://h/v1 建立连接（timeouts.connect）",
  );
});

Deno.test("every reason why a run stops is told in Chinese", () => {
  const limits = { ...DEFAULT_LIMITS, maxTokens: 9, maxTimeMs: 600_000, maxCost: 1 };
  const stops = [
    ...["step_limit", "token_limit", "time_limit", "cost_limit", "context_exhausted"] as const,
    ...["repeating", "blocked", "interrupted", "model_error", "schema_unmet"] as const,
  ];
  assertEquals(leftEnglish(stops.map((stop) => whyOf(stop, newRecord(), limits))), []);
});

Deno.test("what every setting takes is told in Chinese", () => {
  const hints = FIELDS.map((field) => `It takes ${SETTINGS[field].kind.wanted}.`);
  assertEquals(leftEnglish(hints), []);
});

Deno.test("every way of denying a call is told in Chinese", () => {
  const no = { granted: false, by: "person" } as const;
  const approvals: readonly (Approval | null)[] = [
    null,
    { ...no, scope: "once", reason: null },
    { ...no, scope: "once", reason: "not on a Friday" },
    { ...no, scope: "run", reason: null },
    { granted: false, by: "nobody", reason: "nobody is at a terminal to give it" },
  ];
  const denials = approvals.map((approval) => denialOf(evaluationOf("ask", "rm x"), approval));
  const all = [...denials, denialOf(evaluationOf("deny", "rm x"), null)];
  const reasons = all.map(({ message }) => `denied: ${message}`.replace("The test says so", "x"));
  assertEquals(leftEnglish(reasons), []);
});

Deno.test("an answer that does not fit is told in Chinese", () => {
  const checked = { type: "answer_checked", fits: false, answer: null, data: null } as const;
  const error = unmetError({ ...checked, errors: ["/a: x"], corrections: 1, correction: null });
  assertEquals(recognise(error.message, say), "经过 1 次更正，回答仍不符合 schema：/a: x");
  assertEquals(leftEnglish([error.hint]), []);
});

Deno.test("what tools are granted is told in Chinese", () => {
  const all = { readsAll: true, writesAll: true, reachesAll: true, runsPrograms: true };
  const build = { cwd: "/w", ...all };
  const grants = (["host", "contained"] as const).map((shell) => effectiveGrants({ shell }, build));
  const lines = grants.flatMap((grant) => renderGrants(grant).trimEnd().split("\n"))
    .map((line) => line.replace(/^\s*\w+\s+/, ""));
  assertEquals(leftEnglish(lines), []);
});

/** The line that a person reads of a command line that is wrong. */
async function told(args: readonly string[]): Promise<string> {
  const terminal = new FakeTerminal();
  const ports = fakePorts({ terminal, env: fakeEnvironment({ LANG: "zh_CN.UTF-8" }) });
  await runCli(args, ports, { signal: NEVER, interrupt: () => {} });
  return terminal.stderr;
}

Deno.test("what is wrong with a command line is told in Chinese", async () => {
  const wrong: readonly (readonly string[])[] = [
    ["--bogus"],
    ["--quite"],
    ["--model"],
    ["--max-steps", "many"],
    ["--output", "xml", "hi"],
    ["batch"],
    ["config"],
    ["config", "shwo"],
    ["schema", "event", "result"],
    ["completions", "ksh"],
    ["kb", "search", "x", "--limit", "0"],
    ["agents", "show", "nothing"],
    ["serve", "--agent", "a.yaml"],
    ["--session", "a", "--continue", "hi"],
    ["-f", "gone"],
  ];
  const lines = await Promise.all(wrong.map(told));
  assertEquals(lines, [
    "rein: 未知的选项 '--bogus'。请看 “rein --help”。\n",
    "rein: 未知的选项 '--quite'（是不是 --quiet？）。请看 “rein --help”。\n",
    "rein: 选项 '-m, --model <name>' 缺少参数。请看 “rein --help”。\n",
    "rein: 选项 '--max-steps <number>' 的参数 'many' 无效。应为：1 到 1000 的整数。请看 “rein --help”。\n",
    "rein: 选项 '-o, --output <form>' 的参数 'xml' 无效。可选值为 text, json, jsonl。请看 “rein --help”。\n",
    "rein: 缺少必需的参数 'tasks'。请看 “rein --help”。\n",
    "rein: 缺少命令。请看 “rein config --help”。\n",
    "rein: 未知的命令 'shwo'（是不是 show？）。请看 “rein --help”。\n",
    "rein: 'schema' 的参数太多。应有 1 个，实际有 2 个：event, result。请看 “rein --help”。\n",
    "rein: 值 'ksh' 对参数 'shell' 无效。可选值为 bash, zsh, fish。请看 “rein --help”。\n",
    "rein: 选项 '-n, --limit <number>' 的参数 '0' 无效。应为：1 到 100 的整数。请看 “rein --help”。\n",
    "rein: 没有智能体“nothing”。一个也没有；请看 “rein agents --help”。\n",
    "rein: 没有给出必需的选项 '--listen <address>'。请看 “rein --help”。\n",
    "rein: --session 和 --continue 指定了两个会话。请去掉其中一个。\n",
    "rein: 任务文件“gone”不存在。请检查它的路径和权限。\n",
  ]);
});
