import { assertEquals } from "@std/assert";
import type { ApprovalRequest } from "../../lib/calls/pipeline.ts";
import { approvalText } from "../../lib/cli/approval_text.ts";
import { runCli } from "../../lib/cli/cli.ts";
import { ServeLog } from "../../lib/cli/serve_log.ts";
import { openTaskTable } from "../../lib/delegate/task_table.ts";
import type { ResultEnvelope, TaskEnvelope } from "../../lib/delegate/types.ts";
import { loadSay } from "../../lib/messages/messages.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { realServers } from "../../lib/real/servers.ts";
import { Metrics } from "../../lib/serve/metrics.ts";
import type { Ports } from "../../lib/ports.ts";
import { inTempDir } from "../_temp.ts";
import {
  evaluationOf,
  FakeClock,
  fakeEnvironment,
  fakePorts,
  FakeTerminal,
  MemoryFiles,
  NEVER,
} from "../fakes.ts";

const say = await loadSay("zh");

const NOW = Date.UTC(2026, 10, 30, 12);

const AGENTS = "/home/me/.config/rein/agents.yaml";

const CONFIG = "/home/me/.config/rein/config.yaml";

/** Two agents: one at an address, one that is no program. */
function directory(url: string): string {
  return `agents:
  - name: orders
    description: 查询订单
    address: ${url}
    intents:
      - {name: status, description: 查询订单的状态, effect: read}
      - {name: refund, description: 退款}
  - name: gone
    description: 已经不在
    command: [/nowhere/gone]
    intents: [{name: ask, description: 提问}]
`;
}

/** What `rein ARGS` prints for a Chinese person. */
async function screen(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  overrides: Partial<Ports> = {},
): Promise<string> {
  const terminal = new FakeTerminal();
  const env = fakeEnvironment({ HOME: "/home/me", LANG: "zh_CN.UTF-8" });
  const ports = fakePorts({ terminal, env, files: new MemoryFiles(files), ...overrides });
  await runCli(args, ports, { signal: NEVER, interrupt: () => {} });
  return terminal.stdout + terminal.stderr;
}

Deno.test("rein agents list in Chinese", async () => {
  const files = { [AGENTS]: directory("http://127.0.0.1:1/tasks") };
  assertEquals(
    await screen(["agents", "list"], files),
    `orders    http     查询订单
  status  读取     查询订单的状态
  refund  更改     退款
gone      process  已经不在
  ask     更改     提问
`,
  );
  assertEquals(
    await screen(["agents", "list"], {}),
    "没有智能体：请写入 ~/.config/rein/agents.yaml；请看 “rein agents --help”。\n",
  );
});

Deno.test("rein agents show in Chinese", async () => {
  const files = { [AGENTS]: directory("http://127.0.0.1:1/tasks") };
  assertEquals(
    await screen(["agents", "show", "gone"], files),
    `名称        gone
说明        已经不在
协议        process
地址        /nowhere/gone
访问令牌    不需要
超时        2m
同时任务数  4
幂等        否：从不发送两次
文件        ${AGENTS}

意图
  ask（更改）：提问
    参数  {"type":"object"}
`,
  );
});

Deno.test("rein agents check in Chinese", async () => {
  const over = new AbortController();
  const description = {
    schema: "agent-description/1.0",
    protocols: ["agent-task/1.0"],
    intents: [{ name: "status", parameters: { type: "object" }, access: "write" }],
  };
  const server = await realServers.listen(
    { hostname: "127.0.0.1", port: 0 },
    () => Promise.resolve(Response.json(description)),
    over.signal,
  );
  try {
    const files = { [AGENTS]: directory(`http://127.0.0.1:${server.address.port}/tasks`) };
    assertEquals(
      await screen(["agents", "check"], files, { fetch }),
      "orders  失败：它没有意图 refund；它说这些意图会更改内容，而文件说是“read”：status\n" +
        "gone    失败：智能体“gone”：这里不允许启动程序\n",
    );
  } finally {
    over.abort();
    await server.drain();
  }
});

