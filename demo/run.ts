/**
 * Runs the demo: writes the log into a fresh temporary directory and lets the
 * real program answer a question about it. Only the model's side of the
 * conversation is recorded; the tools, the policy and their results are real.
 *
 * A program of its own beside `main.ts`, so it may touch the runtime.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { generateLog } from "./log.ts";

/** What the demo asks; the recording answers it. */
export const QUESTION = "Which endpoints returned 5xx in the last hour of this log, top 5, " +
  "and how does that compare with the hour before?";

/** What the recording's commands read, in the working directory. */
export const LOG_NAME = "access.log";

if (import.meta.main) Deno.exit(await runDemo());

/** Runs the demo to its end and removes its directory; resolves with rein's exit code. */
async function runDemo(): Promise<number> {
  const cwd = await Deno.makeTempDir({ prefix: "rein-demo-" });
  // What is audited goes with the demo, too.
  const state = await Deno.makeTempDir({ prefix: "rein-demo-state-" });
  try {
    const log = generateLog();
    await Deno.writeTextFile(`${cwd}/${LOG_NAME}`, log);
    console.error(introduction(log));
    return await runRein(cwd, state);
  } finally {
    await Deno.remove(cwd, { recursive: true });
    await Deno.remove(state, { recursive: true });
  }
}

function introduction(log: string): string {
  const lines = (log.split("\n").length - 1).toLocaleString("en");
  return `Demo: a recorded model, real tools and policy, and a log of ${lines} lines made for it. ` +
    `Question: ${QUESTION}`;
}

/** Starts the program as a person would, and lets it end by itself when interrupted. */
async function runRein(cwd: string, state: string): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", `--config=${pathOf("../deno.json")}`, "-P=rein"],
      ...[
        pathOf("../main.ts"),
        "--model",
        `recorded:${pathOf("demo.jsonl")}`,
        "--no-session",
        QUESTION,
      ],
    ],
    cwd,
    env: { XDG_STATE_HOME: state },
    stdin: "null",
  }).spawn();
  const stop = forwardSignals(child);
  const { code } = await child.status;
  stop();
  return code;
}

/**
 * A terminal sends Ctrl-C to the child as well; this side only has to live on,
 * so that the directory is removed. A SIGTERM comes here alone.
 */
function forwardSignals(child: Deno.ChildProcess): () => void {
  const onInterrupt = () => {};
  const onTerminate = () => child.kill("SIGTERM");
  const terminable = Deno.build.os !== "windows";
  Deno.addSignalListener("SIGINT", onInterrupt);
  if (terminable) Deno.addSignalListener("SIGTERM", onTerminate);
  return () => {
    Deno.removeSignalListener("SIGINT", onInterrupt);
    if (terminable) Deno.removeSignalListener("SIGTERM", onTerminate);
  };
}

/** The path of a file, given in relation to this one. */
function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
