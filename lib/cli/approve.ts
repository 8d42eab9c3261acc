/**
 * Asking the person at the terminal.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { ApprovalRequest, Approver } from "../calls/pipeline.ts";
import type { Terminal } from "../ports.ts";
import type { Approval } from "../types.ts";
import { printable } from "./printable.ts";

const NOBODY: Approval = {
  granted: false,
  by: "nobody",
  reason: "nobody is at a terminal to give it",
};

/** Indents every line, so that no text can imitate rein's own lines. */
function indented(text: string): string {
  return text.trimEnd().split("\n").map((line) => `    ${line}`).join("\n");
}

function question(request: ApprovalRequest): string {
  const whole = request.evaluation.parts.map((part) => part.text).join("\n");
  const reasons = decisiveRules(request.evaluation)
    .map((rule) => indented(`${rule.matched}: ${rule.reason} (rule ${rule.rule})`));
  const lines = [`\n${request.tool} wants to run:`, indented(request.brief)];
  if (whole !== request.brief) lines.push("  judged as:", indented(whole));
  if (request.preview !== null) lines.push("  which would do:", indented(request.preview));
  lines.push("  because of:", ...new Set(reasons));
  return printable(lines.join("\n") + "\n");
}

/**
 * Builds the approver. Where stdin or stderr is no terminal, nobody is there.
 *
 * @param interrupt Called when the person presses Ctrl-C at the question.
 */
export function createApprover(terminal: Terminal, interrupt: () => void): Approver {
  return async (request, signal) => {
    if (!terminal.stdinIsTerminal || !terminal.stderrIsTerminal) return NOBODY;
    await terminal.err(question(request));
    try {
      if (await terminal.confirm("Allow it this once?", signal)) {
        return { granted: true, by: "person", scope: "once" };
      }
      return { granted: false, by: "person", reason: "without giving a reason" };
    } catch {
      // The prompt takes Ctrl-C as a key, so that no signal comes of it.
      if (!signal.aborted) interrupt();
      return { granted: false, by: "person", reason: "and ended the run" };
    }
  };
}
