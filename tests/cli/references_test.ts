import { assertEquals } from "@std/assert";
import { findReferences } from "../../lib/cli/references.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const files = new MemoryFiles({
  "app.log": "",
  "conf/app.yaml": "",
  "two words.txt": "",
  "odd.": "",
  "/home/me/notes.md": "",
});
const env = fakeEnvironment({ HOME: "/home/me" });

function found(...words: string[]) {
  return findReferences(words, { files, env });
}

Deno.test("findReferences() finds words that begin with @ and name what is there, each once", async () => {
  assertEquals(await found("Compare @app.log", "with @conf/app.yaml and @app.log"), {
    question: "Compare @app.log with @conf/app.yaml and @app.log",
    paths: ["app.log", "conf/app.yaml"],
    missing: [],
  });
});

Deno.test("findReferences() leaves out what follows a path in a sentence, unless it is part of it", async () => {
  const words = ["@app.log,", "(@app.log)", "@app.log?!", "看看 @app.log，再说", "@odd."];
  const paths = await Promise.all(words.map(async (word) => (await found(word)).paths));
  assertEquals(paths, [["app.log"], [], ["app.log"], [], ["odd."]]);
});

Deno.test("findReferences() takes an argument with blanks that is one path, and a path below the home", async () => {
  assertEquals((await found("sum up", "@two words.txt")).paths, ["two words.txt"]);
  assertEquals((await found("sum up @~/notes.md")).paths, ["/home/me/notes.md"]);
  assertEquals((await found("@app.log is odd")).paths, ["app.log"]);
});

Deno.test("findReferences() takes addresses, a lone @ and what is escaped for words", async () => {
  assertEquals(await found("Ask me@app.log or user@example.org @ noon, @@ \\@app.log \\@me"), {
    question: "Ask me@app.log or user@example.org @ noon, @@ @app.log @me",
    paths: [],
    missing: [],
  });
});

Deno.test("findReferences() tells words that name nothing, and leaves them where they are", async () => {
  assertEquals(await found("Tell @alice of @gone.log."), {
    question: "Tell @alice of @gone.log.",
    paths: [],
    missing: ["@alice", "@gone.log."],
  });
});
