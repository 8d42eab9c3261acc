import { assert, assertEquals } from "@std/assert";
import { inTempDir } from "../_temp.ts";
import { kindsIn, PRIVATE_KEY, SECRETS } from "./_secrets.ts";
import { rein, type RunSettings, SOURCE } from "./_program.ts";

/** One call of a recorded model. */
interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a run is made of. */
interface Planted {
  readonly calls?: readonly Call[];
  readonly task?: string;
  readonly answer?: string;
  readonly args?: readonly string[];
  readonly env?: RunSettings["env"];
}

const TEXTS = SECRETS.map(({ text }) => text);
const MANY = TEXTS.join("\n");

/** What the run finds in its directory. */
const FILES = {
  "few.txt": `${MANY}\n`,
  // Long enough that most of it goes to a file.
  "many.txt": Array.from({ length: 400 }, (_, row) => `line ${row} ${"-".repeat(row % 50)}`)
    .flatMap((line, row) => [line, TEXTS[row % TEXTS.length]]).join("\n"),
  "key.pem": PRIVATE_KEY,
};

let number = 0;

/** A call that nobody refuses: denials in a row end a run. */
function harmless(): Call {
  return { name: "calculate", arguments: { expression: `${++number} + 1` } };
}

function shell(command: string): Call {
  return { name: "run_shell", arguments: { command } };
}

/** A recording with a few calls a turn. */
function recordingOf({ calls = [], answer = "Done." }: Planted): string {
  const turns = [];
  for (let at = 0; at < calls.length; at += 12) {
    turns.push({ text: "I go on.", calls: calls.slice(at, at + 12) });
  }
  return [...turns, { text: answer }].map((turn) => `${JSON.stringify(turn)}\n`).join("");
}

/** Every file below a directory. */
function* filesBelow(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* filesBelow(path);
    else yield path;
  }
}

/** Where kinds of secrets were found: files of rein's own, stdout and stderr. */
async function leaksOf(planted: Planted): Promise<Record<string, string[]>> {
  return await inTempDir(
    { ...prefixed("work/", FILES), "turns.jsonl": recordingOf(planted), "state/keep": "" },
    async (directory) => {
      const { task = "look at it", args = [], env = {} } = planted;
      const settings = {
        cwd: `${directory}/work`,
        env: { XDG_STATE_HOME: `${directory}/state`, ...env },
      };
      const ended = await rein(
        SOURCE,
        [
          ...[...args, "--model", `recorded:${directory}/turns.jsonl`, "--verbose"],
          ...["--debug", `${directory}/state/debug.jsonl`, task],
        ],
        settings,
      );
      await rein(SOURCE, ["trace", "--html", `${directory}/state/trace.html`], settings);
      const places: [string, string][] = [["stdout", ended.stdout], ["stderr", ended.stderr]];
      for (const path of filesBelow(`${directory}/state`)) {
        const text = new TextDecoder("latin1").decode(await Deno.readFile(path));
        // What a file held must come back as it was: the log of undoing holds it whole.
        if (path.includes("/undo.db")) continue;
        const name = path.slice(directory.length).replace(/sessions\/\w+/, "sessions/ID");
        places.push([name, text]);
      }
      const [, audit = ""] = places.find(([name]) => name.endsWith("audit.jsonl")) ?? [];
      const finished = audit.split('"kind":"call_finished"').length - 1;
      assertEquals(finished, planted.calls?.length ?? 0, ended.stderr);
      return Object.fromEntries(
        places.map(([name, text]) => [name, kindsIn(text)] as const)
          .filter(([, kinds]) => kinds.length > 0),
      );
    },
  );
}

function prefixed(prefix: string, files: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]));
}

Deno.test("there are 30 kinds of secrets and more, which the test itself would find", () => {
  assert(SECRETS.length >= 30);
  assertEquals(kindsIn(MANY + PRIVATE_KEY), [...SECRETS.map(({ kind }) => kind), "private key"]);
});

