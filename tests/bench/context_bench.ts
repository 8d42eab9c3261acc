/**
 * What the context of a run costs: tokens a step over 1,000 steps, tokens sent over a task of 40
 * steps against no compaction and a plain sliding window, and time a step early and late.
 * `deno run -P=tests tests/bench/context_bench.ts`
 *
 * @module
 */

import { createAssembler } from "../../lib/context/assemble.ts";
import { budgetOf } from "../../lib/context/budget.ts";
import { type Context, createContext } from "../../lib/context/context.ts";
import { estimateText, TokenEstimator } from "../../lib/context/estimate.ts";
import { run } from "../../lib/loop.ts";
import { newRecord } from "../../lib/record.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import type { Event } from "../../lib/events.ts";
import type { Model, ModelRequest } from "../../lib/types.ts";
import { probeTool, randomFrom } from "../context/_hosts.ts";
import { isSummary, type Reply, WindowedModel } from "../context/_windowed_model.ts";
import { FakeClock, fakeRunPorts, NEVER } from "../fakes.ts";

const PLACE = { os: "linux", cwd: "/work", date: "2026-11-29" };

/** A window that nothing fills. */
const ENDLESS = 100_000_000;

function looksAt(hosts: number): Reply {
  return (_request, number) =>
    number > hosts ? { text: "All hosts were looked at." } : {
      text: `Host ${number} is next; what it holds decides where the space goes.`,
      calls: [{ name: "probe", arguments: { host: number } }],
    };
}

/** Between 500 and 6,000 characters, the same in every run. */
function realisticChars(): (host: number) => number {
  const random = randomFrom(3);
  const sizes = Array.from({ length: 2000 }, () => 500 + Math.floor(random() ** 2 * 5500));
  return (host) => sizes[host] ?? 500;
}

/** All rounds, or the newest that fit: the oldest are dropped, a round at a time. */
class SlidingContext implements Context {
  readonly #assembler = createAssembler(PLACE);
  readonly #estimator = new TokenEstimator();
  readonly #most: number;
  readonly #window: number;

  constructor(window: number) {
    this.#window = window;
    this.#most = budgetOf(window, 0).highWater;
  }

