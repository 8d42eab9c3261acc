/**
 * Spans of runs, where the environment names a collector.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import type { Telemetry } from "../trace/telemetry.ts";
import { message } from "../messages/messages.ts";
import type { StepWriter } from "./steps.ts";

/** Variables of which one names a collector. */
const ENDPOINTS = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/** Begins to follow runs; null where nobody wants their spans. What can't be had is said. */
export async function telemetryOfRun(
  ports: Ports,
  { note }: Pick<StepWriter, "note">,
): Promise<Telemetry | null> {
  if (!ENDPOINTS.some((name) => ports.env.get(name))) return null;
  const { createTelemetry, telemetrySettings } = await import("../trace/telemetry.ts");
  const settings = telemetrySettings(ports.env);
  if (settings === null) return null;
  if (!("fault" in settings)) return createTelemetry(settings, ports);
  await note(message("telemetry.off", { why: settings.fault }));
  return null;
}
