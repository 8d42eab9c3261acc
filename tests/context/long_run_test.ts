import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../lib/context/context.ts";
import type { Event } from "../../lib/events.ts";
import { run } from "../../lib/loop.ts";
import { apply, newRecord } from "../../lib/record.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import { eventFaults } from "../_schemas.ts";
import { FakeClock, fakeRunPorts, NEVER, play } from "../fakes.ts";
import { NOTE, probeTool, randomFrom } from "./_hosts.ts";
import { type Reply, WindowedModel } from "./_windowed_model.ts";

const STEPS = 1000;
const WINDOW = 8000;

const random = randomFrom(7);
const SIZES = Array.from({ length: STEPS + 1 }, () => 150 + Math.floor(random() * 2500));

const reply: Reply = (_request, number) =>
  number > STEPS ? { text: "All hosts were looked at." } : {
    text: `I look at host ${number} now.`,
    calls: [{ name: "probe", arguments: { host: number } }],
  };

async function longRun(summarise?: (shown: string) => string) {
  const model = new WindowedModel({ window: WINDOW, reply, ...(summarise && { summarise }) });
  const record = newRecord();
  const ports = fakeRunPorts(model, {
    tools: [probeTool((host) => SIZES[host] ?? 0)],
    limits: { ...DEFAULT_LIMITS, maxSteps: STEPS + 1 },
    context: createContext({
      place: { os: "linux", cwd: "/work", date: "2026-11-29" },
      window: WINDOW,
      clock: new FakeClock(),
    }),
  });
  let entries = 0;
  const assignment = { task: "Look at every host", record };
  const { events, result } = await play(run(assignment, ports, NEVER), () => {
    entries = Math.max(entries, record.entries.length);
  });
  return { model, record, events, result, entries };
}

function compactionsOf(events: readonly Event[]) {
  return events.filter((event) => event.type === "context_compacted");
}

/** What must hold however the rounds were summed up. */
function holdsLaws(
  { model, record, events, result, entries }: Awaited<ReturnType<typeof longRun>>,
) {
  assertEquals([result.stop_reason, result.steps], ["answered", STEPS + 1]);
  const most = Math.max(...model.asked, ...model.summaries);
  assert(
    model.refusals === 0 && most <= 0.9 * WINDOW,
    `${model.refusals} refusals, ${most} tokens`,
  );
  assert(entries <= 40, `${entries} entries were held`);
  assert(record.compaction.facts.some(({ text, step }) => text.includes(NOTE) && step === 5));
  const compactions = compactionsOf(events);
  assert(compactions.length < STEPS / 3, `${compactions.length} compactions`);
  for (const event of compactions) {
    assertEquals(eventFaults(event), []);
    assert(event.tokens_before - event.tokens_after >= 0.05 * WINDOW);
  }
  const again = newRecord();
  for (const event of events) apply(again, JSON.parse(JSON.stringify(event)));
  assertEquals(again, record);
  return compactions;
}

Deno.test("a run of 1,000 steps stays within 8,000 tokens, and knows at its end what step 5 showed", async () => {
  const played = await longRun();
  const compactions = holdsLaws(played);
  assertEquals([...new Set(compactions.map(({ by }) => by))], ["model"]);
});

Deno.test("a run of 1,000 steps does as well with a model that can't sum up", async () => {
  const played = await longRun(() => "I can't do that.");
  const compactions = holdsLaws(played);
  assertEquals([...new Set(compactions.map(({ by }) => by))], ["rein"]);
  // It is not asked again and again.
  assertEquals(played.model.summaries.length, 2);
});
