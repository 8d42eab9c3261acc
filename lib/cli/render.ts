/**
 * What a run prints on stdout, by `--output`.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import { statusOf } from "../stop.ts";
import type { Event, RunResult, StopReason } from "../events.ts";
import { printable } from "./printable.ts";

/** The forms of output. */
export const OUTPUTS = ["text", "json", "jsonl"] as const;

/** One form of output. */
export type Output = typeof OUTPUTS[number];

/** Where is printed. */
type RenderTerminal = Pick<Terminal, "out" | "err" | "stdoutIsTerminal">;

/** One reader of the events. */
export type Reader = (event: Event) => Promise<void>;

/** A reader of events that prints. */
export type Renderer = Reader;

/**
 * The answer whole and nothing else, since only the end of a turn tells whether its text was the
 * answer.
 */
function answerRenderer(terminal: RenderTerminal): Renderer {
  return async (event) => {
    if (event.type !== "run_finished") return;
    const { answer } = event.result;
    if (answer !== null) await terminal.out(answer.endsWith("\n") ? answer : `${answer}\n`);
  };
}

/** An answer that must fit a schema: stdout gets what fits or nothing, whoever reads it. */
function fittingRenderer(terminal: RenderTerminal): Renderer {
  return async (event) => {
    if (event.type !== "run_finished") return;
    const { answer, stop_reason } = event.result;
    if (answer === null) return;
    if (stop_reason !== "answered") return await terminal.err(printable(`${answer}\n`));
    await terminal.out(`${terminal.stdoutIsTerminal ? printable(answer) : answer}\n`);
  };
}

/** One JSON object: the result. */
function jsonRenderer(terminal: RenderTerminal): Renderer {
  return async (event) => {
    if (event.type === "run_finished") await terminal.out(`${JSON.stringify(event.result)}\n`);
  };
}

/** Every event, one JSON object a line. */
function jsonLinesRenderer(terminal: RenderTerminal): Renderer {
  return (event) => terminal.out(`${JSON.stringify(event)}\n`);
}

/** What a renderer should know of a run. */
export interface RenderOptions {
  /** Whether the answer must fit a schema; false if left out. */
  readonly fitting?: boolean;
}

/**
 * Builds the renderer of a form of output. A person sees text by `lib/cli/live_text.ts`, unless it
 * must fit a schema.
 */
export function createRenderer(
  output: Output,
  terminal: RenderTerminal,
  { fitting = false }: RenderOptions = {},
): Renderer {
  switch (output) {
    case "text":
      return fitting ? fittingRenderer(terminal) : answerRenderer(terminal);
    case "json":
      return jsonRenderer(terminal);
    case "jsonl":
      return jsonLinesRenderer(terminal);
  }
}

/** Who prints: with JSON lines the events themselves tell of the steps. */
export function printersOf(output: Output, render: Reader, tell: Reader): readonly Reader[] {
  return output === "jsonl" ? [render] : [render, tell];
}

/**
 * The result of something that ended before there was a run.
 *
 * @param stop `interrupted`, or null for a failure.
 */
export function failedResult(
  runId: string,
  error: { code: string; message: string; hint: string },
  stop: StopReason | null,
): RunResult {
  return {
    schema: "rein-result/1",
    run_id: runId,
    status: stop === null ? "failed" : statusOf(stop),
    stop_reason: stop,
    answer: null,
    data: null,
    model: null,
    steps: 0,
    usage: { input_tokens: 0, output_tokens: 0, estimated: false },
    cost: null,
    elapsed_ms: 0,
    session: null,
    calls: [],
    facts: [],
    error: { code: error.code, message: error.message, hint: error.hint },
    ending: null,
  };
}
