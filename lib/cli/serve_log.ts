/**
 * What a server tells of itself: lines for people on stderr, events for programs on stdout.
 *
 * @module
 */

import type { ResultEnvelope, TaskEnvelope } from "../delegate/types.ts";
import type { Ports } from "../ports.ts";
import type { Metrics } from "../serve/metrics.ts";
import type { ServeEvents } from "../serve/service.ts";
import type { JsonObject } from "../types.ts";
import { printable } from "./printable.ts";

/** How a server tells. */
export interface ServeLook {
  readonly output: "text" | "jsonl";
  readonly quiet: boolean;
}

/** What happened to a server: the type of an event, and what it says. */
type Told = JsonObject & { readonly type: string };

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function endText(task: TaskEnvelope, { status, error, cost }: ResultEnvelope, ranMs: number) {
  const why = error === null ? "" : ` (${error.code}: ${error.message})`;
  const tokens = cost.input_tokens + cost.output_tokens;
  return `task ${task.task_id}: ${task.intent} ${status} in ${
    seconds(ranMs)
  }, ${tokens} tokens${why}`;
}

/** Writes what happens. Nothing that can't be written ends a server. */
export class ServeLog implements ServeEvents {
  readonly #look: ServeLook;
  readonly #ports: Pick<Ports, "terminal" | "clock">;
  readonly #metrics: Metrics;

  constructor(look: ServeLook, ports: Pick<Ports, "terminal" | "clock">, metrics: Metrics) {
    this.#look = look;
    this.#ports = ports;
    this.#metrics = metrics;
  }

  /** It listens. */
  listening(agent: string, url: string, left: number): void {
    this.#event({ type: "listening", agent, url, left });
    this.#line(`agent ${agent} listens on ${url}`);
    if (left > 0) this.#line(`${left} tasks of an earlier process are gone on with`);
  }

  /** It takes no new tasks. */
  draining(running: number, queued: number): void {
    this.#event({ type: "draining", running, queued });
    this.#line(`no new tasks are taken; ${running} run, ${queued} wait for the next start`);
  }

  /** It has ended. */
  stopped(clean: boolean): void {
    this.#event({ type: "stopped", clean });
    if (!clean) this.#line("tasks were left in the middle; they go on at the next start");
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

  refused({ task_id, intent }: TaskEnvelope, kind: string, message: string): void {
    this.#metrics.refused(kind);
    this.#event({ type: "task_refused", task_id, intent, kind, message });
    this.#line(`task ${task_id}: not taken: ${message}`);
  }

  trouble(text: string): void {
    this.#event({ type: "trouble", text });
    this.#write(`rein: ${text}`);
  }

  #line(text: string): void {
    if (!this.#look.quiet) this.#write(`rein: ${text}`);
  }

  #write(line: string): void {
    void this.#ports.terminal.err(`${printable(line.replace(/\s+/g, " "))}\n`).catch(() => {});
  }

  #event(told: Told): void {
    if (this.#look.output !== "jsonl") return;
    const at = new Date(this.#ports.clock.now()).toISOString();
    const line = JSON.stringify({ schema: "rein-serve/1", at, ...told });
    void this.#ports.terminal.out(`${line}\n`).catch(() => {});
  }
}