/** Works with a table that has a task that ended, and one on its way. */
async function withTasks(work: (overrides: Partial<Ports>) => Promise<void>): Promise<void> {
  await inTempDir({}, async (temporary) => {
    const databases = createDatabases(`${temporary}/rein`);
    const table = await openTaskTable(databases, { keep: true, redact: (data) => data });
    const base = { run: "run1", call: "c1", agent: "orders" } as const;
    table.add([
      { ...base, name: "a", intent: "refund", access: "write" },
      { ...base, name: "b", intent: "status", access: "read" },
    ], NOW - 9000);
    const params = { order: "A-1" };
    for (const [key, id] of [[1, "t-aaaa1111"], [2, "t-bbbb2222"]] as const) {
      table.sent(key, { envelope: { task_id: id, params }, params, durable: false }, NOW - 8000);
    }
    const error = { code: "source_down", message: "One is down" };
    const result = { kept: { data: { summary: "一半" } }, whole: false };
    const tokens = { inputTokens: 7, outputTokens: 3 };
    table.ended(1, { phase: "partial_success", error, result, ...tokens }, NOW - 5500);
    table.close();
    await work({ databases, clock: new FakeClock(NOW) });
  });
}

/** Without what depends on the zone of the machine. */
function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "YYYY-MM-DD HH:MM");
}

Deno.test("rein tasks in Chinese", () =>
  withTasks(async (overrides) => {
    assertEquals(
      timeless(await screen(["tasks"], {}, overrides)),
      `任务        智能体/意图    阶段      发送时间          用时    令牌  错误
t-bbbb2222  orders/status  已发送    YYYY-MM-DD HH:MM  8.0 秒
t-aaaa1111  orders/refund  部分成功  YYYY-MM-DD HH:MM  2.5 秒  10    source_down: One is down
`,
    );
    assertEquals(await screen(["tasks"], {}), "这里没有保留任何任务。\n");
    assertEquals(
      await screen(["tasks", "cancel", "t-a"], {}, overrides),
      "rein: 任务 t-aaaa1111 已经结束：部分成功。请看 “rein tasks show”。\n",
    );
  }));

Deno.test("rein tasks show in Chinese", () =>
  withTasks(async (overrides) => {
    assertEquals(
      timeless(await screen(["tasks", "show", "t-a"], {}, overrides)),
      `任务 t-aaaa1111
  智能体  orders/refund，可能会更改内容
  阶段    部分成功
  提出    YYYY-MM-DD HH:MM，由运行 run1 的调用 c1 提出，名为 a
  发送    YYYY-MM-DD HH:MM，用时 2.5 秒
  令牌    输入 7，输出 3
  错误    source_down: One is down
  发送的内容：
    {
      "task_id": "t-aaaa1111",
      "params": {
        "order": "A-1"
      }
    }
  结果（部分）：
    {
      "data": {
        "summary": "一半"
      }
    }
`,
    );
  }));

Deno.test("rein mcp list in Chinese", async () => {
  const config = `mcp:
  files: {command: [files-server, --all], reads: [read]}
  tickets: {url: "https://mcp.example/mcp", tools: [find, open]}
  old: {disabled: true}
`;
  assertEquals(
    await screen(["mcp", "list"], { [CONFIG]: config }),
    `服务器   影响     工具        只读取的  程序或地址               来源
files    execute  全部        read      files-server --all       ${CONFIG}:2
tickets  network  find, open            https://mcp.example/mcp  ${CONFIG}:3
old      已关闭   全部                                           ${CONFIG}:4
`,
  );
  assertEquals(await screen(["mcp", "list"], {}), "没有配置 MCP 服务器。\n");
  assertEquals(
    await screen(["mcp", "list"], { [CONFIG]: "mcp: {a: {command: [x], url: http://h}}\n" }),
    `rein: ${CONFIG}:1:25: “mcp.a”同时有“command”和“url”。请只写其中之一。\n`,
  );
});

