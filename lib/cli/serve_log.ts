/**
 * What a server tells of itself: lines for people on stderr, events for programs on stdout.
 *
 * @module
 */

import type { ResultEnvelope, TaskEnvelope } from "../delegate/types.ts";
import { type Message, message, type Text } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import type { Metrics } from "../serve/metrics.ts";
import type { ServeEvents } from "../serve/service.ts";
import type { JsonObject } from "../types.ts";
import { printable } from "./printable.ts";
import { phaseText } from "./task_phase.ts";

/** How a server tells. */
export interface ServeLook {
  readonly output: "text" | "jsonl";
  readonly quiet: boolean;
}

/** What happened to a server: the type of an event, and what it says. */
type Told = JsonObject & { readonly type: string };

function timeText(ms: number): Message {
  return ms < 1000
    ? message("step.wait_ms", { count: ms })
    : message("step.wait_s", { count: (ms / 1000).toFixed(1) });
}

function endText(
  { task_id: id, intent }: TaskEnvelope,
  { status, error, cost }: ResultEnvelope,
  ranMs: number,
): Text {
  const tokens = cost.input_tokens + cost.output_tokens;
  const values = { id, intent, phase: phaseText(status), time: timeText(ranMs), tokens };
  if (error === null) return message("serve.task_ended", values);
  return message("serve.task_ended_why", { ...values, code: error.code, why: error.message });
}

/** Writes what happens. Nothing that can't be written ends a server. */
export class ServeLog implements ServeEvents {
  readonly #look: ServeLook;
  readonly #ports: Pick<Ports, "terminal" | "clock" | "say">;
  readonly #metrics: Metrics;

  constructor(look: ServeLook, ports: Pick<Ports, "terminal" | "clock" | "say">, metrics: Metrics) {
    this.#look = look;
    this.#ports = ports;
    this.#metrics = metrics;
  }

  /** It listens. */
  listening(agent: string, url: string, left: number): void {
    this.#event({ type: "listening", agent, url, left });
    this.#line(message("serve.listening", { agent, url }));
    if (left > 0) this.#line(message("serve.left", { count: left }));
  }

  /** It takes no new tasks. */
  draining(running: number, queued: number): void {
    this.#event({ type: "draining", running, queued });
    this.#line(message("serve.draining", { running, queued }));
  }

  /** It has ended. */
  stopped(clean: boolean): void {
    this.#event({ type: "stopped", clean });
    if (!clean) this.#line(message("serve.cut"));
  }

  received({ task_id, intent }: TaskEnvelope): void {
    this.#event({ type: "task_received", task_id, intent });
  }

  started({ task_id, intent }: TaskEnvelope, resumed: boolean): void {
    this.#event({ type: "task_started", task_id, intent, resumed });
  }

  step({ task_id }: TaskEnvelope, text: string): void {
    this.#event({ type: "task_step", task_id, text });
  }

  finished(task: TaskEnvelope, result: ResultEnvelope, ranMs: number): void {
    this.#metrics.finished(task.intent, result);
    const { task_id, intent, trace_id = null } = task;
    const { status, error, cost } = result;
    this.#event({
      type: "task_finished",
      task_id,
      intent,
      trace_id,
      status,
      error: error === null ? null : { ...error },
      cost: { ...cost },
      ran_ms: ranMs,
    });
    this.#line(endText(task, result, ranMs));
  }

  refused({ task_id, intent }: TaskEnvelope, kind: string, why: string): void {
    this.#metrics.refused(kind);
    this.#event({ type: "task_refused", task_id, intent, kind, message: why });
    this.#line(message("serve.task_refused", { id: task_id, why }));
  }

  trouble(text: string): void {
    this.#event({ type: "trouble", text });
    this.#write(text);
  }

  #line(text: Text): void {
    if (!this.#look.quiet) this.#write(text);
  }

  #write(text: Text): void {
    const line = `rein: ${tell(text, this.#ports.say)}`;
    void this.#ports.terminal.err(`${printable(line.replace(/\s+/g, " "))}\n`).catch(() => {});
  }

  #event(told: Told): void {
    if (this.#look.output !== "jsonl") return;
    const at = new Date(this.#ports.clock.now()).toISOString();
    const line = JSON.stringify({ schema: "rein-serve/1", at, ...told });
    void this.#ports.terminal.out(`${line}\n`).catch(() => {});
  }
}
