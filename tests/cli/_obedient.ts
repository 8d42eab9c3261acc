/**
 * A model that does what `rein doctor` asks of it, or fails in one way, behind a server on loopback.
 *
 * @module
 */

import type { ServedRequest, Turn } from "../model_server.ts";

/** In what it fails. */
export interface Weakness {
  /** It never calls. */
  readonly noCalls?: boolean;
  /** It makes one call after another. */
  readonly oneByOne?: boolean;
  /** It ignores what its calls bring. */
  readonly forgetful?: boolean;
  /** It gives up after an error. */
  readonly stubborn?: boolean;
  /** What it makes of a text that it is to pass on. */
  readonly garble?: (text: string) => string;
  /** It calls in its text, in the form that it was shown. */
  readonly inText?: boolean;
}

interface Seen {
  readonly task: string;
  /** All results so far. */
  readonly results: readonly string[];
}

function seenOf({ messages }: ServedRequest["body"], inText: boolean): Seen {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => content ?? "");
  const results = inText
    ? said.flatMap((text) => [...text.matchAll(/<tool_result[^>]*>([^]*?)<\/tool_result>/g)])
      .map(([, result]) => result ?? "")
    : messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  return { task: said[0] ?? "", results };
}

function wanted({ task, results }: Seen, weakness: Weakness): NonNullable<Turn["calls"]> {
  const sums = [...task.matchAll(/\d+ \* \d+/g)].map(([expression]) => expression);
  if (sums.length > 0) {
    const open = sums.slice(results.length).slice(0, weakness.oneByOne ? 1 : undefined);
    return open.map((expression) => ({ name: "calculate", arguments: { expression } }));
  }
  const [, note] = /word for word: (.*)/.exec(task) ?? [];
  if (note !== undefined) {
    const text = (weakness.garble ?? ((same) => same))(note.split("\n")[0] ?? "");
    return results.length > 0 ? [] : [{ name: "note", arguments: { text } }];
  }
  if (!task.includes("thermometer")) return [];
  if (results.length === 0) return [{ name: "thermometer", arguments: { station: "roof" } }];
  if (results.length > 1 || weakness.stubborn) return [];
  return [{ name: "thermometer", arguments: { station: "st-4711" } }];
}

/** What it answers to a request. */
export function obey({ body }: ServedRequest, weakness: Weakness = {}): Turn {
  const seen = seenOf(body, weakness.inText ?? false);
  const calls = weakness.noCalls ? [] : wanted(seen, weakness);
  if (calls.length === 0) {
    const values = seen.results.map((result) => /"(?:value|degrees)":"?(\d+)/.exec(result)?.[1]);
    const found = values.filter((value) => value !== undefined);
    return { text: weakness.forgetful || found.length === 0 ? "ready" : found.join(" and ") };
  }
  if (!weakness.inText) return { calls };
  const blocks = calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`);
  return { text: ["I ca", "ll.\n", ...blocks.join("\n").match(/[^]{1,7}/g) ?? []] };
}
