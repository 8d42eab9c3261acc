/**
 * Reading a debug file: the runs that it holds, with all that they were made of.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Json, Message, ModelRequest, ToolDefinition } from "../types.ts";
import { DEBUG_SCHEMA, type DebugBody, type DebugLine } from "./lines.ts";

/** A debug file can't be used; the message names the line. */
export class DebugFileError extends SyntaxError {
  override readonly name = "DebugFileError";
}

type Line<T extends DebugBody["type"]> = Extract<DebugBody, { type: T }>;

/** What a run was made of. */
export type RecordedSetup = Line<"run_assembled">;

/** One question to the model and what came of it. */
export interface RecordedAsk {
  /** From 1 in its process. */
  readonly ask: number;
  /** The step in which it was asked; 0 before the first. */
  readonly step: number;
  readonly request: ModelRequest;
  /** Null: its process ended first. */
  readonly turn: Line<"turn"> | Line<"turn_failed"> | null;
}

/** One run, as it was recorded. */
export interface RecordedRun {
  readonly runId: string;
  readonly assembled: RecordedSetup;
  /** What its session held before. */
  readonly earlier: readonly Event[];
  readonly definitions: readonly ToolDefinition[];
  readonly asks: readonly RecordedAsk[];
  /** Without pieces of text. */
  readonly events: readonly Event[];
}

/** A run that is being read. */
interface Reading extends RecordedRun {
  definitions: readonly ToolDefinition[];
  readonly asks: RecordedAsk[];
  readonly events: Event[];
}

class Reader {
  readonly runs: Reading[] = [];
  #assembled: RecordedSetup | null = null;
  #earlier: Event[] = [];
  #definitions: readonly ToolDefinition[] = [];
  #messages: readonly Message[] = [];
  #current: Reading | null = null;

  take(line: DebugLine): void {
    switch (line.type) {
      case "debug_started":
        this.#current = null;
        this.#earlier = [];
        this.#messages = [];
        return;
      case "run_assembled":
        this.#assembled = line;
        return;
      case "earlier":
        this.#earlier.push(line.event);
        return;
      case "definitions":
        this.#definitions = line.tools;
        if (this.#current !== null) this.#current.definitions = line.tools;
        return;
      case "asked":
        return this.#asked(line);
      case "turn":
      case "turn_failed":
        return this.#turn(line);
      case "event":
        return this.#event(line.event);
      default:
    }
  }

  #asked({ ask, same, messages, tools, answer_schema: schema }: Line<"asked">): void {
    this.#messages = [...this.#messages.slice(0, same), ...messages];
    const offered = this.#definitions.filter(({ name }) => tools.includes(name));
    const bound = schema === null ? {} : { answerSchema: schema };
    const request = { messages: this.#messages, tools: offered, ...bound };
    const step = this.#current?.events.at(-1)?.step ?? 0;
    this.#current?.asks.push({ ask, step, request, turn: null });
  }

  #turn(turn: Line<"turn"> | Line<"turn_failed">): void {
    const asks = this.#current?.asks ?? [];
    const index = asks.findLastIndex(({ ask }) => ask === turn.ask);
    const asked = asks[index];
    if (asked !== undefined) asks[index] = { ...asked, turn };
  }

  #event(event: Event): void {
    if (event.type === "run_started") this.#begin(event);
    // What happens between two runs belongs to the session.
    if (this.#current === null) this.#earlier.push(event);
    else this.#current.events.push(event);
    if (event.type !== "run_finished" || this.#current === null) return;
    this.#earlier.push(...this.#current.events);
    this.#current = null;
  }

  #begin({ run_id: runId }: Event): void {
    const assembled = this.#assembled;
    if (assembled === null) return;
    const earlier = [...this.#earlier];
    const definitions = this.#definitions;
    this.#current = { runId, assembled, earlier, definitions, asks: [], events: [] };
    this.runs.push(this.#current);
  }
}

/** Undefined: the text is no JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a process that was killed left its last line like this: the next one ended it. */
function isTorn(lines: readonly string[], index: number): boolean {
  return index === lines.length - 1 ||
    (lines[index + 1]?.includes('"type":"debug_started"') ?? false);
}

/**
 * Reads the lines of a debug file. Those that are torn are left out.
 *
 * @param text The whole file.
 * @param file Its name, for people.
 * @throws {DebugFileError} If a line is none.
 */
export function readDebugLines(text: string, file: string): readonly DebugLine[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const value = parsed(line) as Partial<DebugLine> | null | undefined;
    if (value?.schema === DEBUG_SCHEMA) return [value as DebugLine];
    if (value === undefined && isTorn(lines, index)) return [];
    const what = value === undefined ? "is not JSON" : `is no line of "${DEBUG_SCHEMA}"`;
    throw new DebugFileError(`Debug file "${file}", line ${index + 1}, ${what}`);
  });
}

/** The runs of a debug file, in their order. */
export function recordedRuns(lines: readonly DebugLine[]): readonly RecordedRun[] {
  const reader = new Reader();
  for (const line of lines) reader.take(line);
  return reader.runs;
}
