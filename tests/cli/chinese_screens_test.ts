import { assertEquals } from "@std/assert";
import stringWidth from "string-width";
import { askApproval } from "../../lib/cli/ask_approval.ts";
import { barLine } from "../../lib/cli/batch_progress.ts";
import { Dialog } from "../../lib/cli/dialog.ts";
import { liveLines, NOTHING } from "../../lib/cli/live_calls.ts";
import { PLAIN_LOOK, StepWriter } from "../../lib/cli/steps.ts";
import { type Conversation, SLASH_COMMANDS } from "../../lib/cli/repl/commands.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import type { ApprovalRequest } from "../../lib/calls/pipeline.ts";
import { run } from "../../lib/loop.ts";
import { loadSay } from "../../lib/messages/messages.ts";
import { ModelError } from "../../lib/types.ts";
import {
  evaluationOf,
  FakeConsole,
  fakePorts,
  fakeRunPorts,
  FakeTerminal,
  NEVER,
  ScriptedModel,
} from "../fakes.ts";

const say = await loadSay("zh");

const COMMAND = "git push && rm -rf 旧日志";

const REQUEST: ApprovalRequest = {
  tool: "run_shell",
  arguments: { command: COMMAND },
  brief: COMMAND,
  subjects: [{ kind: "command", command: COMMAND }],
  preview: null,
  evaluation: evaluationOf("ask", "git push"),
};

const NO_EFFECTS = { deletes: ["旧日志"], writes: [], hosts: ["git.example.org"] };

Deno.test("an approval in Chinese, to its last line", async () => {
  const person = new FakeConsole(["x", "\r", "w", "等到下班以后\r"]);
  const answer = await askApproval(REQUEST, NO_EFFECTS, { person, signal: NEVER, say });
  assertEquals(answer, { kind: "no", reason: "等到下班以后" });
  assertEquals(
    person.screen,
    `
run_shell 请求运行：
    git push && rm -rf 旧日志
  需要批准的原因：
    git push：The test says so（规则 test.ask）
  将删除：
    旧日志
  将访问：
    git.example.org
  y 批准一次   a 本会话内始终批准这个完全相同的调用   n 拒绝
  w 拒绝，并告诉模型原因   s 拒绝，并停止运行
是否批准？
“x”不算回答。请按 y、a、n、w 或 s；按 v 显示全部。
是否批准？
只按回车不算回答。请按 y、a、n、w 或 s；按 v 显示全部。
是否批准？
拒绝的原因：
是否批准？拒绝：等到下班以后
`,
  );
});

Deno.test("an approval in Chinese is not wider than 40 columns", async () => {
  const person = new FakeConsole(["n"], { columns: 40 });
  await askApproval(REQUEST, NO_EFFECTS, { person, signal: NEVER, say });
  assertEquals(person.screen.split("\n").filter((line) => stringWidth(line) > 40), []);
});

Deno.test("steps, a retry and an ending in Chinese", async () => {
  const terminal = new FakeTerminal();
  const steps = new StepWriter(terminal, false, { ...PLAIN_LOOK, say });
  const model = new ScriptedModel(
    { calls: [{ name: "echo", arguments: { text: "hi" } }] },
    { calls: [{ name: "echo", arguments: { text: "ho" } }] },
  );
  const ports = fakeRunPorts(model);
  const limits = { ...ports.limits, maxSteps: 1 };
  for await (const event of run({ task: "t" }, { ...ports, limits }, NEVER)) {
    await steps.event(event);
  }
  assertEquals(
    terminal.stderr.split("\n").slice(0, 4),
    [
      "[步骤 1/1] echo hi → echoed",
      "rein: 未完成：达到 1 步的上限；停在第 1 步（最多 1 步），共调用 1 次",
      "  已完成：",
      "    [1] echo hi → echoed",
    ],
  );
});

