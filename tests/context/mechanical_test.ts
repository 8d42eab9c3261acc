import { assertEquals } from "@std/assert";
import { mechanicalDigest } from "../../lib/context/mechanical.ts";
import { GO_ON } from "../../lib/record.ts";
import { failed } from "../../lib/results/observe.ts";
import type { JsonObject } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";
import { fakeResults } from "../fakes.ts";

function brought(data: JsonObject, summary: string) {
  return fakeResults().observe({ ok: true, data, summary }, {});
}

function factsOf(log: EventLog): string[] {
  return mechanicalDigest(log.record.entries, []).facts.map(({ text }) => text);
}

Deno.test("mechanicalDigest() makes a fact of each call, with its id and step", () => {
  const log = new EventLog().step().turn("I look", ["c1", "c2"])
    .call("c2", brought({ stdout: "web-1\nweb-2", code: 0 }, "2 lines"))
    .call("c1", failed("denied", { code: "d", message: "No", hint: "Ask", retriable: false }));
  assertEquals(mechanicalDigest(log.record.entries, ["who owns web-2"]), {
    facts: [
      { text: "echo hi → denied: No", call: "c1", step: 1 },
      { text: "echo hi → 2 lines: web-1; web-2; code 0", call: "c2", step: 1 },
    ],
    decisions: [],
    open: ["who owns web-2"],
  });
});

Deno.test("mechanicalDigest() tells the lines that stand out: trouble, numbers, what is unlike the rest", () => {
  const plain = Array.from({ length: 30 }, (_, index) => `GET /page/${index} 200 OK in 12 ms`);
  const stdout = [...plain, "FATAL: out of memory in worker 7", ...plain, "leader: node-b"];
  const log = new EventLog().step().turn("", ["c1"])
    .call("c1", brought({ stdout: stdout.join("\n") }, "62 lines"));
  assertEquals(factsOf(log), [
    "echo hi → 62 lines: GET /page/0 200 OK in 12 ms; GET /page/1 200 OK in 12 ms; " +
    "GET /page/2 200 OK in 12 ms; GET /page/3 200 OK in 12 ms; FATAL: out of memory in worker 7; leader: node-b",
  ]);
});

Deno.test("mechanicalDigest() reads what is left of a result that was cut", () => {
  const log = new EventLog().step().turn("", ["c1"]);
  const content =
    '{"status":"success","data":{"stdout":"leader: node-b\\nweb-1 [… 9 characters left ' +
    'out here …] \\nweb-7 is down"}}{';
  const round = log.record.entries[0];
  const done = { step: 1, what: "echo hi", status: "success", summary: "done" } as const;
  if (round?.kind === "round") round.results.set("c1", { content, done });
  assertEquals(factsOf(log), [
    'echo hi → done: {"status":"success","data":{"stdout":"leader: node-b; web-7 is down"}}{',
  ]);
});

Deno.test("mechanicalDigest() bounds a fact, whatever the call brought", () => {
  const log = new EventLog().step().turn("", ["c1", "c2"])
    .call("c1", brought({ stdout: "x".repeat(7000) }, "1 line".repeat(100)))
    .call("c2", brought({ stdout: "" }, "nothing"));
  const [long = "", none] = factsOf(log);
  assertEquals([long.length <= 300, none], [true, "echo hi → nothing"]);
});

Deno.test("mechanicalDigest() keeps what the person said and what was answered, not rein's own", () => {
  const log = new EventLog().task("Which hosts?").step().turn("web-1\nand web-2.").stopped(
    "answered",
  )
    .task("Which hosts?", "stopped");
  assertEquals(log.record.entries.at(-1), { kind: "said", number: 3, content: GO_ON });
  assertEquals(mechanicalDigest(log.record.entries, []).facts, [
    { text: "The person said: Which hosts?", call: null, step: 0 },
    { text: "Answered: web-1 and web-2.", call: null, step: 1 },
  ]);
});
