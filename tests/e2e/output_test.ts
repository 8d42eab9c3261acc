import { assertEquals } from "@std/assert";
import {
  inTempDir,
  LOCKED,
  type Program,
  PROGRAMS,
  recording,
  rein,
  type RunSettings,
} from "./_program.ts";

interface Seen {
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly message: string } | null;
  readonly truncated: readonly { readonly field: string; readonly read_on: string }[];
}

type Call = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** What the calls of a recording bring, one call a turn. */
async function observations(
  program: Program,
  calls: readonly Call[],
  settings: RunSettings & { files?: Readonly<Record<string, string>> } = {},
): Promise<Seen[]> {
  return await inTempDir(async (cwd) => {
    for (const [name, text] of Object.entries(settings.files ?? {})) {
      await Deno.writeTextFile(`${cwd}/${name}`, text);
    }
    const turns = calls.map(([name, args]) => ({ calls: [{ name, arguments: args }] }));
    const model = await recording(cwd, [...turns, { text: "done" }]);
    const args = ["--model", model, "--output", "jsonl", "go"];
    const { stdout } = await rein(program, args, { ...settings, cwd });
    return stdout.trim().split("\n").map((line) => JSON.parse(line))
      .filter(({ type }) => type === "call_finished")
      .map(({ observation }) => observation);
  });
}

/** Names of rein's files in the directory for them, whoever left them. */
function leftovers(): string[] {
  return [...Deno.readDirSync("/tmp")].map(({ name }) => name)
    .filter((name) => /^rein-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name));
}

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) reads on in an output that was cut, and leaves nothing of it`, async () => {
    const [cut, range, found] = await observations(program, [
      ["run_shell", { command: "seq 1 200000" }],
      ["read_output", { id: "out1", start_line: 100000, end_line: 100001 }],
      ["read_output", { id: "out1", pattern: "^12345.$", tail: 1 }],
      ["read_output", { id: "out1", pattern: "^1999..$" }],
    ]);
    assertEquals(cut?.truncated.map(({ field, read_on }) => [field, read_on]), [
      ["stdout", 'read_output with id "out1" reads all of it.'],
    ]);
    assertEquals(range?.data?.["content"], "100000\n100001\n");
    assertEquals([found?.status, leftovers()], ["error", []]);
  });

  Deno.test(`rein (${program.name}) shows no tool's secrets to the model, its own key least of all`, async () => {
    const key = "k-0123456789abcdef";
    const seen = await observations(program, [
      ["run_shell", { command: `echo "key is ${key}"; cat app.conf` }],
      ["read_file", { path: "app.conf" }],
      ["search_files", { pattern: "PASS", path: "app.conf" }],
      ["read_file", { path: `gone-${key}` }],
    ], { env: { OPENAI_API_KEY: key }, files: { "app.conf": "DB_PASSWORD=hunter2\n" } });
    assertEquals(
      seen.map(({ data, error }) =>
        error?.message ?? data?.["stdout"] ?? data?.["content"] ?? data?.["matches"]
      ),
      [
        "key is [redacted: secret-value]\nDB_PASSWORD=[redacted: password]\n",
        "DB_PASSWORD=[redacted: password]\n",
        "app.conf:1: DB_PASSWORD=[redacted: password]",
        '"gone-[redacted: secret-value]" does not exist',
      ],
    );
  });
}

const locked = LOCKED;
if (locked) {
  Deno.test("rein-locked has no read_output, and says that the rest is gone", async () => {
    const text = Array.from({ length: 500 }, (_, at) => `x line ${at} ${"y".repeat(60)}\n`).join(
      "",
    );
    const [cut, read] = await observations(locked, [
      ["search_files", { pattern: "x", path: "f", max_matches: 500 }],
      ["read_output", { id: "out1" }],
    ], { files: { f: text } });
    assertEquals(cut?.truncated.map(({ read_on }) => read_on), [
      "The rest is gone: this run can't keep it. Ask for less at once.",
    ]);
    assertEquals(read?.status, "error");
  });
}
