/**
 * Records the runs of `tests/replay/runs`, all or those that are named:
 * `deno run -P=tests tests/replay/record.ts [NAME…]`. To be done again where rein is meant to differ
 * from what it did when they were recorded.
 *
 * @module
 */

import { generateLog } from "../../demo/log.ts";
import { SOURCE } from "../e2e/_program.ts";
import { type Reply, startModelServer } from "../model_server.ts";

/** Where the runs take place: the same wherever they are recorded. */
const PLACE = "/tmp/rein-runs";

const RUNS = new URL("./runs/", import.meta.url);

/** A turn of a recorded model. */
interface RecordedTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** Where the runtime keeps what it has loaded. */
const CACHE = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** One run, or several in a session. */
interface Scenario {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What the model says; a server where it is left out. */
  readonly turns?: readonly RecordedTurn[];
  readonly replies?: readonly (() => Reply)[];
  /** The arguments of each process, one after the other. */
  readonly runs: readonly (readonly string[])[];
  /** The first process gets Ctrl-C once its debug file holds this. */
  readonly interruptedAt?: RegExp;
}

function shell(command: string): RecordedTurn {
  return { calls: [{ name: "run_shell", arguments: { command } }] };
}

/** A turn that begins and goes on for ever. */
function endless(): Reply {
  return { text: ["I look", "."], gate: new Promise(() => {}) };
}

/** A call of a server's tool. */
const ECHO = { calls: [{ name: "a__echo", arguments: { text: "from afar" } }] };

/** Servers as a configuration names them; the runtime that they need is not looked for at home. */
function servers(): string {
  const [program, ...flags] = SOURCE.command;
  const fixture = new URL("../mcp/_stdio_server.ts", import.meta.url).pathname;
  const config = flags.find((flag) => flag.startsWith("--config=")) ?? "";
  const start = [program, "run", "--quiet", "--allow-all", "--no-prompt", config, fixture, "well"];
  const line = `DENO_DIR='${CACHE}' exec ${start.map((word) => `'${word}'`).join(" ")}`;
  return JSON.stringify({ mcp: { a: { command: ["sh", "-c", line], reads: ["echo"] } } });
}

const LIST = { calls: [{ name: "list_files", arguments: { path: "." } }] };

/** Every field of an answer, and a wrong one first. */
const ANSWER_SCHEMA = JSON.stringify({
  type: "object",
  properties: { files: { type: "integer" } },
  required: ["files"],
});

const SCENARIOS: readonly Scenario[] = [
  {
    name: "parallel",
    files: { "access.log": generateLog() },
    turns: [
      {
        text: "I count, and look at the end.",
        calls: [
          { name: "search_files", arguments: { pattern: '" 50[234] ', path: "access.log" } },
          { name: "run_shell", arguments: { command: "tail -n 2 access.log" } },
          { name: "calculate", arguments: { expression: "447 / 6232" } },
        ],
      },
      { text: "七个百分点：447 of 6232 requests failed." },
    ],
    runs: [["How many requests failed? 用中文回答也可以。"]],
  },
  {
    name: "denied",
    turns: [shell("rm -rf build"), shell("rm -r build"), shell("find build -delete"), {
      text: "No.",
    }],
    runs: [["Clean up"]],
  },
  {
    name: "approved",
    files: { "notes.txt": "one\ntwo\n" },
    turns: [
      {
        calls: [{
          name: "edit_file",
          arguments: { path: "notes.txt", old_text: "two", new_text: "three" },
        }],
      },
      shell("cat notes.txt"),
      { text: "Done." },
    ],
    runs: [["--approve-all", "Replace two by three"]],
  },
  {
    name: "dry-run",
    files: { "notes.txt": "one\n" },
    turns: [
      { calls: [{ name: "write_file", arguments: { path: "new.txt", content: "hello\n" } }] },
      shell("rm notes.txt"),
      { text: "It would write new.txt and delete notes.txt." },
    ],
    runs: [["--dry-run", "Replace the notes"]],
  },
  { name: "step-limit", turns: [LIST, shell("pwd"), LIST], runs: [["--max-steps", "2", "Look"]] },
  { name: "repeating", turns: [LIST, LIST, LIST, LIST], runs: [["Look around"]] },
  {
    name: "answer-schema",
    files: { "schema.json": ANSWER_SCHEMA },
    turns: [LIST, { text: "There are many files." }, { text: '{"files": 1}' }],
    runs: [["--schema", "schema.json", "How many files are here?"]],
  },
  {
    name: "session",
    turns: [
      { calls: [{ name: "todo", arguments: { add: ["look", "tell"] } }] },
      { text: "I will look." },
      shell("true"),
      { text: "There is nothing." },
    ],
    runs: [["--session", "s1", "Plan it"], ["--session", "s1", "Now do it"]],
  },
  {
    name: "compaction",
    files: {
      "long.txt": Array.from({ length: 400 }, (_, n) => `${n} ${"word ".repeat(20)}\n`).join(""),
    },
    turns: [
      ...[1, 101, 201, 301].map((start_line) => ({
        calls: [{
          name: "read_file",
          arguments: { path: "long.txt", start_line, end_line: start_line + 99 },
        }],
      })),
      { text: "400 lines." },
    ],
    runs: [["--context-window", "9000", "How long is it?"]],
  },
  {
    name: "server",
    replies: [
      () => new Response("slow down", { status: 429, headers: { "retry-after": "0" } }),
      () => ({ text: ["I ", "look."], calls: [{ name: "list_files", arguments: { path: "." } }] }),
      () => ({ text: "There is nothing here." }),
    ],
    runs: [["What is here?"]],
  },
  {
    name: "adapted",
    replies: [
      () => refusal("Unsupported parameter: 'temperature' is not supported with this model."),
      () => refusal("stream_options is not supported"),
      () => LIST,
      () => ({ text: "There is nothing here." }),
    ],
    runs: [["What is here?"]],
  },
  {
    name: "failing",
    replies: [() => LIST, ...Array.from({ length: 8 }, () => () => failure())],
    runs: [["What is here?"]],
  },
  {
    name: "time-limit",
    replies: [() => LIST, endless],
    runs: [["--max-time", "3s", "What is here?"]],
  },
  {
    name: "interrupted",
    replies: [() => LIST, endless],
    runs: [["What is here?"]],
    interruptedAt: /"status":200[^]+"status":200/,
  },
  {
    name: "resumed",
    turns: [
      shell("echo begun; sleep 60"),
      shell("echo ended"),
      { text: "It has ended." },
    ],
    runs: [["--session", "s1", "Wait for it"], ["resume", "s1"]],
    interruptedAt: /"type":"call_started"/,
  },
  {
    name: "servers",
    files: { "../home/.config/rein/config.yaml": servers() },
    turns: [LIST, ECHO, { text: "It said so." }],
    runs: [["Ask it"]],
  },
];

