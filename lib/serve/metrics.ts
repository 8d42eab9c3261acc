/**
 * What a server counts, in the text form that Prometheus reads.
 *
 * @module
 */

import type { ResultEnvelope } from "../delegate/types.ts";
import type { Load } from "./service.ts";

/** The upper bounds of the histogram, in seconds. Source: a choice; tasks take seconds to minutes. */
const BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600];

/** A label as the text form has it. Source: the Prometheus exposition format, version 0.0.4. */
function label(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** What is counted once it has labels. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(labels: Readonly<Record<string, string>>, by = 1): void {
    const text = Object.entries(labels).map(([name, value]) => `${name}="${label(value)}"`)
      .join(",");
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + by);
  }

  lines(name: string): readonly string[] {
    return [...this.#counts].map(([labels, count]) => `${name}{${labels}} ${count}`);
  }
}

/** The times of one intent. */
interface Times {
  /** How many took no longer than each bound. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counts what happens to the tasks of a server, since it started. */
export class Metrics {
  readonly #tasks = new Counts();
  readonly #refused = new Counts();
  readonly #tokens = new Counts();
  readonly #times = new Map<string, Times>();

  /** A task has finished; its time is that from its receipt. */
  finished(intent: string, { status, cost, error }: ResultEnvelope): void {
    this.#tasks.add({ intent, status, code: error?.code ?? "" });
    this.#tokens.add({ direction: "input" }, cost.input_tokens);
    this.#tokens.add({ direction: "output" }, cost.output_tokens);
    this.#time(intent, cost.latency_ms / 1000);
  }

  /** A task was not taken. */
  refused(reason: string): void {
    this.#refused.add({ reason });
  }

  /** All of it, as text. */
  text({ queued, running, draining }: Load): string {
    return [
      ...family("rein_tasks_total", "counter", "Tasks that have finished.", this.#tasks),
      ...family("rein_tasks_refused_total", "counter", "Tasks not taken.", this.#refused),
      ...family("rein_tokens_total", "counter", "Tokens of finished tasks.", this.#tokens),
      ...gauge("rein_tasks_queued", "Tasks that wait.", queued),
      ...gauge("rein_tasks_running", "Tasks that run.", running),
      ...gauge("rein_draining", "Whether no new tasks are taken.", draining ? 1 : 0),
      ...head("rein_task_seconds", "histogram", "From the receipt of a task to its end."),
      ...[...this.#times].flatMap(([intent, times]) => histogram(intent, times)),
    ].join("\n") + "\n";
  }

  #time(intent: string, seconds: number): void {
    const times = this.#times.get(intent) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.#times.set(intent, times);
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) times.counts[index] = (times.counts[index] ?? 0) + 1;
    });
    times.sum += seconds;
    times.count++;
  }
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function family(name: string, type: string, help: string, counts: Counts): readonly string[] {
  return [...head(name, type, help), ...counts.lines(name)];
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return [...head(name, "gauge", help), `${name} ${value}`];
}

function histogram(intent: string, { counts, sum, count }: Times): readonly string[] {
  const name = "rein_task_seconds";
  const of = `intent="${label(intent)}"`;
  return [
    ...BUCKETS.map((bound, index) => `${name}_bucket{${of},le="${bound}"} ${counts[index] ?? 0}`),
    `${name}_bucket{${of},le="+Inf"} ${count}`,
    `${name}_sum{${of}} ${Math.round(sum * 1000) / 1000}`,
    `${name}_count{${of}} ${count}`,
  ];
}
