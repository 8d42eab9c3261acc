import { assertEquals } from "@std/assert";
import type { Event } from "../../lib/events.ts";
import { redactEvent } from "../../lib/session/redact_event.ts";
import { DONE } from "../_events.ts";
import { fakeResults } from "../fakes.ts";

const SECRET = "sk-model-key-of-the-person";
const BASE = { schema: "rein-event/1", at: "2026-11-29T12:00:00.000Z", run_id: "r", step: 1 };
const results = fakeResults({ secrets: [SECRET] });

function stored(event: Record<string, unknown>): unknown {
  const { schema: _schema, at: _at, run_id: _run, step: _step, ...rest } = redactEvent(
    { ...BASE, ...event } as Event,
    (data) => results.redact(data),
  );
  return rest;
}

Deno.test("redactEvent() takes secrets out of what the person and the model say", () => {
  const texts = [
    stored({ type: "run_started", task: `Use ${SECRET}, please` }),
    stored({
      type: "turn_finished",
      content: `I use ${SECRET}`,
      reasoning: `They gave me ${SECRET}`,
      calls: [],
    }),
  ];
  assertEquals(JSON.stringify(texts).includes(SECRET), false);
  assertEquals(JSON.stringify(texts).includes(", please"), true);
});

Deno.test("redactEvent() leaves arguments the JSON that they are", () => {
  const command = `curl -H "Authorization: Bearer ${SECRET}" https://a.example`;
  const args = JSON.stringify({ command, password: "hunter2" });
  const event = stored({ type: "call_proposed", call_id: "c", tool: "run_shell", arguments: args });
  const { arguments: kept } = event as { arguments: string };
  assertEquals(Object.keys(JSON.parse(kept)), ["command", "password"]);
  assertEquals([kept.includes(SECRET), kept.includes("hunter2")], [false, false]);
  assertEquals(kept.includes("https://a.example"), true);
});

Deno.test("redactEvent() leaves what has no secret byte for byte", () => {
  const args = '{ "command" : "ls -l" }';
  const calls = [{ id: "c", name: "run_shell", arguments: args }];
  const turn = { type: "turn_finished", content: "看一下 logs", reasoning: "好", calls };
  const call = { type: "call_finished", brief: "ls -l", arguments: { command: "ls -l" } };
  const finished = { ...call, call_id: "c", tool: "run_shell", observation: DONE };
  assertEquals([stored(turn), stored(finished)], [turn, finished]);
});
