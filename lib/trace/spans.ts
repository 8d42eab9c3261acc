/**
 * A run as spans: the run, its steps, the requests to its model, its calls. Names and attributes are
 * those of OpenTelemetry's conventions for generative AI; what they have no name for begins with
 * `rein.`. Spans tell what was done, never what was said: no arguments, no texts.
 *
 * Source of the names: https://github.com/open-telemetry/semantic-conventions-genai.
 *
 * @module
 */

import type { Event, RunResult } from "../events.ts";
import { type DelegatedTask, delegatedTasks } from "./delegated_task.ts";

/** The value of an attribute. */
export type SpanValue = string | number | boolean | readonly string[];

/** Attributes by their names. */
export type SpanAttributes = Readonly<Record<string, SpanValue>>;

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly attributes: SpanAttributes;
}

/** A span that has ended. Times are milliseconds since the epoch. */
export interface Span {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** The span that it is part of; null: the first of its trace. */
  readonly parentId: string | null;
  readonly name: string;
  /** `client`: something else was asked. */
  readonly kind: "internal" | "client";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  /** Why it failed; null if it did not. */
  readonly error: string | null;
}

/** Makes a new id: 16 hexadecimal digits, not all zero. */
export type NewSpanId = () => string;

/** A span that goes on. */
interface OpenSpan {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: Span["kind"];
  readonly startMs: number;
  attributes: SpanAttributes;
  readonly events: SpanEvent[];
}

/** The kind of interface that is spoken, as the conventions name providers. */
const PROVIDER = "openai";

/** Finish reasons as models' servers have them. */
const FINISH_REASONS = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  refused: "content_filter",
} as const;

function placeOf(source: string): SpanAttributes {
  if (!URL.canParse(source)) return {};
  const { hostname, port, protocol } = new URL(source);
  const standard = protocol === "https:" ? 443 : 80;
  return { "server.address": hostname, "server.port": port === "" ? standard : Number(port) };
}

function tokensOf(usage: { readonly input_tokens: number; readonly output_tokens: number }) {
  return {
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
  };
}

/** Makes spans of the events of runs, one run after the other. */
export class SpanRecorder {
  readonly #newSpanId: NewSpanId;
  /** The span of another process that led to the run; null: a person did. */
  #parentId: string | null = null;
  readonly #ended: Span[] = [];
  readonly #calls = new Map<string, OpenSpan>();
  #run: OpenSpan | null = null;
  #step: OpenSpan | null = null;
  #chat: OpenSpan | null = null;
  /** Of the model: its name and where it is. */
  #model: SpanAttributes = {};
  #modelName = "";

  constructor(newSpanId: NewSpanId) {
    this.#newSpanId = newSpanId;
  }

  /** The spans that have ended since this was called last. */
  take(): readonly Span[] {
    return this.#ended.splice(0);
  }

