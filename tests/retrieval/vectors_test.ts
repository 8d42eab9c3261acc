import { assertEquals, assertRejects } from "@std/assert";
import type { Database } from "../../lib/ports.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { type Embedder, EmbeddingError } from "../../lib/retrieval/embed.ts";
import { Passages } from "../../lib/retrieval/passages.ts";
import { countMissing, embedMissing, nearest } from "../../lib/retrieval/vectors.ts";
import { NEVER } from "../fakes.ts";

/** A data base in memory with this many passages. */
async function withPassages(count: number, work: (database: Database) => Promise<void>) {
  const database = await createDatabases(null).open(null);
  try {
    const passages = Array.from({ length: count }, (_, index) => ({
      source: "s",
      place: `${index + 1}`,
      text: `${index + 1}`,
    }));
    new Passages(database, { embedder: null }).addPassages(passages);
    await work(database);
  } finally {
    database.close();
  }
}

/** Vectors of some passages by this function of their number. */
function embedderOf(model: string, vector: (number: number) => readonly number[]): Embedder {
  const embed = (texts: readonly string[]) =>
    Promise.resolve(texts.map((text) => Float32Array.from(vector(Number(text)))));
  return { model, embed };
}

const all = { limit: 10_000, signal: NEVER };

Deno.test("nearest() compares only vectors of the same model and length, over many pages", () =>
  withPassages(2500, async (database) => {
    const turned = (number: number) => [Math.cos(number / 2500), Math.sin(number / 2500)];
    await embedMissing(database, embedderOf("m", turned), all);
    const vector = Float32Array.of(1, 0);
    assertEquals(nearest(database, { model: "m", vector, limit: 3 }), [1, 2, 3]);
    await embedMissing(database, embedderOf("other", turned), { ...all, limit: 2499 });
    assertEquals(nearest(database, { model: "m", vector, limit: 3 }), [1]);
    const longer = Float32Array.of(1, 0, 0);
    assertEquals(nearest(database, { model: "other", vector: longer, limit: 3 }), []);
  }));

Deno.test("embedMissing() keeps what it got before a server failed", () =>
  withPassages(150, async (database) => {
    let asked = 0;
    const working = embedderOf("m", () => [1]);
    const embed: Embedder["embed"] = (texts, signal) =>
      ++asked === 2 ? Promise.reject(new EmbeddingError("It fell")) : working.embed(texts, signal);
    await assertRejects(() => embedMissing(database, { model: "m", embed }, all), EmbeddingError);
    assertEquals(countMissing(database, "m"), 150 - 64);
    assertEquals(await embedMissing(database, { model: "m", embed }, all), 0);
    assertEquals(asked, 4);
  }));

Deno.test("embedMissing() gives no vector to a passage that took the place of another", () =>
  withPassages(1, async (database) => {
    const embed = () => {
      database.run("DELETE FROM passage");
      database.run("INSERT INTO passage VALUES (1, 's', 'p', 'another')");
      return Promise.resolve([Float32Array.of(1)]);
    };
    assertEquals(await embedMissing(database, { model: "m", embed }, all), 1);
  }));
