/**
 * Servers of agents, as processes, for one test.
 *
 * @module
 */

import type { ResultEnvelope, TaskEnvelope } from "../../lib/delegate/types.ts";
import { inTempDir } from "../_temp.ts";
import { REIN, SOURCE, start } from "./_program.ts";
import { listen } from "./_told.ts";

/** A server that listens. */
export interface Served {
  /** Where tasks are handed in. */
  readonly url: string;
  readonly child: Deno.ChildProcess;
  /** Resolves once so many events of this type were told, one if left out; with the last of them. */
  told(type: string, count?: number): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves with all that was told on stderr, once it has ended. */
  readonly stderr: Promise<string>;
}

/** A test's directory with an agent in it. */
export interface Place {
  readonly directory: string;
  /** Starts the agent; it is ended with the test at the latest. */
  serve(options?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Served>;
  /** Lets calls go on that wait for it. */
  go(): Promise<void>;
  /** Lines that calls have written. */
  changes(): Promise<readonly string[]>;
  /** Resolves once calls have written so many lines. */
  changed(lines: number): Promise<void>;
}

const POLICY = `name: worker
rules:
  - id: worker.files
    decision: allow
    paths:
      write: [./made/**]
    reason: The test writes in its own directory
`;

const WAIT = "while ! test -e go; do sleep 0.05; done";

/** An answer that is too large for a result. */
const LARGE = {
  summary: "Many rows.",
  top_items: ["first"],
  rows: Array.from({ length: 4000 }, (_, index) => `row ${index}`),
};

function answerLine(answer: unknown): string {
  return `${JSON.stringify({ text: JSON.stringify(answer) })}\n`;
}

function turns(...commands: readonly string[]): string {
  const called = commands.map((command) => ({
    calls: [{ name: "run_shell", arguments: { command } }],
    usage: { input_tokens: 10, output_tokens: 5 },
  }));
  const answer = JSON.stringify({ summary: "Done.", top_items: [] });
  const lines = [...called, { text: answer, usage: { input_tokens: 10, output_tokens: 5 } }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function intent(name: string, effect: string): string {
  return `
  - name: ${name}
    description: For tests
    effect: ${effect}
    parameters: {type: object, properties: {mark: {type: string}}}
    prompt: Do {{params.mark}}
    tools: [run_shell]
    policy: policy.yaml
    model: recorded:${name}.jsonl`;
}

/** The agent file; `more` are lines of its own. */
function agentFile(more: string): string {
  const intents = [
    ...[intent("quick", "read"), intent("large", "read"), intent("hold", "read")],
    ...[intent("sneaky", "read"), intent("once", "change")],
    ...[intent("change", "change"), intent("doubt", "change")],
    intent("forbidden", "change"),
  ];
  return `name: worker\ndescription: For tests\n${more}intents:${intents.join("")}\n`;
}

const FILES = {
  "policy.yaml": POLICY,
  "made/changes": "",
  "quick.jsonl": turns(),
  "large.jsonl": answerLine(LARGE),
  "hold.jsonl": turns(WAIT),
  "sneaky.jsonl": turns("echo sneaky >> made/changes"),
  "once.jsonl": turns("echo once >> made/changes"),
  "forbidden.jsonl": turns("echo forbidden >> made/changes; echo forbidden >> elsewhere"),
  "change.jsonl": turns("echo change >> made/changes", WAIT),
  "doubt.jsonl": turns(`echo doubt >> made/changes; ${WAIT}`),
};

/** A pause between two looks at the same thing. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function startServer(
  directory: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Served & { readonly reading: Promise<void> }> {
  const args = ["serve", "--agent", "agent.yaml", "--listen", "127.0.0.1:0", "-o", "jsonl"];
  const child = start(REIN ?? SOURCE, [...args, ...options], {
    cwd: directory,
    env: { XDG_STATE_HOME: `${directory}/state`, ...env },
  });
  const stderr = new Response(child.stderr).text();
  const { told, reading } = listen(child);
  try {
    const { url } = await told("listening");
    return { url: String(url), child, told, stderr, reading };
  } catch (error) {
    throw new Error(`${error}: ${await stderr}`);
  }
}

/**
 * Runs a test in a directory with an agent.
 *
 * @param more Lines of the agent file, each with its line end.
 */
export async function inPlace(more: string, work: (place: Place) => Promise<void>): Promise<void> {
  await inTempDir({ ...FILES, "agent.yaml": agentFile(more) }, async (directory) => {
    const servers: Awaited<ReturnType<typeof startServer>>[] = [];
    const changes = async () => {
      const text = await Deno.readTextFile(`${directory}/made/changes`);
      return text.split("\n").filter((line) => line !== "");
    };
    const go = () => Deno.writeTextFile(`${directory}/go`, "");
    try {
      await work({
        directory,
        serve: async (options = [], env = {}) => {
          const server = await startServer(directory, options, env);
          servers.push(server);
          return server;
        },
        go,
        changes,
        changed: async (lines) => {
          while ((await changes()).length < lines) await pause();
        },
      });
    } finally {
      await go();
      for (const { child, reading, stderr } of servers) {
        end(child);
        await Promise.all([child.status, reading, stderr]);
      }
    }
  });
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** A task for the agent. */
export function task(id: string, intent: string, rest: Partial<TaskEnvelope> = {}): TaskEnvelope {
  return {
    task_id: id,
    protocol: "agent-task/1.0",
    agent: "worker",
    intent,
    params: { mark: "it" },
    callback: null,
    timeout_sec: 60,
    ...rest,
  };
}

/** What a server answered. */
export interface Answered {
  readonly status: number;
  readonly body: Partial<ResultEnvelope> & Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

async function answered(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers };
}

/** Hands a task in. */
export async function post(
  { url }: Pick<Served, "url">,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  return await answered(
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** Asks for a task until it has finished. */
export async function resultOf({ url }: Pick<Served, "url">, id: string): Promise<Answered> {
  while (true) {
    const given = await answered(await fetch(`${url}/${id}`, { headers: { prefer: "wait=20" } }));
    if (given.status !== 202) return given;
  }
}

/** Asks anything else. */
export async function ask(
  { url }: Pick<Served, "url">,
  path: string,
  init: RequestInit = {},
): Promise<Answered> {
  return await answered(await fetch(new URL(path, url), init));
}