  request({ record, last, tools }: Parameters<Context["request"]>[0]): ModelRequest {
    const { taskEntry, compaction } = record;
    const shape = { window: this.#window, recall: false };
    for (let first = 0;; first++) {
      const entries = record.entries.filter(({ number }, index) =>
        number === taskEntry || index >= first
      );
      const conversation = { entries, taskEntry, compaction };
      const messages = this.#assembler.messages(conversation, last, shape);
      const fits = this.#estimator.requestTokens(messages, tools) <= this.#most;
      if (fits || entries.length <= 2) return { messages, tools };
    }
  }

  closing(): null {
    return null;
  }

  tokensOf({ messages, tools }: ModelRequest): number {
    return this.#estimator.requestTokens(messages, tools);
  }

  tokensOfText(text: string): number {
    return estimateText(text);
  }

  learn({ messages, tools }: ModelRequest, inputTokens: number): void {
    this.#estimator.correct(messages, tools, inputTokens);
  }

  compact(): Promise<null> {
    return Promise.resolve(null);
  }

  // deno-lint-ignore require-yield
  async *makeRoom(): AsyncGenerator<never, boolean> {
    return await Promise.resolve(true);
  }
}

/** What a run cost. */
interface Cost {
  readonly model: WindowedModel;
  /** Tokens of messages that the request before did not begin with: what no cache holds. */
  readonly fresh: number;
  readonly compactions: number;
  /** When each step began, in milliseconds. */
  readonly times: readonly number[];
}

/** The tokens of a request behind what it shares with the one before. */
function freshTokens(model: WindowedModel, before: ModelRequest | null, request: ModelRequest) {
  const { messages } = request;
  const same = (index: number) =>
    JSON.stringify(before?.messages[index]) === JSON.stringify(messages[index]);
  let shared = 0;
  while (shared < messages.length && same(shared)) shared++;
  return model.count({ messages: messages.slice(shared), tools: [] });
}

async function costOf(
  steps: number,
  { window, context, chars }: {
    readonly window: number;
    readonly context: Context;
    readonly chars: (host: number) => number;
  },
): Promise<Cost> {
  const model = new WindowedModel({ window, reply: looksAt(steps) });
  let before: ModelRequest | null = null;
  let fresh = 0;
  const watched: Model = {
    name: model.name,
    source: model.source,
    recorded: false,
    ask: (request) => {
      fresh += freshTokens(model, isSummary(request) ? null : before, request);
      if (!isSummary(request)) before = request;
      return model.ask(request);
    },
  };
  const ports = fakeRunPorts(watched, {
    tools: [probeTool(chars)],
    limits: { ...DEFAULT_LIMITS, maxSteps: steps + 1 },
    context,
  });
  const events: Event[] = [];
  const times: number[] = [];
  const record = newRecord();
  for await (const event of run({ task: "Find where the space goes", record }, ports, NEVER)) {
    if (event.type === "step_started") times.push(performance.now());
    if (event.type === "context_compacted") events.push(event);
  }
  return { model, fresh, compactions: events.length, times };
}

function compacting(window: number): Context {
  return createContext({ place: PLACE, window, clock: new FakeClock() });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const BARS = "▁▂▃▄▅▆▇█";

function sparkline(values: readonly number[], most: number): string {
  return values.map((value) => BARS[Math.min(7, Math.floor(8 * value / most))]).join("");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** The time of a step, by the median of these. */
function stepMs(times: readonly number[], from: number, to: number): number {
  return median(times.slice(from + 1, to).map((time, index) => time - (times[from + index] ?? 0)));
}

async function longRun(): Promise<void> {
  const window = 8000;
  const chars = realisticChars();
  const { model, compactions, times } = await costOf(1000, {
    window,
    context: compacting(window),
    chars,
  });
  const { asked } = model;
  console.log(
    `1,000 steps, window of 8,000: ${compactions} compactions, most ${Math.max(...asked)}`,
  );
  console.log(`tokens a step, steps 1-100:    ${sparkline(asked.slice(0, 100), window)}`);
  console.log(`tokens a step, steps 901-1000: ${sparkline(asked.slice(900, 1000), window)}`);
  const hundreds = Array.from(
    { length: 10 },
    (_, index) => Math.round(sum(asked.slice(100 * index, 100 * index + 100)) / 100),
  );
  console.log(`mean of each hundred: ${hundreds.join(" ")}`);
  const early = stepMs(times, 50, 250);
  const late = stepMs(times, 800, 1000);
  console.log(
    `time a step: ${early.toFixed(2)} ms early, ${late.toFixed(2)} ms late, ratio ${
      (late / early).toFixed(2)
    }`,
  );
}

async function fortySteps(window: number): Promise<void> {
  const chars = realisticChars();
  const contexts: [string, number, Context][] = [
    ["compaction", window, compacting(window)],
    ["sliding window", window, new SlidingContext(window)],
    ["no compaction", ENDLESS, compacting(ENDLESS)],
  ];
  console.log(`\n40 steps, window of ${window.toLocaleString("en-US")}`);
  console.log("                     sent  summaries   not cached  compactions   most");
  for (const [name, served, context] of contexts) {
    const { model, fresh, compactions } = await costOf(40, { window: served, context, chars });
    const cells = [
      sum(model.asked) + sum(model.summaries),
      sum(model.summaries),
      fresh,
      compactions,
      Math.max(...model.asked),
    ];
    const widths = [10, 11, 13, 13, 7];
    const figures = cells.map((cell, index) =>
      cell.toLocaleString("en-US").padStart(widths[index] ?? 10)
    );
    console.log(`${name.padEnd(15)}${figures.join("")}`);
  }
}

await longRun();
await fortySteps(16_000);
await fortySteps(128_000);
