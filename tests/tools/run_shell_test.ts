import { assertEquals, assertRejects } from "@std/assert";
import type { Processes, ProcessExit, ProcessSpec } from "../../lib/ports.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { createRunShell } from "../../tools/run_shell.ts";
import { CONTEXT, fakeEnvironment, MemoryFiles } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

const FILES = new MemoryFiles({});

/** A process that writes these pieces and ends. */
function writes(
  pieces: readonly Uint8Array[],
  exit: Partial<ProcessExit> = {},
): Processes & { readonly specs: ProcessSpec[] } {
  const specs: ProcessSpec[] = [];
  return {
    specs,
    available: () => true,
    run: (spec) => {
      specs.push(spec);
      for (const piece of pieces) spec.stdout(piece);
      return Promise.resolve({ code: 0, signal: null, outputHeld: false, ...exit });
    },
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What a command brings, with fake processes and this environment. */
function runFake(
  processes: Processes,
  env: Readonly<Record<string, string>> = {},
): Promise<ToolOutcome> {
  const tool = createRunShell({ processes, files: FILES, env: fakeEnvironment(env) });
  return tool.run({ command: "the command" }, CONTEXT);
}

/** What a real command brings, in a directory of its own. */
async function runReal(command: string, env: Readonly<Record<string, string>> = {}) {
  return await inTempDir({}, async (directory) => {
    const path = Deno.env.get("PATH") ?? "";
    class Here extends MemoryFiles {
      override cwd(): string {
        return directory;
      }
    }
    const tool = createRunShell({
      processes: createProcesses(),
      files: new Here({}),
      env: fakeEnvironment({ PATH: path, ...env }),
    });
    const outcome = await tool.run({ command }, CONTEXT);
    if (!outcome.ok) throw new TypeError(outcome.error.message);
    const { exit_code, stdout, stderr, ...rest } = outcome.data;
    const text = String(stdout).replaceAll(directory, "DIR");
    return { exit_code, stdout: text, stderr, ...rest, summary: outcome.summary };
  });
}

Deno.test("run_shell hands bash the command as it is, in the working directory", async () => {
  const processes = writes([]);
  await runFake(processes);
  assertEquals(processes.specs.map(({ program, args, cwd }) => ({ program, args, cwd })), [
    { program: "bash", args: ["--noprofile", "--norc", "-c", "the command"], cwd: "/work" },
  ]);
});

Deno.test("run_shell gives a command a clean environment, without any key", async () => {
  const processes = writes([]);
  await runFake(processes, {
    PATH: "/bin",
    HOME: "/home/u",
    TZ: "UTC",
    OPENAI_API_KEY: "sk-secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    BASH_ENV: "/tmp/evil",
    LD_PRELOAD: "/tmp/evil.so",
    PAGER: "less",
  });
  assertEquals(processes.specs[0]?.env, {
    PATH: "/bin",
    HOME: "/home/u",
    TZ: "UTC",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    SYSTEMD_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    DEBIAN_FRONTEND: "noninteractive",
  });
});

Deno.test("run_shell has a path to search even where rein has none", async () => {
  const processes = writes([]);
  await runFake(processes);
  assertEquals(
    processes.specs[0]?.env["PATH"],
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  );
});

Deno.test("run_shell puts characters together that were cut between reads", async () => {
  const whole = bytes("磁盘 😀\n");
  const outcomes: unknown[] = [];
  for (let cut = 0; cut <= whole.length; cut++) {
    const outcome = await runFake(writes([whole.slice(0, cut), whole.slice(cut)]));
    outcomes.push(outcome.ok && outcome.data["stdout"]);
  }
  assertEquals(outcomes, outcomes.map(() => "磁盘 😀\n"));
});

Deno.test("run_shell replaces bytes that are no text, even at the very end", async () => {
  const outcome = await runFake(writes([bytes("a"), new Uint8Array([0xf0])]));
  assertEquals(outcome.ok && outcome.data["stdout"], "a\ufffd");
});

Deno.test("run_shell keeps head and tail of long output, and counts its lines exactly", async () => {
  const lines = Array.from({ length: 1500 }, (_, index) => `line ${index}`.padEnd(98, ".") + "\n");
  const outcome = await runFake(writes(lines.map(bytes)));
  const stdout = outcome.ok ? String(outcome.data["stdout"]) : "";
  assertEquals([stdout.startsWith("line 0."), stdout.trimEnd().endsWith(".")], [true, true]);
  assertEquals(outcome.ok && [outcome.summary, outcome.truncated], ["1500 lines", [
    {
      field: "stdout",
      total_chars: 148_500,
      omitted_chars: 144_500,
      omitted_lines: 1459,
      read_on: 'read_output with id "out1" reads all of it.',
    },
  ]]);
});

Deno.test("run_shell counts lines as people do", async () => {
  const summaries = ["", "a", "a\n", "a\nb", "\n\n"].map(async (text) => {
    const outcome = await runFake(writes([bytes(text)]));
    return outcome.ok && outcome.summary;
  });
  assertEquals(await Promise.all(summaries), ["0 lines", "1 line", "1 line", "2 lines", "2 lines"]);
});

Deno.test("run_shell says that a background process was left", async () => {
  assertEquals(await runFake(writes([bytes("a\n")], { outputHeld: true })), {
    ok: true,
    data: {
      exit_code: 0,
      stdout: "a\n",
      stderr: "",
      note: "A background process still held the output and was no longer listened to.",
    },
    summary: "1 line",
    truncated: [],
  });
});

Deno.test("run_shell names what left the command's group, and says that the rest was ended", async () => {
  const escaped = [
    { pid: 7, command: "sleep 300", ended: false },
    { pid: 8, command: "nginx", ended: false },
    { pid: 9, command: "x", ended: true },
  ];
  const outcome = await runFake(writes([], { outputHeld: true, groupEnded: true, escaped }));
  assertEquals(
    outcome.ok && outcome.data["note"],
    "Background processes were ended with the command. Left the command's process group and " +
      "still there: 7 (sleep 300), 8 (nginx). Left the command's process group and were ended: " +
      "9 (x).",
  );
});

Deno.test("run_shell says which programs there are where they are not those of the machine", () => {
  const ports = { files: new MemoryFiles({}), env: fakeEnvironment() };
  const describe = (processes: Processes) => createRunShell({ ...ports, processes }).description;
  const host = writes([]);
  assertEquals(describe(host).includes("The programs of this machine are there."), true);
  assertEquals(
    describe({ ...host, programs: ["awk", "jq"] }).includes(
      "There are bash itself and awk jq, and no other program",
    ),
    true,
  );
});

Deno.test("run_shell lets the failure through where there is no bash", async () => {
  const processes: Processes = {
    available: () => true,
    run: () => Promise.reject(new Error("No bash")),
  };
  await assertRejects(() => runFake(processes), Error, "No bash");
});

Deno.test("run_shell brings exit code, stdout and stderr of a real command apart", async () => {
  assertEquals(await runReal("echo out; echo err >&2; pwd; exit 3"), {
    exit_code: 3,
    stdout: "out\nDIR\n",
    stderr: "err\n",
    summary: "exit 3, 2 lines",
  });
});

Deno.test("run_shell gives a real command empty stdin", async () => {
  assertEquals(await runReal("cat; read x; echo $?"), {
    exit_code: 0,
    stdout: "1\n",
    stderr: "",
    summary: "1 line",
  });
});

Deno.test("run_shell shows a real command no variable but its own", async () => {
  const { stdout } = await runReal("env | cut -d= -f1 | sort", { OPENAI_API_KEY: "sk-secret" });
  const own = ["PATH", "TERM", "PAGER", "GIT_PAGER", "SYSTEMD_PAGER", "GIT_TERMINAL_PROMPT"];
  const bash = ["PWD", "REIN_COMMAND", "SHLVL", "_"];
  assertEquals(
    stdout.trim().split("\n").toSorted(),
    [...own, ...bash, "DEBIAN_FRONTEND"].toSorted(),
  );
});

Deno.test("run_shell brings a syntax error as output, not as a failure", async () => {
  const { exit_code, stdout, stderr } = await runReal("if true; then");
  assertEquals([exit_code, stdout, String(stderr).includes("syntax error")], [2, "", true]);
});

Deno.test("run_shell brings Chinese text and the output of an executable as text", async () => {
  const { stdout } = await runReal(`printf '中文\\n'; printf '\\x7fELF\\xf0\\n'`);
  assertEquals(stdout, "中文\n\u007fELF\ufffd\n");
});
