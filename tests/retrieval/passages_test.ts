import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createDatabases } from "../../lib/real/databases.ts";
import { type Database, DatabaseError } from "../../lib/ports.ts";
import { type Embedder, EmbeddingError } from "../../lib/retrieval/embed.ts";
import { fuse, Passages } from "../../lib/retrieval/passages.ts";
import { NEVER } from "../fakes.ts";

/** A data base in memory that is closed after the test. */
async function inMemory(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await createDatabases(null).open(null);
  try {
    await work(database);
  } finally {
    database.close();
  }
}

/** Passages with these texts; the place is the text's number. */
function filled(database: Database, texts: readonly string[], embedder: Embedder | null = null) {
  const passages = new Passages(database, { embedder });
  passages.addPassages(texts.map((text, index) => ({ source: "s", place: `${index}`, text })));
  return {
    passages,
    /** Places of what is found; those that are only similar behind a `~`. */
    find: async (query: string, limit = 10) => {
      const { hits } = await passages.search(query, limit, NEVER);
      return hits.map(({ place, exact }) => exact ? place : `~${place}`);
    },
  };
}

Deno.test("search() gives what has every word, with its place, before what has some", () =>
  inMemory(async (database) => {
    const { passages } = filled(database, [
      "The pool has a timeout of 30 s",
      "Nothing of the kind",
      "A timeout of the payment gateway; see the pool",
    ]);
    assertEquals(await passages.search("PAYMENT timeout", 10, NEVER), {
      hits: [
        {
          source: "s",
          place: "2",
          excerpt: "A timeout of the payment gateway; see the pool",
          exact: true,
        },
        { source: "s", place: "0", excerpt: "The pool has a timeout of 30 s", exact: false },
      ],
      notes: [],
    });
  }));

Deno.test("search() finds Chinese words of one, two and more characters", () =>
  inMemory(async (database) => {
    const { find } = filled(database, ["生产数据库在北京机房", "每天凌晨三点备份到对象存储", "库"]);
    assertEquals(await find("数据库"), ["0"]);
    assertEquals(await find("机房"), ["0"]);
    assertEquals(await find("北京 机房"), ["0"]);
    assertEquals((await find("库")).toSorted(), ["0", "2"]);
    assertEquals(await find("机房？"), ["0"]);
    assertEquals(await find("凌晨备份"), ["~1"]);
    assertEquals(await find("数据库在哪个机房？"), ["~0"]);
    assertEquals(await find("天气"), []);
  }));

Deno.test("search() finds words shorter than three characters anywhere in a text, in any case", () =>
  inMemory(async (database) => {
    const { find } = filled(database, ["db1 is UP", "Go to the cluster", "x"]);
    assertEquals(await find("up"), ["0"]);
    assertEquals(await find("GO"), ["1"]);
    assertEquals(await find("X"), ["2"]);
    assertEquals(await find("db up"), ["0"]);
    assertEquals(await find("qz"), []);
  }));

Deno.test("search() looks at every row for a short word that begins too many terms", () =>
  inMemory(async (database) => {
    const texts = Array.from({ length: 600 }, (_, at) => `x${String.fromCharCode(0x4e00 + at)}y`);
    const { find } = filled(database, [...texts, "none"]);
    assertEquals(await find("x", 3), ["599", "598", "597"]);
    assertEquals(await find("x 一"), ["0"]);
  }));

Deno.test("search() takes a query for words, never for a pattern", () =>
  inMemory(async (database) => {
    const { find } = filled(database, ['say "NOT" OR * 100% a_b \\', "plain"]);
    for (const query of ["%", "_", '"NOT"', "100%", "a_b", "\\", "*", '"']) {
      assertEquals([query, await find(query)], [query, ["0"]]);
    }
    for (const query of ["text:plain", "NEAR(plain)", "AND", "('", "\u{d800}", "\0", " "]) {
      await find(query);
    }
  }));

Deno.test("search() finds a word with a mistake by its pieces, if nothing has a word of the query", () =>
  inMemory(async (database) => {
    const { find } = filled(database, ["the kubernetes cluster", "rollback of a release"]);
    assertEquals(await find("kubernetis"), ["~0"]);
    assertEquals(await find("rolback"), ["~1"]);
    assertEquals(await find("zebra"), []);
  }));

