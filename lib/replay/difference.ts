/**
 * Where a replay differs from what was recorded. Shapes, and how texts are compared.
 *
 * @module
 */

import type { Decision, Json, Message } from "../types.ts";

/** One difference. */
export type Difference =
  | {
    /** A tool is offered in another way. */
    readonly kind: "definition";
    readonly run: string;
    readonly tool: string;
    /** `gone`: rein has it no more. */
    readonly what: "changed" | "gone";
  }
  | {
    /** The model would be asked something else; the first message that differs. */
    readonly kind: "request";
    readonly run: string;
    readonly ask: number;
    /** From 1. */
    readonly message: number;
    readonly role: string;
    /** The first line that differs; null: there is none. */
    readonly recorded: string | null;
    readonly now: string | null;
  }
  | {
    /** The model would be asked once more, or once less. */
    readonly kind: "asks";
    readonly run: string;
    readonly recorded: number;
    readonly now: number;
  }
  | {
    /** The policy would decide otherwise. */
    readonly kind: "decision";
    readonly run: string;
    readonly call: string;
    readonly tool: string;
    readonly brief: string;
    readonly recorded: Decision;
    readonly now: Decision;
    /** The rules that would decide now. */
    readonly rules: readonly string[];
  }
  | {
    /** A call would end in another way. */
    readonly kind: "call";
    readonly run: string;
    readonly call: string;
    readonly tool: string;
    readonly recorded: string;
    readonly now: string;
  }
  | {
    /** The result would say something else. */
    readonly kind: "result";
    readonly run: string;
    readonly field: string;
    readonly recorded: Json;
    readonly now: Json;
  };

/** The text of a message, with the calls that it proposes. */
export function messageText(message: Message): string {
  if (message.role !== "assistant") return message.content;
  const calls = message.calls.map(({ id, name, arguments: args }) => `${id} ${name} ${args}`);
  return [message.reasoning ?? "", message.content, ...calls].join("\n");
}

/** The first line that two texts do not share, in each of them; null: they are the same. */
export function firstDifference(
  recorded: string,
  now: string,
): { readonly recorded: string | null; readonly now: string | null } | null {
  if (recorded === now) return null;
  const [before, after] = [recorded.split("\n"), now.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const line = at === -1 ? before.length : at;
  return { recorded: before[line] ?? null, now: after[line] ?? null };
}
