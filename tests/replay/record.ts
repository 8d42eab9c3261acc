/**
 * Records the runs of `tests/replay/runs`: `deno run -P=tests tests/replay/record.ts`. To be done
 * again where rein is meant to differ from what it did when they were recorded.
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

/** One run, or several in a session. */
interface Scenario {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What the model says; a server where it is left out. */
  readonly turns?: readonly RecordedTurn[];
  readonly replies?: readonly (() => Reply)[];
  /** The arguments of each process, one after the other. */
  readonly runs: readonly (readonly string[])[];
}

function shell(command: string): RecordedTurn {
  return { calls: [{ name: "run_shell", arguments: { command } }] };
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
];

/** Where the runtime keeps what it has loaded. */
const CACHE = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

async function run(args: readonly string[]): Promise<void> {
  const [program, ...own] = SOURCE.command;
  const { code, stderr } = await new Deno.Command(program, {
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
  }).output();
  if (code === 1) throw new Error(new TextDecoder().decode(stderr));
}

async function record({ name, files = {}, turns, replies = [], runs }: Scenario): Promise<void> {
  await Deno.remove(PLACE, { recursive: true }).catch(() => {});
  for (const folder of ["home", "state", "work"]) {
    await Deno.mkdir(`${PLACE}/${folder}`, { recursive: true });
  }
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
    for (const args of runs) await run([...model, "--debug", `${PLACE}/debug.jsonl`, ...args]);
  } finally {
    await server.close();
  }
  await Deno.copyFile(`${PLACE}/debug.jsonl`, new URL(`${name}.jsonl`, RUNS));
  await Deno.remove(PLACE, { recursive: true });
}

if (import.meta.main) {
  await Deno.mkdir(RUNS, { recursive: true });
  for (const scenario of SCENARIOS) {
    await record(scenario);
    console.log(scenario.name);
  }
}