function refusal(message: string): Response {
  return Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });
}

function failure(): Response {
  return new Response("out of order", { status: 500, headers: { "retry-after": "0" } });
}

/** Waits until a file holds something. */
async function untilHolds(path: string, wanted: RegExp): Promise<void> {
  while (!wanted.test(await Deno.readTextFile(path).catch(() => ""))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function run(args: readonly string[], interruptedAt?: RegExp): Promise<void> {
  const [program, ...own] = SOURCE.command;
  const process = new Deno.Command(program, {
    args: [...own, "--quiet", ...args],
    cwd: `${PLACE}/work`,
    env: {
      HOME: `${PLACE}/home`,
      XDG_STATE_HOME: `${PLACE}/state`,
      PATH: "/usr/bin:/bin",
      DENO_DIR: CACHE,
    },
    clearEnv: true,
    stdin: "null",
    stderr: "piped",
  }).spawn();
  if (interruptedAt !== undefined) {
    await untilHolds(`${PLACE}/debug.jsonl`, interruptedAt);
    process.kill("SIGINT");
  }
  const { code, stderr } = await process.output();
  if (code === 1) throw new Error(new TextDecoder().decode(stderr));
}

async function record(scenario: Scenario): Promise<void> {
  const { name, files = {}, turns, replies = [], runs, interruptedAt } = scenario;
  await Deno.remove(PLACE, { recursive: true }).catch(() => {});
  for (const folder of ["home", "state", "work"]) {
    await Deno.mkdir(`${PLACE}/${folder}`, { recursive: true });
  }
  await Deno.mkdir(`${PLACE}/home/.config/rein`, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${PLACE}/work/${file}`, text);
  }
  const recording = (turns ?? []).map((turn) => `${JSON.stringify(turn)}\n`).join("");
  await Deno.writeTextFile(`${PLACE}/turns.jsonl`, recording);
  const server = startModelServer((_request, index) => replies[index]?.() ?? { text: "?" });
  const model = turns === undefined
    ? ["--base-url", server.baseUrl, "--model", "m"]
    : ["--model", `recorded:${PLACE}/turns.jsonl`];
  try {
    for (const [index, [first = "", ...more]] of runs.entries()) {
      const debug = ["--debug", `${PLACE}/debug.jsonl`];
      const args = first === "resume" ? [first, ...model, ...debug] : [...model, ...debug, first];
      await run([...args, ...more], index === 0 ? interruptedAt : undefined);
    }
  } finally {
    await server.close();
  }
  await Deno.copyFile(`${PLACE}/debug.jsonl`, new URL(`${name}.jsonl`, RUNS));
  await Deno.remove(PLACE, { recursive: true });
}

if (import.meta.main) {
  await Deno.mkdir(RUNS, { recursive: true });
  const names = Deno.args;
  for (const scenario of SCENARIOS) {
    if (names.length > 0 && !names.includes(scenario.name)) continue;
    await record(scenario);
    console.log(scenario.name);
  }
}
