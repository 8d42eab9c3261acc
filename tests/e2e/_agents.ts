/**
 * Agents as processes and whoever asks them, for one test. Agents work in one directory, so that one
 * file tells what they changed, and keep their ports when they start anew.
 *
 * @module
 */

import type { JsonObject } from "../../lib/types.ts";
import { inTempDir } from "../_temp.ts";
import { type Ended, type Program, rein, start } from "./_program.ts";
import { listen, type Telling, type Told } from "./_told.ts";

/** An intent, whose model says these turns. */
export interface PlayedIntent {
  readonly turns: readonly unknown[];
  /** `change` if left out. */
  readonly effect?: "read" | "change";
  /** `run_shell` if left out. */
  readonly tools?: readonly string[];
  /** Other fields of the intent in the agent file. */
  readonly more?: JsonObject;
}

/** An agent, by its name. */
export interface PlayedAgent {
  readonly name: string;
  readonly intents: Readonly<Record<string, PlayedIntent>>;
  /** Other fields of the agent file. */
  readonly more?: JsonObject;
  /** Other fields of the agent in the caller's directory. */
  readonly listed?: JsonObject;
}

/** A process that tells what it does. */
export interface Actor extends Telling {
  readonly child: Deno.ChildProcess;
  /** Resolves with all that was told on stderr, once it has ended. */
  readonly stderr: Promise<string>;
}

