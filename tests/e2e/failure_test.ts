import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { bash, type Ended, inTempDir, PROGRAMS, recording, rein } from "./_program.ts";

const CALCULATE = { name: "calculate", arguments: { expression: "1" } };
const DENIED = { name: "run_shell", arguments: { command: "rm -rf build" } };

/** A stream of these bytes, which then ends. */
function streamed(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

function chunk(delta: unknown, finish_reason: string | null = null, more = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
}

const USAGE = {
  prompt_tokens: 10,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 8 },
};
const CUT = chunk({ content: "Hel" });
const WHOLE = CUT + chunk({ content: "lo." }) + chunk({}, "stop", { usage: USAGE });
const CALL = chunk({
  tool_calls: [{
    index: 0,
    id: "a",
    function: { name: "calculate", arguments: '{"expression":"1+1"}' },
  }],
});
const CALLS_END = chunk({}, "tool_calls");

/** An address where nothing listens: a port that was just given back. */
const CLOSED = await closedAddress();

async function closedAddress(): Promise<string> {
  const server = startModelServer(() => ({}));
  await server.close();
  return server.baseUrl;
}

/** One line, no stack trace. */
function assertOneLine(ended: Ended, code: number, line: RegExp): void {
  assertEquals([ended.code, ended.stdout, ended.stderr.split("\n").length], [code, "", 2]);
  assertMatch(ended.stderr, line);
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  const usage: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["an unknown option", ["--nope", "hi"], /^rein: Unknown option '--nope'\. See "rein --help"/],
    ["a limit that is no number", ["--max-steps", "x", "hi"], /whole number from 1 to 1000/],
    ["an unknown form of output", ["-o", "xml", "hi"], /choices are text, json, jsonl/],
    ["no question", [], /^rein: There is no question\. Say what you want/],
    ["an empty question", [" "], /^rein: There is no question/],
    [
      "an address that is none",
      ["--base-url", "x", "-m", "m", "hi"],
      /'--base-url <url>' argument 'x' is invalid.*an http address/,
    ],
    [
      "a recording that is not there",
      ["-m", "recorded:/no/x", "hi"],
      /recording "\/no\/x" does not/,
    ],
    [
      "an --env-file that is not there",
      ["--env-file", "/no/x", "hi"],
      /environment file "\/no\/x"/,
    ],
    [
      "a policy that is not there",
      ["--policy", "/no/x", "hi"],
      /no built-in policy and can.t be read.*"\/no\/x" does not/,
    ],
    ["an unknown schema", ["schema", "x"], /There is no schema "x"/],
  ];
  for (const [what, args, line] of usage) {
    test(`ends with 2 and one line for ${what}`, async () => {
      assertOneLine(await rein(program, args), 2, line);
    });
  }

  test("ends with 2 and the place of a fault in a policy file", async () => {
    await inTempDir(async (cwd) => {
      await Deno.writeTextFile(
        `${cwd}/p.yaml`,
        "rules:\n  - id: x\n    decision: maybe\n    reason: r\n",
      );
      const model = await recording(cwd, [{ text: "ok" }]);
      const ended = await rein(program, ["--policy", "p.yaml", "-m", model, "hi"], { cwd });
      assertOneLine(ended, 2, /p\.yaml:3:\d+/);
    });
  });

  test("ends with 2 and the line of a fault in a recording", async () => {
    await inTempDir(async (cwd) => {
      await Deno.writeTextFile(`${cwd}/r.jsonl`, '{"text":"a"}\n{"txt":"b"}\n');
      const ended = await rein(program, ["-m", "recorded:r.jsonl", "hi"], { cwd });
      assertOneLine(ended, 2, /Recording "r\.jsonl", line 2, has neither "text" nor "calls"/);
    });
  });

  const refusals: readonly (readonly [string, () => Response, RegExp])[] = [
    ["a wrong key", () => Response.json({ error: { message: "bad key" } }, { status: 401 }), /401/],
    [
      "no such model",
      () => Response.json({ error: { message: "no" } }, { status: 404 }),
      /404.*"m"/,
    ],
    [
      "an account with nothing left",
      () => Response.json({ error: { message: "余额不足，请充值" } }, { status: 429 }),
      /429: 余额不足，请充值\. Top the account up/,
    ],
    [
      "a server that asks to wait for 16 days",
      () =>
        Response.json({ error: { message: "Later" } }, {
          status: 429,
          headers: { "retry-after": "1382400" },
        }),
      /429: Later; it asks to wait 16 days, and rein waits 60 s a turn at the most/,
    ],
    [
      "a web page",
      () => new Response("<html>Hi</html>", { headers: { "content-type": "text/html" } }),
      /answered "<html>Hi<\/html>", not an event stream/,
    ],
  ];
  for (const [what, reply, line] of refusals) {
    test(`ends with 5 and one line with the address for ${what}, after one request`, async () => {
      const server = startModelServer(reply);
      const env = { OPENAI_API_KEY: "k" };
      const ended = await rein(program, ["--base-url", server.baseUrl, "-m", "m", "hi"], { env });
      await server.close();
      assertOneLine(ended, 5, line);
      assertEquals([server.requests.length, ended.stderr.includes(server.baseUrl)], [1, true]);
    });
  }

  const lasting: readonly (readonly [string, () => Response, string])[] = [
    ["500 for ever", () => new Response("oops", { status: 500 }), "server_error"],
    [
      "429 for ever",
      () => Response.json({ error: { message: "Slow down" } }, { status: 429 }),
      "rate_limited",
    ],
    ["a stream that is always cut", () => streamed(CUT), "bad_response"],
  ];
  for (const [what, reply, code] of lasting) {
    test(`ends with 5 within a minute for ${what}, after four requests`, async () => {
      const server = startModelServer(reply);
      const args = ["--base-url", server.baseUrl, "-m", "m", "--output", "json", "hi"];
      const startedMs = performance.now();
      const ended = await rein(program, args);
      const inTime = performance.now() - startedMs < 60_000;
      await server.close();
      const { status, stop_reason, error, answer } = JSON.parse(ended.stdout);
      assertEquals(
        [ended.code, status, stop_reason, error.code, answer, server.requests.length, inTime],
        [5, "failed", "model_error", code, what.startsWith("a stream") ? "Hel" : null, 4, true],
      );
      assertEquals(
        ended.stderr.split("\n").filter((line) => /; retry [123] of 3 in \d/.test(line)).length,
        3,
      );
    });
  }

  test("shows the text of a turn once that was cut and is asked for again", async () => {
    const server = startModelServer((_request, index) => streamed(index === 0 ? CUT : WHOLE));
    const args = ["--base-url", server.baseUrl, "-m", "m", "-q", "-o", "jsonl", "hi"];
    const ended = await rein(program, args);
    await server.close();
    const events = ended.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const told = events.filter(({ type }) =>
      ["text_delta", "model_retried", "text_restarted", "turn_finished"].includes(type)
    ).map(({ type, text, content }) => text ?? content ?? type);
    assertEquals(
      [ended.code, told, events.at(-1).result.answer, events.at(-1).result.usage],
      [0, ["Hel", "model_retried", "lo.", "Hello."], "Hello.", {
        input_tokens: 10,
        cached_input_tokens: 8,
        output_tokens: 5,
        estimated: false,
      }],
    );
  });

  test("runs the call of a turn once that was cut after it", async () => {
    await inTempDir(async (cwd) => {
      const server = startModelServer((request, index) => {
        if (request.body.messages.at(-2)?.role === "tool") return { text: "Done." };
        return streamed(index === 0 ? CALL : CALL + CALLS_END);
      });
      const args = ["--base-url", server.baseUrl, "-m", "m", "-q", "-o", "json", "hi"];
      const ended = await rein(program, args, { cwd });
      await server.close();
      const { answer, calls } = JSON.parse(ended.stdout);
      assertEquals(
        [
          ended.code,
          answer,
          calls.map(({ tool }: { tool: string }) => tool),
          server.requests.length,
        ],
        [0, "Done.", ["calculate"], 3],
      );
    });
  });

  test("ends with 5 and one line for a closed port", async () => {
    const ended = await rein(program, ["-q", "--base-url", CLOSED, "-m", "m", "hi"]);
    assertOneLine(ended, 5, /127\.0\.0\.1:\d+\/v1 can't be reached: .*refused.* --base-url/);
  });

  test("ends with 5 and a result event where the model fails", async () => {
    const args = ["--base-url", CLOSED, "-m", "m", "-o", "jsonl", "hi"];
    const ended = await rein(program, args);
    const last = JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "");
    assertEquals(
      [ended.code, last.type, last.result.status, last.result.error.code],
      [5, "run_finished", "failed", "unreachable"],
    );
  });

  test("prints a JSON object for a wrong use, too", async () => {
    const ended = await rein(program, ["--nope", "--output", "json", "hi"]);
    const { status, stop_reason, error } = JSON.parse(ended.stdout);
    assertEquals([ended.code, status, stop_reason, error.code], [2, "failed", null, "usage"]);
  });

  test("ends with 3 and a summary at the step limit", async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [{ calls: [CALCULATE] }, { text: "So far: 1." }]);
      const args = ["-m", model, "--max-steps", "1", "-o", "json", "hi"];
      const ended = await rein(program, args, { cwd });
      const { status, stop_reason, answer, steps } = JSON.parse(ended.stdout);
      assertEquals(
        [ended.code, status, stop_reason, answer, steps],
        [3, "unfinished", "step_limit", "So far: 1.", 1],
      );
    });
  });

  test("ends with 4 where an approval was needed and nobody is there", async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [{ calls: [DENIED] }, { text: "I could not." }]);
      const ended = await rein(program, ["-m", model, "-o", "json", "hi"], { cwd });
      const { stop_reason, calls } = JSON.parse(ended.stdout);
      const { tool, arguments: args, decision, status } = calls[0];
      assertEquals(
        [ended.code, stop_reason, tool, args, decision, status],
        [4, "blocked", "run_shell", { command: "rm -rf build" }, "ask", "denied"],
      );
    });
  });

  test("ends with 4 after three denials in a row", async () => {
    await inTempDir(async (cwd) => {
      const turn = { calls: [DENIED] };
      const model = await recording(cwd, [turn, turn, turn, { text: "I may not." }]);
      const ended = await rein(program, ["-m", model, "-o", "json", "hi"], { cwd });
      const { steps, answer } = JSON.parse(ended.stdout);
      assertEquals([ended.code, steps, answer], [4, 3, "I may not."]);
    });
  });

  test("ends quietly where the reader of stdout has gone", async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [{ text: "a ".repeat(100_000) }]);
      const line = `rein --quiet -m '${model}' -o jsonl hi | head -n 1 | cut -c1-10; ` +
        'echo "${PIPESTATUS[0]}"';
      const ended = await bash(program, line, { cwd });
      assertEquals([ended.stdout, ended.stderr], ['{"schema":\n141\n', ""]);
    });
  });

  test("says in one line that the disk is full", async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [{ text: "ok" }]);
      const ended = await bash(program, `rein --quiet -m '${model}' hi > /dev/full`, { cwd });
      assertOneLine(ended, 1, /^rein: Standard output can't be written: No space left/);
    });
  });
}
