import { assertEquals } from "@std/assert";
import { createDatabases } from "../../lib/real/databases.ts";
import { costOf, envelopeOf } from "../../lib/serve/outcome.ts";
import { Poster } from "../../lib/serve/poster.ts";
import { TaskRecord } from "../../lib/serve/task_record.ts";
import { type FakeAnswer, FakeClock, FakeNetwork, NEVER, settle } from "../fakes.ts";
import { taskOf } from "./_tasks.ts";

const CALLBACK = "https://ops.example/results/1";

const TASK = taskOf("t-1", { callback: CALLBACK });

const RESULT = envelopeOf(
  TASK,
  { status: "success", data: { summary: "Done." }, error: null },
  costOf(null, 1),
);

/** A poster, with a record in which one result is due. */
async function due(answers: readonly FakeAnswer[], hosts = ["ops.example"]) {
  const record = new TaskRecord(await createDatabases(null).open(null));
  record.add({ task: TASK, content: "", receivedMs: 0 });
  record.finish("t-1", RESULT, 1);
  const waiting = [...answers];
  const network = new FakeNetwork({ "ops.example": ["10.0.0.9"] }, () => waiting.shift() ?? {});
  const clock = new FakeClock();
  const troubles: string[] = [];
  const trouble = (text: string) => void troubles.push(text);
  const poster = new Poster({ record, hosts, token: "secret", network, clock, trouble });
  return { poster, record, network, clock, troubles };
}

Deno.test("a result is posted to its callback, with the token of the configuration", async () => {
  const { poster, record, network } = await due([{ status: 204 }]);
  poster.start();
  await poster.end(NEVER);
  assertEquals(network.sent, [`POST ${CALLBACK} @10.0.0.9`]);
  const [request] = network.requests;
  assertEquals([request?.headers, JSON.parse(request?.body ?? "")], [
    { "content-type": "application/json", authorization: "Bearer secret" },
    RESULT,
  ]);
  assertEquals(record.toPost(), []);
});

Deno.test("posting is tried three times, and then given up with a word", async () => {
  const moved = { status: 302, headers: { location: "http://evil.example/" } };
  const { poster, record, network, clock, troubles } = await due([{ status: 500 }, moved, moved]);
  poster.start();
  await settle();
  await clock.advance(2_000);
  await clock.advance(10_000);
  await poster.end(NEVER);
  assertEquals([network.sent.length, record.toPost(), troubles, clock.sleeping], [
    3,
    [],
    ["task t-1: its result could not be posted: ops.example answered 302"],
    0,
  ]);
});

Deno.test("nothing is posted to a host that is not allowed any more", async () => {
  const { poster, network, troubles } = await due([], []);
  poster.start();
  await poster.end(NEVER);
  assertEquals([network.sent, troubles.length], [[], 1]);
});

Deno.test("what is not posted when the server stops is due at the next start", async () => {
  const { poster, record, clock, troubles } = await due([{ status: 500 }]);
  poster.start();
  await settle();
  const stop = new AbortController();
  const ended = poster.end(stop.signal);
  stop.abort(new Error("stop"));
  await ended;
  assertEquals([record.toPost().length, troubles, clock.sleeping], [1, [], 0]);
});
