/**
 * Asking the person at the terminal.
 *
 * @module
 */

import { Allowances } from "../calls/allowances.ts";
import type { ApprovalRequest, Approver } from "../calls/pipeline.ts";
import type { CallEffects } from "../policy/effects.ts";
import type { Ports } from "../ports.ts";
import type { Approval } from "../types.ts";
import type { Answer } from "./approval_keys.ts";

/** What asking needs. */
export type ApprovePorts = Pick<Ports, "terminal" | "files" | "env" | "say">;

const NOBODY: Approval = {
  granted: false,
  by: "nobody",
  reason: "nobody is at a terminal to give it",
};

const GONE: Approval = {
  granted: false,
  by: "nobody",
  reason: "the terminal went away before somebody gave it",
};

function approvalOf(answer: Answer): Approval {
  switch (answer.kind) {
    case "once":
      return { granted: true, by: "person", scope: "once" };
    case "always":
      return { granted: true, by: "person", scope: "session" };
    case "no":
      return { granted: false, by: "person", scope: "once", reason: answer.reason };
    case "stop":
      return { granted: false, by: "person", scope: "run", reason: null };
  }
}

/** What a call would do, for the screen alone: nothing depends on it. */
async function effectsHere(
  { subjects }: ApprovalRequest,
  { files, env }: ApprovePorts,
): Promise<CallEffects> {
  const { effectsOf } = await import("../policy/effects.ts");
  return effectsOf(subjects, {
    cwd: files.cwd(),
    home: env.get("HOME") ?? "/root",
    realPath: (path) => files.realPathSync(path),
  });
}

async function ask(
  request: ApprovalRequest,
  ports: ApprovePorts,
  signal: AbortSignal,
): Promise<Approval> {
  const person = await ports.terminal.openConsole();
  if (person === null) return NOBODY;
  try {
    const { askApproval } = await import("./ask_approval.ts");
    const answer = await askApproval(request, await effectsHere(request, ports), {
      person,
      signal,
      say: ports.say,
    });
    return answer === null ? GONE : approvalOf(answer);
  } finally {
    person.close();
  }
}

/**
 * Builds the approver of a session: one for all of its runs, since it knows what was allowed for
 * good. Where stderr is no terminal, or none can be read from, nobody is there.
 *
 * @param interrupt Called when the person stops the run at the question: Ctrl-C is a key there, of
 *   which no signal comes.
 */
export function createApprover(ports: ApprovePorts, interrupt: () => void): Approver {
  const allowances = new Allowances();
  return async (request, signal) => {
    if (allowances.covers(request)) return { granted: true, by: "session", scope: "session" };
    try {
      const approval = await ask(request, ports, signal);
      if (approval.granted && approval.scope === "session") allowances.add(request);
      if (!approval.granted && approval.by === "person" && approval.scope === "run") interrupt();
      return approval;
    } catch (error) {
      if (!signal.aborted) throw error;
      return { granted: false, by: "nobody", reason: "the run was ended before somebody gave it" };
    }
  };
}
