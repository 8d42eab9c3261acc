import { assertEquals, assertRejects } from "@std/assert";
import { doctorCommand } from "../../lib/cli/doctor_command.ts";
import { UsageError } from "../../lib/cli/failure.ts";
import { createRealPorts } from "../../lib/real/ports.ts";
import { fakeEnvironment, FakeTerminal, MemoryFiles, NEVER } from "../fakes.ts";
import { type Reply, type ServedRequest, startModelServer } from "../model_server.ts";
import { obey, type Weakness } from "./_obedient.ts";

interface Examined {
  readonly code: number;
  /** Lines without times and addresses. */
  readonly lines: readonly string[];
}

async function doctor(
  options: { baseUrl: string; model?: string; output?: "text" | "json" },
): Promise<{ code: number; stdout: string }> {
  const terminal = new FakeTerminal();
  const env = fakeEnvironment({ OPENAI_API_KEY: "sk-test" });
  const ports = { ...createRealPorts(), terminal, env, files: new MemoryFiles({}) };
  const code = await doctorCommand({ output: "text", ...options }, ports, NEVER);
  return { code, stdout: terminal.stdout };
}

/** What rein says of a server that answers so. */
async function examined(
  script: (request: ServedRequest, index: number) => Reply,
  options: { models?: readonly string[]; model?: string } = {},
): Promise<Examined> {
  const { models = ["m"], ...rest } = options;
  const server = startModelServer(script, { models });
  try {
    const { code, stdout } = await doctor({ baseUrl: server.baseUrl, ...rest });
    const plain = stdout.replaceAll(server.baseUrl, "BASE").replace(/\d+(\.\d)? m?s\b/g, "T");
    return { code, lines: plain.trimEnd().split("\n") };
  } finally {
    await server.close();
  }
}

const PASSED = [
  "address   passed (T; BASE)",
  "key       passed (T)",
  "model     passed (T; m)",
  "answer    passed (T; first sign after T, 1 turn)",
];

const TOOLS_PASSED = [
  "call      passed (T; first sign after T, 2 turns)",
  "two calls passed (T; first sign after T, 2 turns)",
  "chinese   passed (T; first sign after T, 2 turns)",
  "recovery  passed (T; first sign after T, 3 turns)",
];

const NATIVE = "protocol  calls are made in native form";

Deno.test("doctorCommand() passes a model that can do the job", async () => {
  assertEquals(await examined((request) => obey(request)), {
    code: 0,
    lines: [...PASSED, ...TOOLS_PASSED, NATIVE, "m can do the job: 8 checks, none failed"],
  });
});

/** The lines that do not say that all is well. */
async function faults(weakness: Weakness): Promise<readonly string[]> {
  const { code, lines } = await examined((request) => obey(request, weakness));
  assertEquals(code, 5);
  return lines.filter((line) => !line.includes(" passed ") && line !== NATIVE);
}

Deno.test("doctorCommand() says of a model that makes no calls what to do", async () => {
  const fault = 'failed: it made no call and answered "ready". Start the server with its parser ' +
    "of calls, try --tool-protocol text, or take a model that was made for tools.";
  assertEquals(await faults({ noCalls: true }), [
    `call      ${fault}`,
    `two calls ${fault}`,
    `chinese   ${fault}`,
    `recovery  ${fault}`,
    "4 of 8 checks failed",
  ]);
});

Deno.test("doctorCommand() finds each weakness", async () => {
  const other = "Take another model; this one is not fit for calls.";
  assertEquals(await faults({ oneByOne: true }), [
    "two calls failed: it makes one call after another. It can do the job, in more steps and " +
    "more time.",
    "1 of 8 checks failed",
  ]);
  assertEquals(await faults({ garble: (text) => text.replaceAll("检", "\ufffd") }), [
    'chinese   failed: the argument came as "\ufffd查磁盘空间：/var/日志". Do not use it for ' +
    "texts in Chinese; look at the server's tokenizer and template.",
    "1 of 8 checks failed",
  ]);
  assertEquals(await faults({ stubborn: true }), [
    `recovery  failed: it did not correct its call by what the error said. ${other}`,
    "1 of 8 checks failed",
  ]);
  assertEquals(await faults({ forgetful: true }), [
    `call      failed: it did not use the result 4432764771 and answered "ready". ${other}`,
    `two calls failed: it did not use the result 3349076 and answered "ready". ${other}`,
    `recovery  failed: it did not use the result 17 and answered "ready". ${other}`,
    "3 of 8 checks failed",
  ]);
});

Deno.test("doctorCommand() stops where nothing more can be found out", async () => {
  const rejected = () => Response.json({ error: { message: "Bad" } }, { status: 400 });
  const refusing = await examined(rejected);
  assertEquals([refusing.code, refusing.lines.slice(0, 3), refusing.lines.length], [
    5,
    PASSED.slice(0, 3),
    5,
  ]);
  assertEquals(refusing.lines[3]?.startsWith("answer    failed: The model server at BASE"), true);
  assertEquals(await examined(() => ({}), { model: "mm", models: ["m", "n"] }), {
    code: 5,
    lines: [
      ...PASSED.slice(0, 2),
      'model     failed: the server has no "mm". It lists, among others: m, n.',
      "1 of 3 checks failed",
    ],
  });
});

Deno.test("doctorCommand() says of a server that is not there what to do", async () => {
  const server = startModelServer(() => ({}));
  await server.close();
  const { code, stdout } = await doctor({ baseUrl: server.baseUrl, model: "m" });
  assertEquals([code, stdout], [
    5,
    `address   failed: The model server at ${server.baseUrl} can't be reached. Check the ` +
    "address, and that the server is running.\n1 of 1 checks failed\n",
  ]);
});

Deno.test("doctorCommand() goes on where a server gives no list", async () => {
  const server = startModelServer((request) => obey(request));
  try {
    const options = { baseUrl: server.baseUrl, model: "m", output: "json" as const };
    const { code, stdout } = await doctor(options);
    const { checks, ...rest } = JSON.parse(stdout);
    assertEquals([code, rest], [0, {
      schema: "rein-doctor/1",
      base_url: server.baseUrl,
      model: "m",
      tool_protocol: "native",
      adapted: [],
      passed: true,
    }]);
    assertEquals(checks.map((one: { status: string }) => one.status), [
      "passed",
      "skipped",
      "skipped",
      ...Array(5).fill("passed"),
    ]);
  } finally {
    await server.close();
  }
});

Deno.test("doctorCommand() tells which protocol works, and what had to be adapted", async () => {
  const words = "registry.ollama.ai/library/m does not support tools";
  const { code, lines } = await examined((request) =>
    request.body.tools === undefined
      ? obey(request, { inText: true })
      : Response.json({ error: { message: words } }, { status: 400 })
  );
  assertEquals([code, lines], [0, [
    ...PASSED,
    ...TOOLS_PASSED,
    "adapted   tools are described in the prompt and called in plain text (the server said: " +
    `${words})`,
    "protocol  calls are made in text form",
    "m can do the job: 8 checks, none failed",
  ]]);
});

Deno.test("doctorCommand() refuses a recording", async () => {
  await assertRejects(() => doctor({ baseUrl: "http://h/v1", model: "recorded:a" }), UsageError);
});
