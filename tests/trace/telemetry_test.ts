import { assertEquals } from "@std/assert";
import { run } from "../../lib/loop.ts";
import { realClock } from "../../lib/real/clock.ts";
import { createTelemetry, telemetrySettings } from "../../lib/trace/telemetry.ts";
import type { Fetch } from "../../lib/ports.ts";
import {
  aborted,
  FakeClock,
  fakeEnvironment,
  fakeRunPorts,
  NEVER,
  play,
  ScriptedModel,
  settle,
} from "../fakes.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SERVES = { task_id: "t-00000000b7ad6b7169203331", trace_id: TRACE };

function settingsOf(values: Readonly<Record<string, string>>) {
  return telemetrySettings(fakeEnvironment(values));
}

/** Follows a run of two steps against a collector. */
async function told(fetch: Fetch, values: Readonly<Record<string, string>>, clock = realClock) {
  const settings = settingsOf(values);
  if (settings === null || "fault" in settings) throw new TypeError("No settings");
  const telemetry = createTelemetry(settings, { fetch, clock, random: () => 0.5 });
  const { events } = await play(
    run(
      { task: "Say hello" },
      fakeRunPorts(new ScriptedModel({ text: "Hello." }), { serves: SERVES }),
      NEVER,
    ),
  );
  for (const event of events) telemetry.event(event);
  return telemetry;
}

Deno.test("telemetrySettings() reads what OpenTelemetry defines", () => {
  assertEquals(
    settingsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x,a = b",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,team=ops",
      OTEL_SERVICE_NAME: "mine",
    }),
    {
      url: "http://127.0.0.1:4318/v1/traces",
      headers: { authorization: "Bearer x", a: "b" },
      format: "json",
      timeoutMs: 500,
      resource: { "service.name": "mine", "service.version": "0.1.0", team: "ops" },
    },
  );
});

Deno.test("telemetrySettings() is nothing where nothing is set, and says what it can't do", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" };
  assertEquals(
    [
      settingsOf({}),
      settingsOf({ ...endpoint, OTEL_SDK_DISABLED: "true" }),
      settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" }),
      settingsOf({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
    ],
    [
      null,
      null,
      { fault: 'OTEL_EXPORTER_OTLP_ENDPOINT is no http address: "collector/v1/traces"' },
      { fault: 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"; http/protobuf and http/json are known' },
    ],
  );
});

Deno.test("a run's spans reach a collector in one request, in one trace", async () => {
  const received: { type: string | null; body: string }[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen: () => {} },
    async (request) => {
      received.push({ type: request.headers.get("content-type"), body: await request.text() });
      return new Response("{}");
    },
  );
  const endpoint = `http://127.0.0.1:${server.addr.port}`;
  const telemetry = await told(fetch, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  assertEquals(await telemetry.end(), null);
  stop.abort();
  await server.finished;
  const spans = received.flatMap(({ body }) => {
    const { resourceSpans: [{ scopeSpans: [{ spans }] }] } = JSON.parse(body);
    return spans.map((span: Record<string, unknown>) => [
      span["name"],
      span["traceId"],
      span["kind"],
      span["parentSpanId"] === "b7ad6b7169203331",
    ]);
  });
  assertEquals([received.map(({ type }) => type), spans], [["application/json"], [
    ["chat scripted", TRACE, 3, false],
    ["step 1", TRACE, 1, false],
    ["invoke_agent rein", TRACE, 1, true],
  ]]);
});

Deno.test("a collector that fails or hangs is a note, and no more", async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" };
  const refused = await told(() => Promise.reject(new TypeError("refused")), endpoint);
  const sick = await told(() => Promise.resolve(new Response("", { status: 503 })), endpoint);
  const clock = new FakeClock();
  const hanging = await told(
    async (_input, init) => {
      await aborted(init?.signal ?? NEVER);
      throw new TypeError("aborted");
    },
    endpoint,
    clock,
  );
  const ended = hanging.end();
  await settle();
  await clock.advance(2000);
  assertEquals([await refused.end(), await sick.end(), await ended], [
    "refused",
    "the collector answered 503",
    "the collector takes its time",
  ]);
});
