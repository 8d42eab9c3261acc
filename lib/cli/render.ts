/**
 * What a run prints on stdout, by `--output`.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import { statusOf } from "../stop.ts";
import type { Event, RunResult, StopReason } from "../events.ts";
import { type MarkdownOptions, MarkdownStream, PLAIN_MARKDOWN } from "./markdown/stream.ts";
import { printable } from "./printable.ts";

/** The forms of output. */
export const OUTPUTS = ["text", "json", "jsonl"] as const;

/** One form of output. */
export type Output = typeof OUTPUTS[number];

/** Where is printed. */
type RenderTerminal = Pick<Terminal, "out" | "stdoutIsTerminal">;

/** One reader of the events. */
export type Reader = (event: Event) => Promise<void>;

/** A reader of events that prints. */
export type Renderer = Reader;

/** Text as it comes, as Markdown, each turn on lines of its own. */
function liveRenderer(terminal: RenderTerminal, options: MarkdownOptions): Renderer {
  const markdown = new MarkdownStream(options);
  let atLineStart = true;
  const end = async () => {
    await terminal.out(markdown.end() + (atLineStart ? "" : "\n"));
    atLineStart = true;
  };
  return async (event) => {
    if (event.type === "text_delta") {
      const text = printable(event.text);
      if (text === "") return;
      atLineStart = text.endsWith("\n");
      return await terminal.out(markdown.push(text));
    }
    // Text that is void stays where it is; what counts begins on a line of its own.
    if (event.type === "text_restarted") await end();
    if (event.type === "turn_finished" || event.type === "run_finished") await end();
  };
}

/** The answer whole and nothing else. */
function answerRenderer(terminal: RenderTerminal): Renderer {
  return async (event) => {
    if (event.type !== "run_finished") return;
    const { answer } = event.result;
    if (answer !== null) await terminal.out(answer.endsWith("\n") ? answer : `${answer}\n`);
  };
}

/**
 * The answer as text. A person sees every word as it comes; a pipe gets the
 * answer whole and nothing else, since only the end of a turn tells whether
 * its text was the answer.
 */
function textRenderer(terminal: RenderTerminal, options: MarkdownOptions): Renderer {
  return terminal.stdoutIsTerminal ? liveRenderer(terminal, options) : answerRenderer(terminal);
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

/**
 * Builds the renderer of a form of output.
 *
 * @param markdown How text is shown to a person; as it is, if left out.
 */
export function createRenderer(
  output: Output,
  terminal: RenderTerminal,
  markdown: MarkdownOptions = PLAIN_MARKDOWN,
): Renderer {
  switch (output) {
    case "text":
      return textRenderer(terminal, markdown);
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
