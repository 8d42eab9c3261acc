import { assertEquals } from "@std/assert";
import { Latencies } from "../../lib/serve/latencies.ts";
import { Metrics } from "../../lib/serve/metrics.ts";
import { envelopeOf, taskError } from "../../lib/serve/outcome.ts";
import { taskOf } from "./_tasks.ts";

Deno.test("text() is what Prometheus reads", () => {
  const metrics = new Metrics();
  const cost = { input_tokens: 7, output_tokens: 2, latency_ms: 700 };
  const done = { status: "success", data: { summary: "x" }, error: null } as const;
  const late = { status: "failed", data: null, error: taskError("timeout", "x") } as const;
  metrics.finished("look", envelopeOf(taskOf("t"), done, cost));
  metrics.finished("look", envelopeOf(taskOf("t"), late, { ...cost, latency_ms: 700_000 }));
  metrics.refused('a "b"\n\\');
  const buckets = [
    ...["0.1", "0.5"].map((bound) => [bound, 0]),
    ...["1", "2", "5", "10", "30", "60", "120", "300", "600"].map((bound) => [bound, 1]),
    ["+Inf", 2],
  ].map(([bound, count]) => `rein_task_seconds_bucket{intent="look",le="${bound}"} ${count}`);
  assertEquals(
    metrics.text({ queued: 3, running: 1, draining: false }),
    [
      "# HELP rein_tasks_total Tasks that have finished.",
      "# TYPE rein_tasks_total counter",
      'rein_tasks_total{intent="look",status="success",code=""} 1',
      'rein_tasks_total{intent="look",status="failed",code="timeout"} 1',
      "# HELP rein_tasks_refused_total Tasks not taken.",
      "# TYPE rein_tasks_refused_total counter",
      'rein_tasks_refused_total{reason="a \\"b\\"\\n\\\\"} 1',
      "# HELP rein_tokens_total Tokens of finished tasks.",
      "# TYPE rein_tokens_total counter",
      'rein_tokens_total{direction="input"} 14',
      'rein_tokens_total{direction="output"} 4',
      "# HELP rein_tasks_queued Tasks that wait.",
      "# TYPE rein_tasks_queued gauge",
      "rein_tasks_queued 3",
      "# HELP rein_tasks_running Tasks that run.",
      "# TYPE rein_tasks_running gauge",
      "rein_tasks_running 1",
      "# HELP rein_draining Whether no new tasks are taken.",
      "# TYPE rein_draining gauge",
      "rein_draining 0",
      "# HELP rein_task_seconds From the receipt of a task to its end.",
      "# TYPE rein_task_seconds histogram",
      ...buckets,
      'rein_task_seconds_sum{intent="look"} 700.7',
      'rein_task_seconds_count{intent="look"} 2',
      "",
    ].join("\n"),
  );
});

Deno.test("retryAfterMs() grows with what waits and what tasks took, within bounds", () => {
  const latencies = new Latencies();
  assertEquals(latencies.retryAfterMs(0, 1), 5000);
  latencies.add(2000);
  latencies.add(4000);
  assertEquals([
    latencies.retryAfterMs(0, 1),
    latencies.retryAfterMs(4, 1),
    latencies.retryAfterMs(4, 3),
    latencies.retryAfterMs(0, 32),
    latencies.retryAfterMs(10_000, 1),
  ], [3000, 9000, 3000, 1000, 120_000]);
});
