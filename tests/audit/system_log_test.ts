import { assert, assertEquals } from "@std/assert";
import { LOGGER_ARGS, SystemLog, systemLogLine } from "../../lib/audit/system_log.ts";
import type { ProcessSpec } from "../../lib/ports.ts";
import { realClock } from "../../lib/real/clock.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import { fakeEnvironment } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

const decoder = new TextDecoder();

/** Programs of which one takes lines. */
function fakeProcesses(code: number, take: (text: string) => void) {
  const specs: ProcessSpec[] = [];
  const run = async (spec: ProcessSpec) => {
    specs.push(spec);
    for await (const bytes of spec.input ?? []) take(decoder.decode(bytes));
    spec.stderr(new TextEncoder().encode(code === 0 ? "" : "logger: no socket\n"));
    return { code, signal: null, outputHeld: false };
  };
  return { specs, processes: { available: () => true, run } };
}

function portsOf(processes: ReturnType<typeof fakeProcesses>["processes"]) {
  return { processes, clock: realClock, env: fakeEnvironment({ PATH: "/usr/bin" }) };
}

Deno.test("SystemLog hands every line to one logger, in order", async () => {
  let taken = "";
  const { specs, processes } = fakeProcesses(0, (text) => taken += text);
  const warnings: string[] = [];
  const log = new SystemLog(portsOf(processes), (text) => warnings.push(text));
  const lines = Array.from({ length: 100 }, (_, index) => `{"seq":${index}}`);
  for (const line of lines) log.add(line);
  await log.end();
  assertEquals(taken, lines.map((line) => `${line}\n`).join(""));
  assertEquals(warnings, []);
  assertEquals(specs.map(({ program, args }) => [program, args]), [["logger", LOGGER_ARGS]]);
});

Deno.test("SystemLog says once that there is no copy, and why", async () => {
  const warnings: string[] = [];
  const { processes } = fakeProcesses(1, () => {});
  const log = new SystemLog(portsOf(processes), (text) => warnings.push(text));
  log.add("{}");
  log.add("{}");
  await log.end();
  assertEquals(warnings, ["the system's log gets no copy of what is audited: logger: no socket"]);
});

Deno.test("systemLogLine() keeps of a long entry what binds it to the log", () => {
  const entry = {
    schema: "rein-audit/1",
    seq: 7,
    at: "x",
    prev: "y",
    mac: "z",
    kind: "call_judged",
  };
  const long = JSON.stringify({ ...entry, arguments: "x".repeat(10_000) });
  assertEquals(JSON.parse(systemLogLine(long)), { ...entry, cut: true });
  assertEquals(systemLogLine(JSON.stringify(entry)), JSON.stringify(entry));
});

/** What listens on a socket of datagrams by its path, as the system's log does. */
const LISTENER = `
import os, socket, sys
path, count = sys.argv[1], int(sys.argv[2])
listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listening.bind(path)
print("listening", flush=True)
for _ in range(count):
    print(listening.recv(65536).decode(), flush=True)
`;

async function isThere(program: string): Promise<boolean> {
  try {
    const command = new Deno.Command(program, {
      args: ["--version"],
      stdout: "null",
      stderr: "null",
    });
    return (await command.output()).success;
  } catch {
    return false;
  }
}

const there = await isThere("logger") && await isThere("python3");

Deno.test({
  name: "SystemLog reaches a socket of the system's log by the machine's logger",
  ignore: !there,
  fn: () =>
    inTempDir({ "listen.py": LISTENER }, async (directory) => {
      const socket = `${directory}/log`;
      const listener = new Deno.Command("python3", {
        args: [`${directory}/listen.py`, socket, "2"],
        stdout: "piped",
      }).spawn();
      const reader = listener.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let said = (await reader.read()).value ?? "";
      const warnings: string[] = [];
      const ports = {
        processes: createProcesses(),
        clock: realClock,
        env: fakeEnvironment({ PATH: Deno.env.get("PATH") ?? "" }),
      };
      const args = [...LOGGER_ARGS, "--socket", socket];
      const log = new SystemLog(ports, (text) => warnings.push(text), args);
      const long = `{"seq":2,"text":"${"é".repeat(3500)}"}`;
      log.add('{"seq":1}');
      log.add(long);
      await log.end();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        said += piece.value;
      }
      await listener.status;
      const [, first = "", second = ""] = said.split("\n");
      // 85: the facility authpriv (10), of the severity notice (5).
      assertEquals([warnings, first.startsWith("<85>")], [[], true]);
      assert(first.endsWith('rein: {"seq":1}'), first);
      assert(second.endsWith(`rein: ${long}`), second.slice(0, 100));
    }),
});
