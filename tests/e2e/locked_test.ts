import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, LOCKED, recording, rein } from "./_program.ts";

const test = (law: string, work: (program: NonNullable<typeof LOCKED>) => Promise<void>) =>
  Deno.test({
    name: `rein-locked ${law}`,
    ignore: LOCKED === null,
    fn: () => LOCKED === null ? Promise.resolve() : work(LOCKED),
  });

/** What came of the only call of a run. */
async function observationOf(
  program: NonNullable<typeof LOCKED>,
  cwd: string,
  call: { name: string; arguments: unknown },
): Promise<{ status: string; data: unknown; error: { code: string } | null }> {
  const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
  const { stdout } = await rein(program, ["-m", model, "-o", "jsonl", "hi"], { cwd });
  const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
  return events.find(({ type }) => type === "call_finished").observation;
}

test("offers the contained shell under the name of the shell", async (program) => {
  const server = startModelServer(() => ({ text: "ok" }));
  await rein(program, ["--base-url", server.baseUrl, "-m", "m", "hi"]);
  const tools = server.requests[0]?.body.tools?.map((tool) => tool.function.name);
  assertEquals(tools, [
    "run_shell",
    "read_file",
    "list_files",
    "search_files",
    "log_stats",
    "http_request",
    "wait_for",
    "calculate",
    "todo",
    "recall",
  ]);
  const shell = server.requests[0]?.body.tools?.[0]?.function;
  assertMatch(`${shell?.description}`, /There are bash itself and awk .* and no other program/);
  await server.close();
});

test("interprets bash over the files below the working directory", async (program) => {
  await inTempDir(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/a.log`, "ok 1\nERROR 二\nok 3\n");
    const command = "ls *.log; cat a.log | grep ERROR; cat < /dev/null";
    const call = { name: "run_shell", arguments: { command } };
    const { status, data } = await observationOf(program, cwd, call);
    const whole = { exit_code: 0, stdout: "a.log\nERROR 二\n", stderr: "" };
    assertEquals([status, data], ["success", whole]);
  });
});

for (const command of ["cat ../x.txt", "cat link/hostname", "cat /etc/hostname", "ls /etc"]) {
  test(`brings nothing from: ${command}`, async (program) => {
    await inTempDir(async (cwd) => {
      await Deno.symlink("/etc", `${cwd}/link`);
      const call = { name: "run_shell", arguments: { command } };
      const { data } = await observationOf(program, cwd, call);
      assertEquals((data as { stdout?: string } | null)?.stdout ?? "", "");
    });
  });
}

test("reaches no host for a command", async (program) => {
  await inTempDir(async (cwd) => {
    let reached = 0;
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
      reached++;
      return new Response("reached");
    });
    const { port } = server.addr;
    const urls = [`curl -sI http://127.0.0.1:${port}/health`, `cat < /dev/tcp/127.0.0.1/${port}`];
    for (const command of urls) {
      const { data } = await observationOf(program, cwd, {
        name: "run_shell",
        arguments: { command },
      });
      assertEquals((data as { stdout?: string } | null)?.stdout ?? "", "");
    }
    await server.shutdown();
    assertEquals(reached, 0);
  });
});

test("reads below the working directory", async (program) => {
  await inTempDir(async (cwd) => {
    await Deno.mkdir(`${cwd}/logs`);
    await Deno.writeTextFile(`${cwd}/logs/a.log`, "一行\n");
    const call = { name: "read_file", arguments: { path: "logs/a.log" } };
    const { status, data } = await observationOf(program, cwd, call);
    const whole = { content: "一行\n", start_line: 1, end_line: 1, total_lines: 1 };
    assertEquals([status, data], ["success", whole]);
  });
});

for (const path of ["/etc/hostname", "../x.txt", "link/hostname", "/proc/self/status"]) {
  test(`does not read ${path}`, async (program) => {
    await inTempDir(async (cwd) => {
      await Deno.symlink("/etc", `${cwd}/link`);
      const call = { name: "read_file", arguments: { path } };
      const { status, error } = await observationOf(program, cwd, call);
      assertEquals([status, error?.code], ["error", "no_permission"]);
    });
  });
}

test("never asks the person to widen its permissions", async (program) => {
  await inTempDir(async (cwd) => {
    const call = { name: "read_file", arguments: { path: "/etc/hostname" } };
    const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
    const { stderr } = await rein(program, ["-m", model, "hi"], { cwd });
    assertMatch(stderr, /"\/etc\/hostname" may not be read/);
  });
});
