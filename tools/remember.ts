/**
 * `remember`: a fact or a preference, kept from run to run.
 *
 * @module
 */

import type { Ports } from "../lib/ports.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";
import { keyField, orMemoryFailure } from "./_memories.ts";

/** What the model may ask for. */
export interface RememberArgs {
  readonly key: string;
  readonly value: string;
  readonly kind?: "fact" | "preference";
}

/** More would be a data base of another kind, and searching it would take long. */
const MAX_MEMORIES = 2000;

type Store = Pick<Ports, "memories" | "clock">;

async function forget({ memories }: Store, key: string): Promise<ToolOutcome> {
  const forgotten = await memories.remove(key);
  return { ok: true, data: { key, forgotten }, summary: forgotten ? "forgotten" : "not known" };
}

async function keep({ memories, clock }: Store, args: RememberArgs): Promise<ToolOutcome> {
  const { key, value, kind = "fact" } = args;
  const before = await memories.get(key);
  if (before === null && await memories.count() >= MAX_MEMORIES) {
    const message = `${MAX_MEMORIES} things are remembered already`;
    const hint = "Forget one first: give its key and an empty value.";
    return { ok: false, error: { code: "full", message, hint, retriable: false } };
  }
  await memories.put({ key, value, kind, updatedMs: clock.now() });
  const replaced = before === null ? {} : { replaced: before.value };
  return { ok: true, data: { key, ...replaced }, summary: before ? "replaced" : "remembered" };
}

/** Builds the tool. */
export function createRemember(ports: Store): Tool<RememberArgs> {
  return {
    name: "remember",
    description: "Keep a fact or a preference for later runs. Only when the person asks for it; " +
      "never secrets.",
    parameters: {
      type: "object",
      properties: {
        key: keyField("Short name; the same key replaces."),
        value: { type: "string", maxLength: 2000, description: "What to keep; empty forgets." },
        kind: {
          type: "string",
          enum: ["fact", "preference"],
          description: "fact if left out.",
        },
      },
      required: ["key", "value"],
      additionalProperties: false,
    },
    effect: "write",
    timeoutMs: 10_000,
    limits: {},
    subjects: () => {
      const { path } = ports.memories;
      return path === null ? [] : [{ kind: "path", access: "write", path }];
    },
    brief: ({ key, value }) => value === "" ? `forget ${key}` : `${key}: ${value}`,
    preview: ({ key, value }) =>
      Promise.resolve(value === "" ? `Forget "${key}".` : `Remember "${key}":\n${value}`),
    run: (args) =>
      orMemoryFailure(() => args.value === "" ? forget(ports, args.key) : keep(ports, args)),
  };
}