Deno.test("removeSource() takes all of a source out of every search", () =>
  inMemory(async (database) => {
    const { passages, find } = filled(database, ["alpha", "beta"]);
    passages.addPassages([{ source: "t", place: "t1", text: "alpha" }]);
    assertEquals(passages.sources(), ["s", "t"]);
    assertEquals(passages.removeSource("s"), 2);
    assertEquals([await find("alpha"), await find("beta"), await find("be")], [["t1"], [], []]);
    assertEquals(passages.removeSource("s"), 0);
  }));

Deno.test("passages of a newer rein are left alone", () =>
  inMemory((database) => {
    filled(database, ["alpha"]);
    database.run("UPDATE retrieval_version SET version = 99");
    assertThrows(() => filled(database, []), DatabaseError, "written by a newer rein");
    return Promise.resolve();
  }));

Deno.test("passages stay beside other tables and their version", () =>
  inMemory(async (database) => {
    database.exec("CREATE TABLE event (seq INTEGER PRIMARY KEY); PRAGMA user_version = 7");
    filled(database, ["alpha"]);
    const { find } = filled(database, ["beta"]);
    assertEquals(await find("alpha"), ["0"]);
    assertEquals(database.all("PRAGMA user_version"), [{ user_version: 7 }]);
  }));

Deno.test("fuse() puts first what stands high in several rankings", () => {
  assertEquals(fuse([[1, 2, 3], [4, 3, 5]]), [3, 1, 4, 2, 5]);
  assertEquals(fuse([[3, 1, 2], []]), [3, 1, 2]);
});

/** Knows three things, by their words. */
function fakeEmbedder(model = "m"): Embedder & { readonly asked: string[] } {
  const meanings = [/car|automobile/, /dog|hound/, /money|cash/];
  const asked: string[] = [];
  return {
    model,
    asked,
    embed: (texts) => {
      asked.push(...texts.map((text) => text.trim()));
      return Promise.resolve(
        texts.map((text) => Float32Array.from(meanings, (meaning) => meaning.test(text) ? 1 : 0.1)),
      );
    },
  };
}

Deno.test("search() finds by meaning what has none of the words, and asks once for each passage", () =>
  inMemory(async (database) => {
    const embedder = fakeEmbedder();
    const { find } = filled(database, ["a hound barks", "an automobile stops"], embedder);
    assertEquals((await find("car"))[0], "~1");
    assertEquals((await find("dog"))[0], "~0");
    assertEquals(embedder.asked, ["car", "an automobile stops", "a hound barks", "dog"]);
  }));

Deno.test("search() asks again for the vectors of another model, and forgets those of what is gone", () =>
  inMemory(async (database) => {
    const { passages } = filled(database, ["a hound barks"], fakeEmbedder("old"));
    await passages.search("dog", 5, NEVER);
    const embedder = fakeEmbedder("new");
    await new Passages(database, { embedder }).search("cash", 5, NEVER);
    assertEquals(embedder.asked, ["cash", "a hound barks"]);
    passages.removeSource("s");
    assertEquals(database.all("SELECT * FROM passage_vector"), []);
  }));

Deno.test("search() embeds a bounded number of passages, and says how many are left", () =>
  inMemory(async (database) => {
    const texts = Array.from({ length: 300 }, (_, index) => `a dog ${index}`);
    const { passages } = filled(database, texts, fakeEmbedder());
    const { notes } = await passages.search("dog", 1, NEVER);
    assertEquals(notes, ["172 passages can be found by words only, so far."]);
    assertEquals(await passages.embed(1000, NEVER), []);
  }));

Deno.test("search() goes on by words alone where the embedder fails, and says so", () =>
  inMemory(async (database) => {
    const embed = () => Promise.reject(new EmbeddingError("http://x gave none: it answered 500"));
    const { passages } = filled(database, ["alpha"], { model: "m", embed });
    assertEquals(await passages.search("alpha", 5, NEVER), {
      hits: [{ source: "s", place: "0", excerpt: "alpha", exact: true }],
      notes: ["By words alone: http://x gave none: it answered 500."],
    });
  }));

Deno.test("search() ends with the signal's reason while an embedder hangs", () =>
  inMemory(async (database) => {
    const controller = new AbortController();
    const embed = (_: readonly string[], signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new EmbeddingError("gone")));
      });
    const { passages } = filled(database, ["alpha"], { model: "m", embed });
    const searching = passages.search("alpha", 5, controller.signal);
    controller.abort(new RangeError("Enough"));
    await assertRejects(() => searching, RangeError, "Enough");
  }));
