import { assertEquals } from "@std/assert";
import { english, loadSay, sayFrom } from "../../lib/messages/messages.ts";
import en from "../../lib/messages/en.json" with { type: "json" };
import zh from "../../lib/messages/zh.json" with { type: "json" };

/** Without the forms that only English has. */
function idsOf(catalogue: object): string[] {
  return Object.keys(catalogue).filter((key) => !key.endsWith("_one")).toSorted();
}

function placeholdersOf(text: string | undefined): string[] {
  return [...new Set(text?.match(/\{\w+\}/g))].toSorted();
}

Deno.test("both catalogues have the same messages", () => {
  assertEquals(idsOf(zh), idsOf(en));
  assertEquals(Object.keys(zh).filter((key) => key.endsWith("_one")), []);
});

Deno.test("a message has the same placeholders in both catalogues", () => {
  const texts: { readonly [id: string]: string } = zh;
  const different = Object.entries(en).filter(([id, text]) => {
    const own = placeholdersOf(texts[id.replace(/_one$/, "")]);
    const known = own.filter((name) => !id.endsWith("_one") || name !== "{count}");
    const said = placeholdersOf(text).filter((name) => !id.endsWith("_one") || name !== "{count}");
    return known.join() !== said.join();
  });
  assertEquals(different, []);
});

Deno.test("both catalogues are in the order of their ids, so that lines are found", () => {
  assertEquals(Object.keys(en), Object.keys(en).toSorted());
  assertEquals(Object.keys(zh), Object.keys(zh).toSorted());
});

Deno.test("sayFrom() puts values in, and chooses the form by the count", () => {
  const say = sayFrom("en", {
    "a.calls": "{count} calls of {tool}",
    "a.calls_one": "1 call of {tool}",
    "a.braces": '"{" and {missing}',
  });
  const said = (id: string, values = {}) => say(id as never, values);
  assertEquals(
    [
      said("a.calls", { count: 2, tool: "{count}" }),
      said("a.calls", { count: 1, tool: "todo" }),
      said("a.braces"),
      said("a.calls", { count: 2, tool: { id: "a.braces", values: {} } }),
    ],
    ["2 calls of {count}", "1 call of todo", '"{" and {missing}', '2 calls of "{" and {missing}'],
  );
});

Deno.test("loadSay() gives each language its own", async () => {
  assertEquals(await loadSay("en"), english);
  assertEquals((await loadSay("zh")).language, "zh");
});
