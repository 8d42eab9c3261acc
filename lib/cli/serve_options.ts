/**
 * The command line of `rein serve`.
 *
 * @module
 */

import { collect } from "./common_options.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { TIME_SPAN } from "../config/kinds.ts";
import type { ListenAddress, Ports } from "../ports.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import type { ServeOptions } from "./serve_command.ts";
import { addSettingOptions, parserOf } from "./setting_options.ts";

/** Time that running tasks have to end, in milliseconds. Source: issue 8. */
const DRAIN_MS = 30_000;

const EPILOGUE = `
The agent file says what the agent can be asked for: each intent is a prompt with
tools, a policy and a form of answer. Tasks are POSTed to /tasks and asked for at
/tasks/ID; /health and /metrics are for those who run it. A task runs once: the
same id is answered from the record, also after a restart. "rein schema agent-file"
prints the form of the file.

SIGTERM or Ctrl-C: no new tasks, those that run have the time of --drain to end;
the rest goes on at the next start. A second signal ends at once.

Exit codes: 0 all that ran could end; 2 the agent file, a policy or the address
can't be used; 130 or 143 tasks were left in the middle.`;

/** `127.0.0.1:8701`, `[::1]:0`. */
function parseAddress(text: string): ListenAddress {
  const [, bracketed, plain, port = ""] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i
    .exec(text) ?? [];
  const hostname = bracketed ?? plain;
  if (hostname !== undefined && Number(port) <= 65_535) return { hostname, port: Number(port) };
  throw new InvalidArgumentError("It takes an address such as 127.0.0.1:8701; port 0: a free one.");
}

/** What the command is handed. */
export interface ServeContext {
  /** The options of a command, with those that stand before its name. */
  given(command: Command): RunOptions;
  /** Is told the exit code once the server has ended. */
  finish(code: number): void;
}

/** Adds `serve`. */
export function addServeCommand(
  program: Command,
  { ports, interrupts }: { readonly ports: Ports; readonly interrupts: Interrupts },
  { given, finish }: ServeContext,
): void {
  addSettingOptions(program.command("serve"))
    .description("answer other programs as a business agent")
    .requiredOption("--agent <file>", "the agent file")
    .requiredOption("--listen <address>", "where to listen, such as 127.0.0.1:8701", parseAddress)
    .addOption(
      new Option("--drain <time>", "how long running tasks may take to end when it is to stop")
        .argParser(parserOf(TIME_SPAN)).default(DRAIN_MS, "30s"),
    )
    .option("--policy <policy>", "as with a question; may be repeated", collect, [])
    .addOption(
      new Option("-o, --output <form>", "events of serving on stdout, or nothing")
        .choices(["text", "jsonl"]).default("text"),
    )
    .option("-q, --quiet", "no line a task on stderr", false)
    .option("--debug", "show a stack trace with an unexpected failure", false)
    .addHelpText("after", EPILOGUE)
    .action(async (_options: ServeOptions, command: Command) => {
      const { serveCommand } = await import("./serve_command.ts");
      const options = given(command) as unknown as ServeOptions;
      finish(await serveCommand(options, ports, interrupts));
    });
}
