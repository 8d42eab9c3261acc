/**
 * `deno run -P=tests tests/bench/stream_bench.ts`: what it takes to put a streamed answer together,
 * by rein and by the SDK's own means, in the same process and in turns.
 *
 * The answer comes from memory, in pieces as a server's packets bring them, so that nothing but the
 * reading is measured: processor time per token, and its ratio.
 *
 * @module
 */

import { cpuUsage } from "node:process";
import OpenAI from "openai";
import { createServerModel } from "../../lib/model/openai.ts";
import type { Fetch } from "../../lib/ports.ts";
import { realClock } from "../../lib/real/clock.ts";
import { median } from "./_bench.ts";

/** Chunks of the answer, a token each. Source: issue 6. */
const TOKENS = 200_000;

const ROUNDS = 5;

/** Events that arrive together: one by one as from a slow model, or as many as a packet holds. */
const EVENTS_A_READ = [1, 16];

const BASE_URL = "http://model.test/v1";

const QUESTION = [{ role: "user", content: "Hi" }] as const;

/** As OpenAI writes a chunk. */
function eventOf(index: number): string {
  const chunk = {
    id: "chatcmpl-1234567890",
    object: "chat.completion.chunk",
    created: 1_764_460_800,
    model: "gpt-4o",
    system_fingerprint: "fp_1",
    choices: [{
      index: 0,
      // The SDK's helper fails where no chunk tells of the role.
      delta: { ...(index === 0 ? { role: "assistant" } : {}), content: ` word${index % 97}` },
      logprobs: null,
      finish_reason: null,
    }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** The bytes of the answer, as they are read. */
function answerOf(eventsARead: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const events = Array.from({ length: TOKENS }, (_, index) => eventOf(index));
  events.push(`data: ${JSON.stringify(end)}\n\n`, "data: [DONE]\n\n");
  const reads: Uint8Array[] = [];
  for (let at = 0; at < events.length; at += eventsARead) {
    reads.push(encoder.encode(events.slice(at, at + eventsARead).join("")));
  }
  return reads;
}

function fetchOf(reads: readonly Uint8Array[]): Fetch {
  return () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const read = reads[at++];
        if (read === undefined) controller.close();
        else controller.enqueue(read);
      },
    }, { highWaterMark: 0 });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
}

/** Ways to read the answer; each comes to the length of its text. */
type Way = (fetch: Fetch) => Promise<number>;

const signal = new AbortController().signal;

/** rein's: request, stream, timers, retries, the whole turn. */
const rein: Way = async (fetch) => {
  const timeouts = {
    connectMs: 10_000,
    firstByteMs: 600_000,
    idleMs: 300_000,
    totalMs: 1_800_000,
  };
  const settings = { baseUrl: BASE_URL, apiKey: null, model: "m", temperature: 0.2, timeouts };
  const ports = { fetch, clock: realClock, random: Math.random, connect: null };
  const model = createServerModel(settings, ports);
  let chars = 0;
  for await (const chunk of model.ask({ messages: QUESTION, tools: [] }, signal)) {
    if (chunk.type === "turn_finished") chars = chunk.message.content.length;
  }
  return chars;
};

function clientOf(fetch: Fetch): OpenAI {
  return new OpenAI({ baseURL: BASE_URL, apiKey: "none", fetch, maxRetries: 0, logLevel: "off" });
}

const REQUEST: OpenAI.ChatCompletionCreateParamsStreaming = {
  model: "m",
  messages: [...QUESTION],
  stream: true,
};

/** The SDK's raw chunks, of which only the text is put together. */
const sdkChunks: Way = async (fetch) => {
  const stream = await clientOf(fetch).chat.completions.create(REQUEST);
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  return text.length;
};

/** The SDK's helper, which puts the turn together as rein does. */
const sdkHelper: Way = async (fetch) => {
  const completion = await clientOf(fetch).chat.completions.stream(REQUEST).finalChatCompletion();
  return completion.choices[0]?.message.content?.length ?? 0;
};

const WAYS: readonly (readonly [string, Way])[] = [
  ["rein", rein],
  ["SDK, raw chunks", sdkChunks],
  ["SDK, its helper", sdkHelper],
];

/** Microseconds of processor time a token. */
async function costOf(way: Way, reads: readonly Uint8Array[]): Promise<number> {
  const started = cpuUsage();
  const chars = await way(fetchOf(reads));
  const { user, system } = cpuUsage(started);
  if (chars < TOKENS) throw new Error(`The answer has ${chars} characters only`);
  return (user + system) / TOKENS;
}

if (import.meta.main) {
  for (const eventsARead of EVENTS_A_READ) {
    const reads = answerOf(eventsARead);
    const costs = WAYS.map(() => [] as number[]);
    for (let round = -1; round < ROUNDS; round++) {
      for (const [index, [, way]] of WAYS.entries()) {
        const cost = await costOf(way, reads);
        if (round >= 0) costs[index]?.push(cost);
      }
    }
    const own = median(costs[0] ?? []);
    console.log(`${TOKENS} tokens, ${eventsARead} to a read:`);
    for (const [index, [name]] of WAYS.entries()) {
      const cost = median(costs[index] ?? []);
      const ratio = (own / cost).toFixed(2);
      console.log(`  ${name.padEnd(18)}${cost.toFixed(2).padStart(7)} µs a token  ${ratio}×`);
    }
  }
}
