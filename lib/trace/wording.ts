/**
 * What is said of a traced run in a few words, in a tree and on a page.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { MessageId, Say } from "../messages/messages.ts";
import type { Approval } from "../types.ts";
import {
  countsOf,
  elapsedMs,
  type TracedCall,
  type TracedCompaction,
  type TracedRun,
  type TracedStep,
} from "./traced_run.ts";

/** Made once: that takes longer than all that it formats. */
const FIGURES = new Intl.NumberFormat("en");

/** A number as people read it: `12,345`. */
export function figure(value: number): string {
  return FIGURES.format(value);
}

/** A time in few characters: `12 ms`, `3.4 s`, `2 min`, `2 min 5 s`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = `${Math.floor(seconds / 60)} min`;
  return seconds % 60 === 0 ? minutes : `${minutes} ${seconds % 60} s`;
}

/** A part of the context, by the name that a composition has of it. */
export function partText(name: string, say: Say): string {
  switch (name) {
    case "instructions":
      return say("trace.part.instructions");
    case "task":
      return say("trace.part.task");
    case "model":
      return say("trace.part.model");
    default:
      return name.replace(/^tool /, "");
  }
}

/** Whoever answers for a person, as people are told. */
const ANSWERERS = {
  nobody: "trace.by.nobody",
  option: "trace.by.option",
  person: "trace.by.person",
  session: "trace.by.session",
} as const satisfies Readonly<Record<Approval["by"], MessageId>>;

/** Tokens in and out. */
export function tokensText(
  usage: { readonly input_tokens: number; readonly output_tokens: number },
  say: Say,
): string {
  return say("trace.tokens", { in: usage.input_tokens, out: usage.output_tokens });
}

/** What a step is called: by its number, or as the last words of its run. */
export function stepName({ closing, step }: TracedStep, say: Say): string {
  return closing ? say("trace.closing") : say("trace.step", { step });
}

/** What a step took: its time, tokens and retries, as far as they are known. */
export function stepFacts(step: TracedStep, say: Say): string[] {
  const { answeredMs, startedMs, usage, retries } = step;
  return [
    answeredMs === null ? "" : spanText(answeredMs - startedMs),
    usage === null ? "" : tokensText(usage, say),
    retries === 0 ? "" : say("trace.retries", { count: retries }),
  ].filter((text) => text !== "");
}

/** Room that was made. */
export function compactionText(compaction: TracedCompaction, say: Say): string {
  const { tokensBefore: before, tokensAfter: after } = compaction;
  return say("trace.compacted", { before, after });
}

/** What was asked of a person, or answered for one; empty where nobody was asked. */
export function approvalText({ approval }: TracedCall, say: Say): string {
  if (approval === null) return "";
  const id = approval.granted ? "trace.approved" : "trace.not_approved";
  return say(id, { by: say(ANSWERERS[approval.by]) });
}

/** What was decided of a call, and by which rules; empty where it never got that far. */
export function decisionText(call: TracedCall, say: Say): string {
  const { evaluation } = call;
  if (evaluation === null) return "";
  const rules = [...new Set(decisiveRules(evaluation).map(({ rule }) => rule))].join(", ");
  const decided = rules === "" ? evaluation.decision : `${evaluation.decision} (${rules})`;
  return [decided, approvalText(call, say)].filter((text) => text !== "").join(", ");
}

/** What a call came to. */
export function outcomeText({ observation }: TracedCall, say: Say): string {
  if (observation === null) return say("trace.unfinished");
  const { status, summary, error } = observation;
  return status === "success" ? summary : `${status}: ${error?.message ?? summary}`;
}

/** What went wrong and what to do about it, as two sentences. */
export function faultText(message: string, hint: string): string {
  const ended = /[.!?。！？]$/.test(message.trim()) || message.trim() === "";
  return `${message.trim()}${ended ? "" : "."} ${hint}`.trim();
}

/** How a run ended, and what it took. */
export function endFacts(run: TracedRun, say: Say): string[] {
  const { result } = run;
  const { steps, calls } = countsOf(run);
  return [
    result === null ? say("trace.unfinished") : result.stop_reason ?? result.status,
    say("trace.steps", { count: steps }),
    say("trace.calls", { count: calls }),
    spanText(elapsedMs(run)),
    result === null ? "" : tokensText(result.usage, say),
  ].filter((text) => text !== "");
}
