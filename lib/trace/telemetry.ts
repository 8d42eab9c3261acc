/**
 * Spans on their way to a collector, by OTLP over HTTP. It is set by the variables that
 * OpenTelemetry defines, and a collector that is not there changes nothing of a run.
 *
 * Source: https://opentelemetry.io/docs/specs/otel/protocol/exporter/.
 *
 * @module
 */

import { startDeadline } from "../calls/deadline.ts";
import { traceIdOf } from "../delegate/task_id.ts";
import type { Event } from "../events.ts";
import type { Clock, Environment, Fetch } from "../ports.ts";
import { VERSION } from "../version.ts";
import { type Span, SpanRecorder } from "./spans.ts";

/** Where spans go, and as what. */
export interface TelemetrySettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: "protobuf" | "json";
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
  /** Attributes of the resource; `service.name` is among them. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Why telemetry is set and can't be had; one sentence for people. */
export interface TelemetryFault {
  readonly fault: string;
}

/** Spans that wait at the most; what comes beyond goes first. */
const MAX_WAITING = 2048;

/** Milliseconds that the end of a run waits for the collector. Source: what a person puts up with. */
const END_WAIT_MS = 2000;

/** Milliseconds. Source: the specification. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Pairs as in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, percent-encoded. */
function pairsOf(text: string | undefined): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text ?? "").split(",")) {
    const at = pair.indexOf("=");
    if (at <= 0) continue;
    const value = pair.slice(at + 1).trim();
    try {
      pairs[pair.slice(0, at).trim()] = decodeURIComponent(value);
    } catch {
      pairs[pair.slice(0, at).trim()] = value;
    }
  }
  return pairs;
}

/** The address for traces: the one that is meant for them, or the common one with their path. */
function addressOf(env: Environment): string | null {
  const own = env.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own) return own;
  const common = env.get("OTEL_EXPORTER_OTLP_ENDPOINT");
  return common ? `${common.replace(/\/+$/, "")}/v1/traces` : null;
}

/**
 * What the environment says of telemetry.
 *
 * @returns Null where there is none.
 */
export function telemetrySettings(env: Environment): TelemetrySettings | TelemetryFault | null {
  const url = addressOf(env);
  if (url === null || env.get("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return null;
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    return { fault: `OTEL_EXPORTER_OTLP_ENDPOINT is no http address: "${url}"` };
  }
  const protocol = env.get("OTEL_EXPORTER_OTLP_PROTOCOL") ?? "http/protobuf";
  if (protocol !== "http/protobuf" && protocol !== "http/json") {
    return {
      fault: `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}"; http/protobuf and http/json are known`,
    };
  }
  const timeoutMs = Number(env.get("OTEL_EXPORTER_OTLP_TIMEOUT"));
  return {
    url,
    headers: pairsOf(env.get("OTEL_EXPORTER_OTLP_HEADERS")),
    format: protocol === "http/json" ? "json" : "protobuf",
    timeoutMs: timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS,
    resource: {
      "service.name": "rein",
      "service.version": VERSION,
      ...pairsOf(env.get("OTEL_RESOURCE_ATTRIBUTES")),
      ...env.get("OTEL_SERVICE_NAME") ? { "service.name": env.get("OTEL_SERVICE_NAME") ?? "" } : {},
    },
  };
}

/** What sending spans takes. */
export interface TelemetryPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
}

/** Follows runs and sends their spans. */
export interface Telemetry {
  /** Takes an event; the last one of a run sends what there is, without waiting. */
  event(event: Event): void;
  /** Waits, for a bounded time, until all is sent; never throws. Null, or why it was not. */
  end(): Promise<string | null>;
}

/** A run, and the trace that it belongs to; null: it begins one. */
interface RunOfTrace {
  readonly runId: string;
  readonly traceId: string | null;
}

/** What OpenTelemetry takes for a trace; other agents may name theirs as they like. */
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

async function traceOf({ runId, traceId }: RunOfTrace): Promise<string> {
  if (traceId !== null && TRACE_ID.test(traceId)) return traceId;
  return await traceIdOf(traceId ?? runId);
}

function hex(random: () => number, digits: number): string {
  const digit = () => Math.floor(random() * 16).toString(16);
  return `1${Array.from({ length: digits - 1 }, digit).join("")}`;
}

class Sender implements Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #ports: TelemetryPorts;
  /** Of the newest run. */
  #run: RunOfTrace = { runId: "", traceId: null };
  readonly #spans: SpanRecorder;
  readonly #finished = new AbortController();
  #waiting: Span[] = [];
  #sending: Promise<void> = Promise.resolve();
  #fault: string | null = null;

  constructor(settings: TelemetrySettings, ports: TelemetryPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#spans = new SpanRecorder(() => hex(ports.random, 16));
  }

  event(event: Event): void {
    if (event.type === "run_started") {
      this.#run = { runId: event.run_id, traceId: event.trace_id ?? null };
    }
    this.#spans.event(event);
    if (event.type !== "step_started" && event.type !== "run_finished") return;
    this.#waiting = [...this.#waiting, ...this.#spans.take()].slice(-MAX_WAITING);
    if (event.type === "run_finished") this.#flush();
  }

  async end(): Promise<string | null> {
    this.#flush();
    const given = new AbortController();
    const late = this.#ports.clock.sleep(END_WAIT_MS, given.signal).then(() => {
      this.#fault ??= "the collector takes its time";
    }, () => {});
    await Promise.race([this.#sending, late]);
    given.abort();
    this.#finished.abort();
    return this.#fault;
  }

  #flush(): void {
    const spans = this.#waiting;
    if (spans.length === 0) return;
    this.#waiting = [];
    const run = this.#run;
    this.#sending = this.#sending.then(() => this.#send(spans, run));
  }

  async #send(spans: readonly Span[], run: RunOfTrace): Promise<void> {
    const { url, headers, format, timeoutMs, resource } = this.#settings;
    const { signal, clear } = startDeadline(this.#ports.clock, timeoutMs, this.#finished.signal);
    try {
      const { otlpOf } = await import("./otlp.ts");
      const { body, type } = otlpOf(spans, { traceId: await traceOf(run), resource, format });
      const sent = { ...headers, "content-type": type };
      const init = { method: "POST", headers: sent, body, signal, redirect: "error" } as const;
      const response = await this.#ports.fetch(url, init);
      await response.body?.cancel();
      if (!response.ok) this.#fault = `the collector answered ${response.status}`;
    } catch (error) {
      if (!this.#finished.signal.aborted) {
        this.#fault = error instanceof Error ? error.message : String(error);
      }
    } finally {
      clear();
    }
  }
}

/** Begins to follow runs. */
export function createTelemetry(
  settings: TelemetrySettings,
  ports: TelemetryPorts,
): Telemetry {
  return new Sender(settings, ports);
}
