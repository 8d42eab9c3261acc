/**
 * What the model thinks, on stderr, for people who want to see it.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Terminal } from "../ports.ts";
import { printable } from "./printable.ts";

/** Faint, and no longer so. Source: ECMA-48, SGR 2 and 22. */
const DIM = ["\u001b[2m", "\u001b[22m"] as const;

/**
 * Builds a reader of events that writes thoughts as they come, apart from everything else.
 *
 * @param styled Whether they are faint; where stderr is a terminal, if left out.
 */
export function createReasoningWriter(
  terminal: Pick<Terminal, "err" | "stderrIsTerminal">,
  styled: boolean = terminal.stderrIsTerminal,
): (event: Event) => Promise<void> {
  const [dim, plain] = styled ? DIM : ["", ""];
  let atLineStart = true;
  return async (event) => {
    if (event.type !== "reasoning_delta") {
      if (!atLineStart) await terminal.err("\n");
      atLineStart = true;
      return;
    }
    const text = printable(event.text);
    if (text === "") return;
    await terminal.err(`${dim}${text}${plain}`);
    atLineStart = text.endsWith("\n");
  };
}
