import { assertEquals, assertRejects } from "@std/assert";
import { createEmbedder, EmbeddingError } from "../../lib/retrieval/embed.ts";
import { FakeClock, NEVER, settle } from "../fakes.ts";

interface Asked {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

type Answer = (asked: Asked) => Response | Promise<Response>;

/** A server on loopback that answers embeddings in this way. */
async function withServer(
  answer: Answer,
  work: (baseUrl: string, asked: readonly Asked[]) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (got) => {
    const path = new URL(got.url).pathname;
    const authorization = got.headers.get("authorization");
    const one = { path, authorization, body: await got.json() };
    asked.push(one);
    return await answer(one);
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}/v1`, asked);
  } finally {
    await server.shutdown();
  }
}

const embedderAt = (baseUrl: string, clock = new FakeClock()) =>
  createEmbedder({ baseUrl, apiKey: "key-0123456789", model: "m" }, { fetch, clock });

const entry = (index: number, embedding: unknown) => ({ object: "embedding", index, embedding });

/** Each text's length and 1, the last first. */
const lengths: Answer = ({ body }) =>
  Response.json({
    data: body.input.map(({ length }, index) => entry(index, [length, 0])).toReversed(),
  });

Deno.test("embed() asks in batches of 64 and gives vectors of length 1 in the texts' order", () =>
  withServer(lengths, async (baseUrl, asked) => {
    const texts = Array.from({ length: 70 }, (_, index) => "x".repeat(index));
    const vectors = await embedderAt(`${baseUrl}/`).embed(texts, NEVER);
    assertEquals(vectors.length, 70);
    assertEquals(vectors[69], Float32Array.of(1, 0));
    assertEquals(
      asked.map(({ path, authorization, body }) => [
        path,
        authorization,
        body.model,
        body.input.length,
        body.input[0],
      ]),
      [
        ["/v1/embeddings", "Bearer key-0123456789", "m", 64, "-"],
        ["/v1/embeddings", "Bearer key-0123456789", "m", 6, "x".repeat(64)],
      ],
    );
  }));

const WRONG: Readonly<Record<string, readonly [Answer, string]>> = {
  "an error": [() => new Response("key-0123456789", { status: 500 }), "it answered 500"],
  "a page": [() => new Response("<html>"), "its answer is not JSON"],
  "something else": [() => Response.json([]), "it answered something else than vectors"],
  "too few": [() => Response.json({ data: [] }), "it answered something else than vectors"],
  "one twice": [
    () => Response.json({ data: [entry(0, [1]), entry(0, [1])] }),
    "it answered something else than vectors",
  ],
  "no numbers": [
    () => Response.json({ data: [entry(0, [1, null]), entry(1, [1, 1])] }),
    "it answered something else than vectors",
  ],
  "no number at all": [
    () => new Response('{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}'),
    "its answer is not JSON",
  ],
  "numbers without end": [
    () => new Response('{"data": [{"embedding": [1e999]}, {"embedding": [1]}]}'),
    "it answered something else than vectors",
  ],
  "no direction": [
    () => Response.json({ data: [entry(0, [0]), entry(1, [1])] }),
    "it answered something else than vectors",
  ],
  "two lengths": [
    () => Response.json({ data: [entry(0, [1]), entry(1, [1, 1])] }),
    "it answered something else than vectors",
  ],
  "a redirect": [
    (asked) =>
      asked.path === "/elsewhere"
        ? lengths(asked)
        : new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
    "it can't be reached",
  ],
};

for (const [what, [answer, reason]] of Object.entries(WRONG)) {
  Deno.test(`embed() rejects where a server answers ${what}`, () =>
    withServer(answer, async (baseUrl) => {
      const message = `${baseUrl} gave no embeddings of m: ${reason}`;
      const error = await assertRejects(
        () => embedderAt(baseUrl).embed(["a", "b"], NEVER),
        EmbeddingError,
      );
      assertEquals(error.message, message);
    }));
}

Deno.test("embed() gives up a server that does not answer, by the clock", () => {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  return withServer(async () => {
    arrived.resolve();
    await gate.promise;
    return new Response();
  }, async (baseUrl) => {
    const clock = new FakeClock();
    const embedding = embedderAt(baseUrl, clock).embed(["a"], NEVER);
    const message = `${baseUrl} gave no embeddings of m: it did not answer within 10 s`;
    const rejected = assertRejects(() => embedding, EmbeddingError, message);
    await arrived.promise;
    await clock.advance(10_000);
    await rejected;
    gate.resolve();
  });
});

Deno.test("embed() ends with the signal's reason", () => {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  return withServer(async () => {
    arrived.resolve();
    await gate.promise;
    return new Response();
  }, async (baseUrl) => {
    const controller = new AbortController();
    const embedding = embedderAt(baseUrl).embed(["a"], controller.signal);
    const rejected = assertRejects(() => embedding, RangeError, "Enough");
    await arrived.promise;
    controller.abort(new RangeError("Enough"));
    await rejected;
    gate.resolve();
    await settle();
  });
});
