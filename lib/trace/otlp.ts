/**
 * Spans in the format of OTLP, made by OpenTelemetry's own library; it is loaded where spans are
 * sent.
 *
 * @module
 */

import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { VERSION } from "../version.ts";
import type { Span } from "./spans.ts";

/** What goes with the spans of one request. */
export interface OtlpOptions {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly format: "protobuf" | "json";
}

/** A body, and its media type. */
export interface OtlpBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** Kinds and states, as the API numbers them. */
const KINDS = { internal: 0, client: 2 } as const;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;

/** Recorded, and sampled. */
const TRACE_FLAGS = 1;

/** Seconds and nanoseconds. */
function hrTime(ms: number): [number, number] {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}

function attributesOf(attributes: Span["attributes"]): ReadableSpan["attributes"] {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "object" ? [...value] : value,
    ]),
  );
}

/** The span as the library has it. */
function readable(span: Span, traceId: string, resource: ReadableSpan["resource"]): ReadableSpan {
  const { id, parentId, name, kind, startMs, endMs, attributes, events, error } = span;
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: TRACE_FLAGS });
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context(id),
    ...parentId === null ? {} : { parentSpanContext: context(parentId) },
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    ended: true,
    status: error === null ? { code: STATUS_UNSET } : { code: STATUS_ERROR, message: error },
    attributes: attributesOf(attributes),
    events: events.map((event) => ({
      name: event.name,
      time: hrTime(event.atMs),
      attributes: attributesOf(event.attributes),
      droppedAttributesCount: 0,
    })),
    links: [],
    resource,
    instrumentationScope: { name: "rein", version: VERSION },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/**
 * Spans as the body of a request to a collector.
 *
 * @throws {TypeError} If the library makes nothing of them.
 */
export function otlpOf(
  spans: readonly Span[],
  { traceId, resource, format }: OtlpOptions,
): OtlpBody {
  const attributes = resourceFromAttributes({ ...resource });
  const all = spans.map((span) => readable(span, traceId, attributes));
  const serializer = format === "json" ? JsonTraceSerializer : ProtobufTraceSerializer;
  const body = serializer.serializeRequest(all);
  if (body === undefined) throw new TypeError("The spans could not be put into OTLP");
  const type = format === "json" ? "application/json" : "application/x-protobuf";
  return { body: new Uint8Array(body), type };
}