Deno.test("the log of rein serve in Chinese, from its start to its end", () => {
  const terminal = new FakeTerminal();
  const clock = new FakeClock(NOW);
  const log = new ServeLog(
    { output: "text", quiet: false },
    { terminal, clock, say },
    new Metrics(),
  );
  const task = { task_id: "t-1", intent: "status" } as TaskEnvelope;
  const cost = { input_tokens: 700, output_tokens: 30 };
  const result = { status: "success", error: null, cost } as ResultEnvelope;
  const error = { code: "step_limit", message: "the limit of 3 steps was reached" };
  log.listening("orders", "http://127.0.0.1:8701/tasks", 2);
  log.finished(task, result, 1250);
  log.finished(task, { ...result, status: "failed", error } as ResultEnvelope, 80);
  log.refused(task, "busy", "The queue is full");
  log.trouble(
    "task t-1: its result could not be posted: its host is none of those that are allowed",
  );
  log.draining(1, 3);
  log.stopped(false);
  assertEquals(
    terminal.stderr,
    `rein: 智能体 orders 正在监听 http://127.0.0.1:8701/tasks
rein: 继续之前进程的 2 个任务
rein: 任务 t-1：status 成功，用时 1.3 秒，730 个令牌
rein: 任务 t-1：status 失败，用时 80 毫秒，730 个令牌（step_limit：达到 3 步的上限）
rein: 任务 t-1：未接受：The queue is full
rein: 任务 t-1：结果无法提交：它的主机不在允许之列
rein: 开始排空，不再接受新任务；1 个运行中，队列中的 3 个等待下次启动
rein: 有任务停在中途；它们会在下次启动时继续
`,
  );
});

Deno.test("an approval of delegated tasks in Chinese leaves their parameters as they are", () => {
  const request: ApprovalRequest = {
    tool: "delegate",
    arguments: {},
    brief: "orders/status, orders/refund",
    subjects: [],
    preview: 'a: orders/status (reads), to http://h/tasks\n{\n  "note": "x (reads), to y"\n}\n\n' +
      "b: orders/refund (may change something), to program /bin/orders, after a\n{}",
    evaluation: evaluationOf("ask", "orders/refund"),
  };
  const none = { deletes: [], writes: [], hosts: [] };
  const { lines } = approvalText(request, none, { columns: 80, styled: false, all: true, say });
  assertEquals(lines, [
    "",
    "delegate 请求运行：",
    "    orders/status, orders/refund",
    "  需要批准的原因：",
    "    orders/refund：The test says so（规则 test.ask）",
    "  将产生的影响：",
    "    a: orders/status（读取），发往 http://h/tasks",
    "    {",
    '      "note": "x (reads), to y"',
    "    }",
    "    ",
    "    b: orders/refund（可能会更改内容），发往程序 /bin/orders，在 a 之后",
    "    {}",
  ]);
});

Deno.test("what is wrong with a file of agents is told in Chinese", async () => {
  const rest = "intents: [{name: a, description: b}]}]}\n";
  const wrong = [
    `{agents: [{name: x, ${rest}`,
    `{agents: [{name: x, description: y, ${rest}`,
    `{agents: [{name: X, description: y, address: "http://h", ${rest}`,
    `{agents: [{name: x, description: y, adress: "http://h", ${rest}`,
    `{agents: [{name: x, description: y, address: "http://h", concurrency: 0, ${rest}`,
    '{agents: [{name: x, description: y, address: "http://h", intents: []}]}\n',
  ];
  const lines = await Promise.all(
    wrong.map((text) => screen(["agents", "list"], { [AGENTS]: text })),
  );
  assertEquals(lines.map((line) => line.replace(`rein: ${AGENTS}:`, "")), [
    "1:11: 缺少键“description”。请添加。\n",
    "1:11: 智能体“x”没有地址。请添加 address、a2a 或 command。\n",
    '1:18: “name”不能是 "X"。名称由小写字母、数字和连字符组成，以字母开头，最多 63 个字符。\n',
    "1:37: 未知的键“adress”。您是不是想用“address”？\n",
    "1:71: “concurrency”的值 0 不得小于 1。请改正。\n",
    "1:67: “intents”的值 [] 至少要有 1 项。请改正。\n",
  ]);
});