Deno.test("no secret of an output is in any file, nor on the terminal", async () => {
  const calls = [
    shell("cat few.txt"),
    shell("cat many.txt"),
    shell("cat few.txt >&2"),
    shell("cat key.pem"),
    { name: "read_file", arguments: { path: "few.txt" } },
    { name: "read_file", arguments: { path: "many.txt" } },
    { name: "search_files", arguments: { pattern: "e", path: "." } },
    { name: "read_output", arguments: { id: "out1" } },
  ];
  assertEquals(await leaksOf({ calls }), {});
});

Deno.test("no secret of an argument is in any file, nor on the terminal", async () => {
  const calls = TEXTS.flatMap((text): Call[] => [
    harmless(),
    shell(`echo '${text}'`),
    { name: "remember", arguments: { key: `fact ${number}`, value: text, kind: "fact" } },
    // What is shown of a call is cut: half of a secret must not be what is left.
    { name: "todo", arguments: { action: "add", text: `${"x".repeat(95)} ${text}` } },
  ]);
  assertEquals(await leaksOf({ calls, args: ["--max-steps", "50", "--approve-all"] }), {});
});

Deno.test("no secret of a call that is refused is in any file, nor on the terminal", async () => {
  const calls = TEXTS.flatMap((text): Call[] => [
    harmless(),
    { name: "run_shell", arguments: { command: `rm -rf '${text}'` } },
    harmless(),
    { name: "write_file", arguments: { path: "new.txt", content: text } },
    { name: "remember", arguments: { key: "k", value: text, kind: text } },
    { name: "coffee", arguments: { text } },
    { name: "run_shell", arguments: `{"command": "echo ${text.replaceAll('"', "")}` },
  ]);
  assertEquals(await leaksOf({ calls, args: ["--max-steps", "50", "--approve-all"] }), {});
});

Deno.test("no secret of a URL is in any file, nor on the terminal", async () => {
  const calls = SECRETS.flatMap(({ secret }): Call[] => [
    harmless(),
    {
      name: "http_request",
      arguments: { url: `http://me:${encodeURIComponent(secret)}@127.0.0.1:9/`, method: "GET" },
    },
    {
      name: "http_request",
      arguments: {
        url: `http://127.0.0.1:9/?access_token=${encodeURIComponent(secret)}`,
        method: "GET",
        headers: { authorization: `Bearer ${secret}` },
      },
    },
  ]);
  assertEquals(await leaksOf({ calls, args: ["--max-steps", "50", "--approve-all"] }), {});
});

Deno.test("no secret of an error is in any file, nor on the terminal", async () => {
  const calls = TEXTS.flatMap((text): Call[] => [
    harmless(),
    { name: "read_file", arguments: { path: `missing/${text}` } },
    { name: "search_files", arguments: { pattern: `(${text}`, path: "." } },
    shell(`ls '/missing/${text}'`),
    { name: "calculate", arguments: { expression: text } },
  ]);
  assertEquals(await leaksOf({ calls, args: ["--max-steps", "50", "--approve-all"] }), {});
});

Deno.test("no secret of a task is in any file; an answer is printed as it is", async () => {
  const { stdout, ...others } = await leaksOf({
    task: `what is this?\n${MANY}`,
    answer: `It is this:\n${MANY}`,
  });
  assertEquals([stdout?.length, others], [SECRETS.length, {}]);
});

Deno.test("no secret of the environment is in any file, nor on the terminal", async () => {
  const key = SECRETS.find(({ kind }) => kind === "API key of any kind")!.secret;
  const calls = [shell("env"), shell(`echo ${key}`), { name: "coffee", arguments: { key } }];
  const auditKey = SECRETS.find(({ kind }) => kind === "AWS secret key")!.secret;
  const env = { OPENAI_API_KEY: key, REIN_AUDIT_KEY: auditKey };
  const told = [shell(`echo ${auditKey}`), { name: "coffee", arguments: { auditKey } }];
  assertEquals(await leaksOf({ calls: [...calls, harmless(), ...told], env }), {});
});

Deno.test("no secret of a call is in the events that programs get", async () => {
  const calls = TEXTS.flatMap((text): Call[] => [
    harmless(),
    shell(`echo '${text}'`),
  ]);
  for (const output of ["json", "jsonl"]) {
    const args = ["--max-steps", "50", "--approve-all", "--output", output];
    assertEquals(await leaksOf({ calls, args }), {});
  }
});
