import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createServerModel } from "../../lib/model/openai.ts";
import type { Fetch } from "../../lib/ports.ts";
import { ModelError, type ModelRequest } from "../../lib/types.ts";
import { NEVER } from "../fakes.ts";
import { type ExpectedFailure, type ExpectedTurn, type Fixture, FIXTURES } from "./_fixtures.ts";
import { NO_TIMEOUTS, serverPorts } from "./_ports.ts";

const QUESTION: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools: [] };

/** What comes of asking: the turn, of which the text was shown once, or the failure. */
async function outcomeOf(fetch: Fetch, baseUrl: string): Promise<ExpectedTurn | ExpectedFailure> {
  const settings = { baseUrl, apiKey: null, model: "m", temperature: 0.2, timeouts: NO_TIMEOUTS };
  const model = createServerModel(settings, serverPorts({ fetch }));
  let shown = "";
  try {
    for await (const chunk of model.ask(QUESTION, NEVER)) {
      if (chunk.type === "text") shown += chunk.text;
      if (chunk.type === "restart") shown = "";
      if (chunk.type !== "turn_finished") continue;
      const { message, finishReason, usage } = chunk;
      assertEquals(shown, message.content);
      const calls = message.calls.map((call) => `${call.id} ${call.name} ${call.arguments}`);
      return { text: shown, calls, finishReason, usage };
    }
    throw new Error("There was no turn");
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { code: error.code, message: error.message.replace(baseUrl, "BASE") };
  }
}

/** The bytes in pieces: each cut is where one ends. */
function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...new Set(cuts)].toSorted((a, b) => a - b).filter((cut) => cut < bytes.length);
  return [0, ...ends].map((from, index) => bytes.slice(from, ends[index] ?? bytes.length));
}

/** A `fetch` that answers with these pieces, every time. */
function answering({ contentType = "text/event-stream" }: Fixture, pieces: readonly Uint8Array[]) {
  const fetch: Fetch = () => {
    const left = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    }, { highWaterMark: 0 });
    return Promise.resolve(new Response(body, { headers: { "content-type": contentType } }));
  };
  return fetch;
}

for (const fixture of FIXTURES) {
  const { name, bytes, expected } = fixture;

  Deno.test(`createServerModel() understands ${name}, wherever it is cut`, async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const outcome = await outcomeOf(answering(fixture, piecesOf(bytes, [cut])), "http://m.test");
      assertEquals(outcome, expected, `cut at byte ${cut}`);
    }
    const places = fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => {
        const outcome = await outcomeOf(answering(fixture, piecesOf(bytes, cuts)), "http://m.test");
        assertEquals(outcome, expected);
      }),
      { numRuns: 25 },
    );
  });
}

/** Sends bytes one at a time, so that each may come by itself. */
function byteByByte({ bytes, contentType = "text/event-stream" }: Fixture): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at === bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, ++at));
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": contentType } });
}

Deno.test("createServerModel() understands every answer over loopback, byte by byte", async () => {
  let served: Fixture | undefined;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    if (served === undefined) throw new Error("There is nothing to serve");
    return byteByByte(served);
  });
  const baseUrl = `http://127.0.0.1:${server.addr.port}/v1`;
  for (const fixture of FIXTURES) {
    served = fixture;
    assertEquals(await outcomeOf(fetch, baseUrl), fixture.expected, fixture.name);
  }
  await server.shutdown();
});
