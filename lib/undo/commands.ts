/**
 * What a run did that can't be undone: commands that changed something.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Evaluation, JudgeRequest } from "../types.ts";

/** The tool that runs commands. */
const SHELL = "run_shell";

function commandIn(event: Event, runId: string): string | null {
  if (event.run_id !== runId || event.type !== "call_finished" || event.tool !== SHELL) return null;
  const { arguments: args, decision, observation } = event;
  if (decision === null || observation.status === "denied") return null;
  if (args === null || typeof args !== "object" || !("command" in args)) return null;
  return typeof args.command === "string" ? args.command : null;
}

/**
 * The commands of a run that a policy of reading alone would not have allowed, in order.
 *
 * @param readOnly Allows what only reads.
 */
export async function changingCommands(
  events: Iterable<Event>,
  runId: string,
  readOnly: (request: JudgeRequest) => Promise<Evaluation>,
): Promise<string[]> {
  const commands: string[] = [];
  for (const event of events) {
    const command = commandIn(event, runId);
    if (command === null) continue;
    const subjects = [{ kind: "command", command }] as const;
    const { decision } = await readOnly({ tool: SHELL, effect: "execute", subjects });
    if (decision !== "allow") commands.push(command);
  }
  return commands;
}
