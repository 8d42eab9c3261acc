/**
 * Stores of other people's files: what is fetched from them is the network's.
 *
 * @module
 */
import { ANY, NETWORK } from "../marks.ts";
import type { Call } from "../shell/call.ts";

/** Verbs that fetch, wherever they stand among the operands. */
const FETCHING = /^(?:cp|mv|get|download|copy|copyto|sync|get-object|pull|mirror)$/;
/** Verbs that print what they fetch. */
const PRINTING = /^(?:cat|head)$/;

/** Cloud tools: objects that are printed, or put into a file that may be run. */
export function analyzeStore(call: Call): string | null {
  const { operands } = call.parsed;
  if (operands.slice(0, 3).some((word) => PRINTING.test(word))) return NETWORK;
  if (call.program === "gh" && /^(?:gist view|api )/.test(operands.slice(0, 2).join(" "))) {
    return NETWORK;
  }
  if (!operands.slice(0, 3).some((word) => FETCHING.test(word))) return null;
  const target = call.values("-f", "--file", "--outfile")[0] ?? operands.at(-1) ?? ANY;
  if (/^(?:-|\/dev\/(?:stdout|fd\/1))$/.test(target)) return NETWORK;
  if (/^\w[\w+-]*:/.test(target)) return null;
  for (const source of operands.filter((word) => /^\w[\w+-]*:/.test(word))) {
    call.writes(`${target}/${source.slice(source.lastIndexOf("/") + 1)}`, NETWORK);
  }
  call.writes(target, NETWORK);
  return null;
}