Deno.test("a model that fails, in Chinese", async () => {
  const terminal = new FakeTerminal();
  const steps = new StepWriter(terminal, false, { ...PLAIN_LOOK, say });
  const error = new ModelError(
    "unreachable",
    "The model server at http://h/v1 can't be reached: tcp connect error (4 attempts)",
    { hint: "Start the server, or set another one with --base-url or OPENAI_BASE_URL." },
  );
  const model = { ...new ScriptedModel(), name: "m", source: "s", recorded: false };
  const failing = {
    ...model,
    // deno-lint-ignore require-yield -- it fails before there is anything
    async *ask() {
      await Promise.resolve();
      throw error;
    },
  };
  for await (const event of run({ task: "t" }, fakeRunPorts(failing), NEVER)) {
    await steps.event(event);
  }
  assertEquals(
    terminal.stderr,
    "rein: 无法连接模型服务器 http://h/v1：tcp connect error（共尝试 4 次）。" +
      "请启动服务器，或用 --base-url 或 OPENAI_BASE_URL 设置另一个。\n",
  );
});

Deno.test("/help in Chinese, with names and meanings in columns", async () => {
  const terminal = new FakeTerminal();
  let printed = "";
  const conversation = {
    ports: fakePorts({ terminal, say }),
    print: (text: string) => Promise.resolve(void (printed += text)),
  } as unknown as Conversation;
  const [help] = SLASH_COMMANDS;
  await help?.run("", conversation, NEVER);
  assertEquals(
    printed,
    `/help     这里可以做什么
/tools    模型可以调用的工具
/policy   生效的策略；后面跟一条命令时，显示对它的决定
/model    正在使用的模型；后面跟名称时，从此改用那个模型
/session  本会话：名称、位置、已有的内容
/compact  在模型的上下文窗口中腾出空间：已做的事缩减为事实和摘要
/facts    已确定的事实；无论什么内容离开模型的上下文窗口，它们都会保留
/undo     恢复最近一次运行更改的文件，只要此后没有别人更改过
/cost     本会话的令牌数；设置了价格时还有费用
/dry-run  从此只描述将要做的更改而不执行；再输入一次：恢复执行
/quit     退出；会话会保留

回车    提问；Ctrl-J、Alt-Enter，或在它前面加 \\，则换行
上、下  找回以前的问题
Tab     补全命令和路径
Ctrl-O  显示调用返回的内容，运行中也可以；再按一次则隐藏
Ctrl-C  结束正在运行的内容，或清空这一行；按两次退出
Ctrl-D  退出，与 /quit、q 和 exit 相同
空格    在开头：后面的内容不是命令
`,
  );
});

Deno.test("what goes on, in Chinese, within the columns", () => {
  const place = { columns: 30, nowMs: 12_000, styles: createStyles(false), say };
  assertEquals(liveLines({ ...NOTHING, askedMs: 0 }, place), ["▸ 等待模型 12 s"]);
  const call = (id: string) => ({
    id,
    tool: "run_shell",
    brief: "tar -cf 备份.tar 日志",
    sinceMs: 0,
  });
  const calls = ["1", "2", "3", "4", "5", "6"].map(call);
  const lines = liveLines({ ...NOTHING, calls }, place);
  assertEquals([lines.length, lines.at(-1)], [5, "  另有 2 个调用"]);
  assertEquals(lines.filter((line) => stringWidth(line) > 30), []);
});

Deno.test("the bar of a batch in Chinese is narrower than the terminal", () => {
  const counts = {
    total: 300,
    answered: 10,
    unfinished: 2,
    failed: 1,
    running: 4,
    elapsedMs: 61_000,
  };
  assertEquals(
    barLine(counts, 80, say),
    "13/300 10 个已回答，2 个未完成，1 个失败，4 个运行中，1m01s",
  );
  assertEquals(
    barLine(counts, 90, say),
    "13/300 [--------------------] 10 个已回答，2 个未完成，1 个失败，4 个运行中，1m01s",
  );
  const wide = [20, 40, 60, 80, 90].filter((columns) =>
    stringWidth(barLine(counts, columns, say)) >= columns
  );
  assertEquals(wide, []);
});

Deno.test("a dialog in Chinese", async () => {
  const person = new FakeConsole(["9\r", "2\r"]);
  const dialog = new Dialog(person, NEVER, say);
  const choices = [{ value: "a", name: "甲" }, { value: "b", name: "乙" }];
  assertEquals(await dialog.answer({ message: say("init.which_model"), choices }), "b");
  assertEquals(
    person.screen,
    "使用哪个模型？\n  1 甲\n  2 乙\n编号 (1)：9\n请输入 1 到 2 之间的编号。\n编号 (1)：2\n",
  );
});
