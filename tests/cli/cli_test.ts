import { assertEquals, assertMatch } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { SCHEMAS } from "../../lib/cli/schemas.ts";
import { OutputError, type Ports } from "../../lib/ports.ts";
import { VERSION } from "../../lib/version.ts";
import { eventFaults, resultFaults } from "../_schemas.ts";
import { fakePorts, FakeTerminal, MemoryFiles, NEVER, neverEnding, settle } from "../fakes.ts";

/** How the program ends that is called like this, and what it prints. */
async function called(
  args: readonly string[],
  overrides: Partial<Ports> = {},
  signal: AbortSignal = NEVER,
) {
  const terminal = new FakeTerminal({ stdinIsTerminal: true });
  const ports = fakePorts({ terminal, ...overrides });
  const code = await runCli(args, ports, { signal, interrupt: () => {} });
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

Deno.test("runCli() prints its version and its schemas, and nothing else", async () => {
  assertEquals([await called(["--version"]), await called(["schema", "result"])], [
    { code: 0, stdout: `${VERSION}\n`, stderr: "" },
    { code: 0, stdout: `${JSON.stringify(SCHEMAS["result"], null, 2)}\n`, stderr: "" },
  ]);
});

Deno.test("runCli() ends only when help or the version is written", async () => {
  const ended = ["--version", "--help"].map(async (option) => {
    const terminal = new FakeTerminal();
    let written = 0;
    terminal.out = async () => {
      await new Promise((resolve) => setTimeout(resolve));
      written++;
    };
    const code = await runCli([option], fakePorts({ terminal }), {
      signal: NEVER,
      interrupt: () => {},
    });
    return [code, written > 0];
  });
  assertEquals(await Promise.all(ended), [[0, true], [0, true]]);
});

Deno.test("runCli() says in one line what is wrong with its arguments, and exits with 2", async () => {
  const lines = [
    ["--colour"],
    ["hi", "--max-steps", "0"],
    ["hi", "--temperature", "hot"],
    ["hi", "--max-time", "soon"],
    ["hi", "--base-url", "models.test/v1"],
    ["hi", "-o", "xml"],
    ["schema", "coffee"],
    [],
  ].map(async (args) => {
    const { code, stdout, stderr } = await called(args);
    return [code, stdout, stderr];
  });
  const see = 'See "rein --help".\n';
  assertEquals(await Promise.all(lines), [
    [2, "", `rein: Unknown option '--colour'. ${see}`],
    [
      2,
      "",
      "rein: Option '--max-steps <number>' argument '0' is invalid. " +
      `It takes a whole number from 1 to 1000. ${see}`,
    ],
    [
      2,
      "",
      "rein: Option '--temperature <number>' argument 'hot' is invalid. " +
      `It takes a number from 0 to 2. ${see}`,
    ],
    [
      2,
      "",
      "rein: Option '--max-time <time>' argument 'soon' is invalid. It takes a time such as " +
      `90s, 10m or 1h30m, or seconds, of 24 days at the most, or none. ${see}`,
    ],
    [
      2,
      "",
      "rein: Option '--base-url <url>' argument 'models.test/v1' is invalid. " +
      `It takes an http address such as http://127.0.0.1:11434/v1. ${see}`,
    ],
    [
      2,
      "",
      "rein: Option '-o, --output <form>' argument 'xml' is invalid. " +
      `Allowed choices are text, json, jsonl. ${see}`,
    ],
    [
      2,
      "",
      'rein: There is no schema "coffee". The schemas are agent-file, agents, audit, batch, config, debug, event, policy, result, result-envelope, task.\n',
    ],
    [
      2,
      "",
      "rein: There is no question. Say what you want: " +
      'rein "which process uses the most memory?" (see --help).\n',
    ],
  ]);
});

Deno.test("runCli() that fails prints a result where JSON was asked for, however it was", async () => {
  const ways = [["-o", "json"], ["-ojson"], ["--output", "json"], ["--output=json"]];
  for (const way of [...ways, ["-o", "text", "-o", "json"]]) {
    const { code, stdout } = await called([...way, "--colour"]);
    assertEquals([code, resultFaults(JSON.parse(stdout)), stdout.split("\n").length], [2, [], 2]);
  }
  const { stdout } = await called(["--colour", "--output", "jsonl"]);
  assertEquals(eventFaults(JSON.parse(stdout)), []);
});

Deno.test("runCli() that fails prints no JSON where only the question speaks of it", async () => {
  for (const args of [["json", "--colour"], ["jsonl", "-x"], ["output", "json", "--colour"]]) {
    assertEquals((await called(args)).stdout, "");
  }
});

Deno.test("runCli() shows a stack trace of a defect, with --debug only", async () => {
  const broken: Partial<Ports> = {
    files: Object.assign(new MemoryFiles({}), {
      cwd: () => {
        throw new TypeError("Out of order");
      },
    }),
  };
  const args = ["hi", "--base-url", "http://127.0.0.1:9", "-m", "m"];
  const [plain, debug] = [
    await called(args, broken),
    await called([...args, "--debug", "/none/d"], broken),
  ];
  assertEquals([plain.code, debug.code], [1, 1]);
  assertEquals(
    plain.stderr,
    "rein: Out of order. This is a defect of rein; " +
      "run it again with --debug FILE and report what it says.\n",
  );
  assertMatch(debug.stderr.slice(plain.stderr.length), /^TypeError: Out of order\n +at /);
});

Deno.test("runCli() is quiet about a stdout whose reader has gone", async () => {
  const terminal = new FakeTerminal();
  terminal.out = () => Promise.reject(new OutputError(true, new Error("Broken pipe")));
  const code = await runCli(["schema", "event"], fakePorts({ terminal }), {
    signal: NEVER,
    interrupt: () => {},
  });
  assertEquals([code, terminal.stderr], [141, ""]);
});

Deno.test("runCli() that is interrupted while it waits for stdin exits with the signal", async () => {
  const terminal = new FakeTerminal({}, neverEnding());
  const run = new AbortController();
  const running = called(["-"], { terminal }, run.signal);
  await settle();
  run.abort(new Interruption("SIGINT"));
  assertEquals((await running).code, 130);
  assertEquals(terminal.stderr, "rein: Interrupted by SIGINT. Nothing was done.\n");
});