/** How a caller is started. */
export interface CallSettings {
  /** What its model says. */
  readonly turns: readonly unknown[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A test's directory with its agents. */
export interface Town {
  readonly directory: string;
  /** Starts an agent, the first time or anew; it is ended with the test at the latest. */
  serve(name: string, env?: Readonly<Record<string, string>>): Promise<Actor>;
  /** Starts a caller, which asks in session `s` and is ended with the test at the latest. */
  call(settings: CallSettings): Promise<Actor>;
  /** Goes on with what a caller had begun. */
  resume(settings: CallSettings): Promise<Actor>;
  /** Runs another command with the caller's state. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The address of an agent. */
  urlOf(name: string): string;
  /** Lets calls go on that wait for it. */
  go(): Promise<void>;
  /** Lines that calls have written, sorted. */
  changes(): Promise<readonly string[]>;
  /** Resolves once calls have written so many lines. */
  changed(lines: number): Promise<void>;
}

const POLICY = `name: town
rules:
  - id: town.files
    decision: allow
    paths:
      write: [./made/**]
    reason: The test writes in its own directory
`;

/** A command that ends once the test says so. */
export const HOLD = "while ! test -e go; do sleep 0.05; done";

/** A command that leaves a line behind. */
export function write(line: string): string {
  return `echo ${line} >> made/changes`;
}

const USAGE = { input_tokens: 10, output_tokens: 5 };

/** Turns that run these commands and answer with this. */
export function turns(commands: readonly string[], answer: JsonObject): readonly unknown[] {
  const called = commands.map((command) => ({
    calls: [{ name: "run_shell", arguments: { command } }],
    usage: USAGE,
  }));
  return [...called, { text: JSON.stringify(answer), usage: USAGE }];
}

/** A call of `delegate`, and what is answered then. */
export function asking(tasks: readonly JsonObject[], answer: string, more: JsonObject = {}) {
  return [
    { calls: [{ name: "delegate", arguments: { tasks, ...more } }], usage: USAGE },
    { text: answer, usage: USAGE },
  ];
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

const PARAMETERS = { type: "object", properties: { mark: {} }, additionalProperties: false };

function agentFile({ name, intents, more = {} }: PlayedAgent): string {
  return JSON.stringify({
    name,
    description: `For tests of ${name}`,
    ...more,
    intents: Object.entries(intents).map(([intent, { effect = "change", tools, more = {} }]) => ({
      name: intent,
      description: "For tests",
      effect,
      parameters: PARAMETERS,
      prompt: "Do {{params.mark}}",
      tools: tools ?? ["run_shell"],
      policy: "policy.yaml",
      model: `recorded:${name}.${intent}.jsonl`,
      ...more,
    })),
  });
}

/** An agent in the directory of those that may be asked. */
function listed({ name, intents, listed = {} }: PlayedAgent, url: string): JsonObject {
  return {
    name,
    description: `For tests of ${name}`,
    ...("a2a" in listed || "command" in listed ? {} : { address: url }),
    timeout: "60s",
    ...listed,
    intents: Object.entries(intents).map(([intent, { effect = "change" }]) => ({
      name: intent,
      description: "For tests",
      effect,
      parameters: PARAMETERS,
    })),
  };
}

/** A port that nobody listens on now. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** A pause between two looks at the same thing. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** Ends a process, wherever it is; it may have ended by itself. */
export function kill({ child }: Pick<Actor, "child">): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Where something is started, and who is told what it tells. */
interface Stage {
  readonly program: Program;
  readonly directory: string;
  readonly actors: Actor[];
  readonly onEvent: (from: string, event: Told) => void;
}

function begin(
  { program, directory, actors, onEvent }: Stage,
  from: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Actor {
  const state = { XDG_STATE_HOME: `${directory}/state-${from === "caller" ? from : "agents"}` };
  const child = start(program, args, { cwd: directory, env: { ...state, ...env } });
  const stderr = new Response(child.stderr).text();
  const actor = { child, stderr, ...listen(child, (event) => onEvent(from, event)) };
  actors.push(actor);
  return actor;
}

async function serve(
  stage: Stage,
  { name, port }: { readonly name: string; readonly port: number },
  env: Readonly<Record<string, string>>,
): Promise<Actor> {
  const args = ["serve", "--agent", `${name}.yaml`, "--listen", `127.0.0.1:${port}`];
  const actor = begin(stage, name, [...args, "-o", "jsonl", "--quiet"], env);
  try {
    await actor.told("listening");
    return actor;
  } catch (error) {
    throw new Error(`${error}: ${await actor.stderr}`);
  }
}

async function changesIn(directory: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(`${directory}/made/changes`);
  return text.split("\n").filter((line) => line !== "").sort();
}

/** Writes what a caller's model says; its arguments. */
async function callArgs(stage: Stage, { turns, args = [] }: CallSettings): Promise<string[]> {
  // Callers at the same time say different things.
  const file = `caller-${stage.actors.length}.jsonl`;
  await Deno.writeTextFile(`${stage.directory}/${file}`, lines(turns));
  const usual = ["-m", `recorded:${file}`, "--agents", "agents.yaml", "--approve-all"];
  return [...usual, "-o", "jsonl", ...args];
}

function filesOf(agents: readonly PlayedAgent[], urlOf: (name: string) => string) {
  const files = agents.flatMap((agent) => [
    [`${agent.name}.yaml`, agentFile(agent)],
    ...Object.entries(agent.intents).map(([intent, { turns }]) => [
      `${agent.name}.${intent}.jsonl`,
      lines(turns),
    ]),
  ]);
  const directory = { agents: agents.map((agent) => listed(agent, urlOf(agent.name))) };
  return {
    ...Object.fromEntries(files),
    "agents.yaml": JSON.stringify(directory),
    "policy.yaml": POLICY,
    "made/changes": "",
  };
}

/**
 * Runs a test among these agents, none of which is started yet.
 *
 * @param onEvent Is told all that agents, by their names, and callers, as `caller`, tell.
 */
export async function inTown(
  program: Program,
  agents: readonly PlayedAgent[],
  work: (town: Town) => Promise<void>,
  onEvent: (from: string, event: Told) => void = () => {},
): Promise<void> {
  const ports = new Map(agents.map(({ name }) => [name, freePort()]));
  const urlOf = (name: string) => `http://127.0.0.1:${ports.get(name)}/tasks`;
  await inTempDir(filesOf(agents, urlOf), async (directory) => {
    const stage: Stage = { program, directory, actors: [], onEvent };
    const go = () => Deno.writeTextFile(`${directory}/go`, "");
    const caller = async (before: readonly string[], settings: CallSettings, task: string[]) => {
      const args = [...before, ...await callArgs(stage, settings), ...task];
      return begin(stage, "caller", args, settings.env ?? {});
    };
    try {
      await work({
        directory,
        serve: (name, env = {}) => serve(stage, { name, port: ports.get(name) ?? 0 }, env),
        call: (settings) =>
          caller([], { ...settings, args: ["--session", "s", ...settings.args ?? []] }, ["Do it"]),
        resume: (settings) => caller(["resume", "s"], settings, []),
        run: (args, env = {}) =>
          rein(program, args, {
            cwd: directory,
            env: { XDG_STATE_HOME: `${directory}/state-caller`, ...env },
          }),
        urlOf,
        go,
        changes: () => changesIn(directory),
        changed: async (count) => {
          while ((await changesIn(directory)).length < count) await pause();
        },
      });
    } finally {
      await go();
      for (const actor of stage.actors) {
        kill(actor);
        await Promise.all([actor.child.status, actor.reading, actor.stderr]);
      }
    }
  });
}

/** How a task stands in the result of its call. */
export interface ToldTask {
  readonly id: string;
  readonly status: string;
  readonly summary?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly data?: JsonObject;
}

/** What a caller's run came to. */
export interface Outcome {
  readonly code: number;
  readonly answer: unknown;
  /** The tasks of its last call. */
  readonly tasks: readonly ToldTask[];
}

/** Waits for the end of a caller. */
export async function outcomeOf(caller: Actor): Promise<Outcome> {
  const [{ code }] = await Promise.all([caller.child.status, caller.reading]);
  const finished = caller.events.findLast(({ type }) => type === "call_finished");
  const observation = finished?.["observation"] as { data: JsonObject | null } | undefined;
  const end = caller.events.findLast(({ type }) => type === "run_finished");
  const result = end?.["result"] as { answer: unknown } | undefined;
  const tasks = (observation?.data?.["tasks"] ?? []) as unknown as readonly ToldTask[];
  return { code, answer: result?.answer ?? null, tasks };
}

/** How tasks ended, in a few words each. */
export function ends(tasks: readonly ToldTask[]): readonly string[] {
  return tasks.map(({ id, status, error }) =>
    `${id} ${status}${error === undefined ? "" : ` ${error.code}`}`
  );
}

/** A task in the table, as `rein tasks -o json` has it. */
export interface TableTask {
  readonly id: string | null;
  readonly name: string;
  readonly agent: string;
  readonly intent: string;
  readonly phase: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The table of the caller's tasks, in the order in which they were asked for. */
export async function tableOf(town: Town): Promise<readonly TableTask[]> {
  const { stdout } = await town.run(["tasks", "--all", "-o", "json"]);
  return JSON.parse(stdout).tasks.toReversed();
}
