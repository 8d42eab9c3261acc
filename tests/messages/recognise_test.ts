import { assertEquals } from "@std/assert";
import { english, loadSay } from "../../lib/messages/messages.ts";
import { recognise } from "../../lib/messages/recognise.ts";

const chinese = await loadSay("zh");

Deno.test("recognise() says a known sentence in the language of people", () => {
  const sentence = english("sentence.failure.defect_hint");
  assertEquals(recognise(sentence, chinese), chinese("sentence.failure.defect_hint"));
  assertEquals(
    recognise(`/a b.yaml:1:2: ${sentence}`, chinese).startsWith("/a b.yaml:1:2: 这"),
    true,
  );
});

Deno.test("recognise() leaves what it does not know, and English, as they are", () => {
  const texts = ["", "Something else.", english("sentence.failure.defect_hint")];
  assertEquals(texts.map((text) => recognise(text, english)), texts);
  assertEquals(texts.slice(0, 2).map((text) => recognise(text, chinese)), texts.slice(0, 2));
});