  /** Takes the next event of a run. */
  event(event: Event): void {
    const atMs = Date.parse(event.at);
    switch (event.type) {
      case "run_started":
        return this.#begin(event, atMs);
      case "step_started":
        this.#endStep(atMs);
        this.#step = this.#open(`step ${event.step}`, atMs, { "rein.step": event.step });
        this.#chat = this.#openChat(atMs);
        return;
      case "model_retried":
        this.#chat?.events.push({
          name: "retry",
          atMs,
          attributes: { "error.type": event.error.code, "rein.attempt": event.attempt },
        });
        return;
      case "turn_finished": {
        const chat = this.#chat ?? this.#openChat(atMs);
        const reasons = [FINISH_REASONS[event.finish_reason]];
        const told = { ...tokensOf(event.usage), "gen_ai.response.finish_reasons": reasons };
        this.#end(chat, atMs, told, null);
        this.#chat = null;
        return;
      }
      case "context_compacted": {
        const { tokens_before: before, tokens_after: after, cause } = event;
        (this.#step ?? this.#run)?.events.push({
          name: "context_compacted",
          atMs,
          attributes: {
            "rein.cause": cause,
            "rein.tokens_before": before,
            "rein.tokens_after": after,
          },
        });
        return;
      }
      case "call_proposed":
        this.#calls.set(
          event.call_id,
          this.#open(`execute_tool ${event.tool}`, atMs, {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": event.tool,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": event.call_id,
          }),
        );
        return;
      case "call_finished":
        return this.#endCall(event, atMs);
      case "run_finished":
        return this.#endRun(event.result, atMs);
      default:
    }
  }

  #begin(event: Extract<Event, { type: "run_started" }>, atMs: number): void {
    const { model, session, run_id, task_id } = event;
    this.#parentId = task_id === undefined ? null : spanIdOf(task_id);
    this.#model = {
      "gen_ai.provider.name": PROVIDER,
      "gen_ai.request.model": model.name,
      ...placeOf(model.source),
    };
    this.#modelName = model.name;
    this.#run = this.#open("invoke_agent rein", atMs, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "rein",
      ...this.#model,
      "rein.run_id": run_id,
      ...session === null ? {} : { "gen_ai.conversation.id": session },
    });
  }

  #open(
    name: string,
    startMs: number,
    attributes: SpanAttributes,
    kind: Span["kind"] = "internal",
  ) {
    const parentId = this.#step?.id ?? this.#run?.id ?? this.#parentId;
    const id = this.#newSpanId();
    const span: OpenSpan = { id, parentId, name, kind, startMs, attributes, events: [] };
    return span;
  }

  #openChat(atMs: number): OpenSpan {
    const attributes = { "gen_ai.operation.name": "chat", ...this.#model };
    return this.#open(`chat ${this.#modelName}`, atMs, attributes, "client");
  }

  #end(span: OpenSpan, endMs: number, attributes: SpanAttributes, error: string | null): void {
    const failed = error === null ? {} : { "error.type": error };
    this.#ended.push({
      ...span,
      endMs: Math.max(endMs, span.startMs),
      attributes: { ...span.attributes, ...attributes, ...failed },
      error,
    });
  }

  #endCall(event: Extract<Event, { type: "call_finished" }>, atMs: number): void {
    const { call_id: id, tool, decision, observation: { status, error, data } } = event;
    const span = this.#calls.get(id);
    if (span === undefined) return;
    this.#calls.delete(id);
    for (const task of delegatedTasks(data)) this.#task(span, task, atMs);
    const told = {
      "rein.status": status,
      ...decision === null ? {} : { "rein.decision": decision },
    };
    this.#end(span, atMs, { ...told, "gen_ai.tool.name": tool }, error?.code ?? null);
  }

  /** A task that another agent did; the moment of its sending is told by how long it took. */
  #task(call: OpenSpan, task: DelegatedTask, atMs: number): void {
    const { agent, intent, taskId, status, error, latencyMs } = task;
    const span: OpenSpan = {
      id: spanIdOf(taskId ?? "") ?? this.#newSpanId(),
      parentId: call.id,
      name: `invoke_agent ${agent}`,
      kind: "client",
      startMs: Math.max(call.startMs, atMs - (latencyMs ?? 0)),
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        "gen_ai.provider.name": "rein",
        "rein.intent": intent,
        ...taskId === null ? {} : { "rein.task_id": taskId },
        "rein.status": status,
      },
      events: [],
    };
    this.#end(span, atMs, {}, error === null ? null : error.code || "failed");
  }

  #endStep(atMs: number, error: string | null = null): void {
    if (this.#chat !== null) this.#end(this.#chat, atMs, {}, error ?? "_OTHER");
    this.#chat = null;
    for (const span of this.#calls.values()) this.#end(span, atMs, {}, "not_run");
    this.#calls.clear();
    if (this.#step !== null) this.#end(this.#step, atMs, {}, null);
    this.#step = null;
  }

  #endRun({ status, stop_reason: stop, usage, steps, error }: RunResult, atMs: number): void {
    const why = error?.code ?? (status === "success" ? null : stop ?? "_OTHER");
    this.#endStep(atMs, why);
    if (this.#run === null) return;
    const told = {
      ...tokensOf(usage),
      "rein.steps": steps,
      "rein.status": status,
      ...stop === null ? {} : { "rein.stop_reason": stop },
    };
    this.#end(this.#run, atMs, told, why);
    this.#run = null;
  }
}

/**
 * The id of the span of a task: both ends make it from the task's id, so that they join without
 * telling one another.
 *
 * @returns Null where the id has not enough hexadecimal digits to make one of.
 */
export function spanIdOf(taskId: string): string | null {
  const digits = taskId.replace(/[^0-9a-f]/g, "").slice(-16);
  return digits.length === 16 && /[^0]/.test(digits) ? digits : null;
}
