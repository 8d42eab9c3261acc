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

/** A reader of events that prints. */
export type Renderer = (event: Event) => Promise<void>;

/**
 * The answer as text. A person sees every word as it comes; a pipe gets the
 * answer whole and nothing else, since only the end of a turn tells whether
 * its text was the answer.
 */
function textRenderer(terminal: Terminal): Renderer {
  const live = terminal.stdoutIsTerminal;
  let atLineStart = true;
  return async (event) => {
    if (event.type === "text_delta" && live) {
      const text = printable(event.text);
      if (text === "") return;
      atLineStart = text.endsWith("\n");
      return await terminal.out(text);
    }
    // Text that is void stays where it is; what counts begins on a line of its own.
    const breaks = event.type === "turn_finished" || event.type === "text_restarted";
    if (breaks && live && !atLineStart) {
      atLineStart = true;
      return await terminal.out("\n");
    }
    if (event.type !== "run_finished") return;
    if (live) return await terminal.out(atLineStart ? "" : "\n");
    const { answer } = event.result;
    if (answer !== null) await terminal.out(answer.endsWith("\n") ? answer : `${answer}\n`);
  };
}

/** An answer that must fit a schema: stdout gets what fits or nothing, whoever reads it. */
function fittingRenderer(terminal: Terminal): Renderer {
  return async (event) => {
    if (event.type !== "run_finished") return;
    const { answer, stop_reason } = event.result;
    if (answer === null) return;
    if (stop_reason !== "answered") return await terminal.err(printable(`${answer}\n`));
    await terminal.out(`${terminal.stdoutIsTerminal ? printable(answer) : answer}\n`);
  };
}

/** One JSON object: the result. */
function jsonRenderer(terminal: Terminal): Renderer {
  return async (event) => {
    if (event.type === "run_finished") await terminal.out(`${JSON.stringify(event.result)}\n`);
  };
}

/** Every event, one JSON object a line. */
function jsonLinesRenderer(terminal: Terminal): Renderer {
  return (event) => terminal.out(`${JSON.stringify(event)}\n`);
}

/** What a renderer should know of a run. */
export interface RenderOptions {
  /** Whether the answer must fit a schema; false if left out. */
  readonly fitting?: boolean;
}

/** Builds the renderer of a form of output. */
export function createRenderer(
  output: Output,
  terminal: Terminal,
  { fitting = false }: RenderOptions = {},
): Renderer {
  switch (output) {
    case "text":
      return fitting ? fittingRenderer(terminal) : textRenderer(terminal);
    case "json":
      return jsonRenderer(terminal);
    case "jsonl":
      return jsonLinesRenderer(terminal);
  }
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
