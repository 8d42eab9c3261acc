import { assertEquals } from "@std/assert";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { RunResult } from "../../lib/events.ts";
import { properSummary } from "../context/_windowed_model.ts";
import { type ChatBody, type Reply, startModelServer } from "../model_server.ts";
import { type ProcessState, stateOf } from "./_process_state.ts";
import { ended, inTempDir, REIN, SOURCE, start } from "./_program.ts";

/** Tokens that the model takes at once. Source: the issue of contexts. */
const WINDOW = 8000;

/** Steps of the executable; the program from source is the same and starts more slowly. */
const STEPS = REIN === null ? 300 : 1000;

/** The step in which the model learns what it is asked for at the end. */
const TOLD_AT = 5;
const SECRET = "vault K-5-7731";

/**
 * Memory that the second half of the run may add, in megabytes. Source: measured are 10 to 30, most
 * of it what V8 has not collected yet.
 */
const MAX_GROWTH_MB = 60;

const counts = new Map<string, number>();

/** Tokens of a text; most of a request was in the one before. */
function tokensOf(text: string): number {
  const known = counts.get(text);
  if (known !== undefined) return known;
  const count = countTokens(text);
  if (counts.size > 500) counts.clear();
  counts.set(text, count);
  return count;
}

function requestTokens({ messages, tools = [] }: ChatBody): number {
  const texts = messages.map((one) => (one.content ?? "") + JSON.stringify(one.tool_calls ?? ""));
  return [...texts, JSON.stringify(tools)].reduce((sum, text) => sum + 4 + tokensOf(text), 0);
}

/** What each step looks at: a page of a log that is another one each time. */
function command(step: number): string {
  const note = step === TOLD_AT ? `echo 'NOTE: ${SECRET}'; ` : "";
  return `${note}for i in 1 2 3 4 5 6 7 8; do echo "host-${step}-$i is up, load 0.$i, step ${step}"; done`;
}

/** A server with a window: what does not fit it refuses, as OpenAI does. */
class WindowedServer {
  /** Tokens of the requests of steps. */
  readonly asked: number[] = [];
  summaries = 0;
  refused = 0;
  /** Whether what was learned early still stood in the last request. */
  known = false;
  /** What `recall` found of it. */
  recalled = "";
  readonly #atStep: (step: number) => Promise<void>;

  constructor(atStep: (step: number) => Promise<void>) {
    this.#atStep = atStep;
  }

  async answer(body: ChatBody): Promise<Reply> {
    const tokens = requestTokens(body);
    if (tokens > WINDOW) return this.#refuse(tokens);
    const usage = { prompt_tokens: tokens, completion_tokens: 20 };
    if (body.messages[0]?.content?.startsWith("You keep the notes")) {
      this.summaries++;
      return { text: properSummary(body.messages.at(-1)?.content ?? ""), usage };
    }
    const step = this.asked.push(tokens);
    await this.#atStep(step);
    if (step < STEPS - 1) {
      return { calls: [{ name: "run_shell", arguments: { command: command(step) } }], usage };
    }
    if (step === STEPS - 1) {
      this.known = body.messages.some(({ content }) => content?.includes(SECRET));
      return { calls: [{ name: "recall", arguments: { query: "NOTE vault" } }], usage };
    }
    this.recalled = body.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    return { text: "All hosts are up.", usage };
  }

  #refuse(tokens: number): Response {
    this.refused++;
    const message = `This model's maximum context length is ${WINDOW} tokens. However, your ` +
      `messages resulted in ${tokens} tokens.`;
    return Response.json({ error: { message, code: "context_length_exceeded" } }, { status: 400 });
  }
}

Deno.test({
  name: `rein (${
    (REIN ?? SOURCE).name
  }) goes on for ${STEPS} steps in a window of ${WINDOW} tokens`,
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inTempDir(async (cwd) => {
      const states = new Map<number, ProcessState>();
      const looks = [STEPS / 2, STEPS];
      const windowed = new WindowedServer(async (step) => {
        if (looks.includes(step)) states.set(step, await stateOf(child.pid));
      });
      const server = startModelServer(({ body }) => windowed.answer(body));
      const args = ["--base-url", server.baseUrl, "-m", "m", "--context-window", `${WINDOW}`];
      const child = start(
        REIN ?? SOURCE,
        [...args, "--max-steps", `${STEPS}`, "-o", "json", "go"],
        {
          cwd,
          env: { XDG_STATE_HOME: `${cwd}/state` },
        },
      );
      const { code, stdout, stderr } = await ended(child);
      await server.close();
      const result: RunResult = JSON.parse(stdout);
      assertEquals([code, result.stop_reason, result.steps, stderr.includes("made room")], [
        0,
        "answered",
        STEPS,
        true,
      ]);
      assertEquals([windowed.refused, Math.max(...windowed.asked) <= WINDOW * 0.9], [0, true]);
      assertEquals([windowed.known, windowed.recalled.includes(SECRET)], [true, true]);
      assertEquals(result.facts.find(({ text }) => text === SECRET)?.step, TOLD_AT);
      const [middle, end] = looks.map((step) => states.get(step)?.rssMb ?? NaN);
      const growthMb = (end ?? NaN) - (middle ?? NaN);
      assertEquals(growthMb <= MAX_GROWTH_MB || growthMb, true);
      console.log(report(windowed, server.answeredMs, server.requests.map(({ atMs }) => atMs)));
    }),
});

/** What was measured: nothing depends on it. */
function report(server: WindowedServer, answeredMs: readonly number[], askedMs: readonly number[]) {
  const turns = askedMs.slice(1).map((ms, index) => ms - (answeredMs[index] ?? NaN));
  const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[of.length >> 1] ?? NaN;
  const [early, late] = [turns.slice(20, 120), turns.slice(-100)].map(median);
  const tokens = server.asked.reduce((sum, one) => sum + one, 0);
  return `${STEPS} steps: ${server.summaries} summaries, ${tokens} tokens, most ` +
    `${Math.max(...server.asked)}; a step ${early?.toFixed(1)} ms early, ${
      late?.toFixed(1)
    } ms late`;
}
