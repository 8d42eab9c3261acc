import { assertEquals } from "@std/assert";
import en from "../../lib/messages/en.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

function sourcesBelow(directory: string): string[] {
  return [...Deno.readDirSync(new URL(directory, ROOT))].flatMap((entry) => {
    if (entry.isDirectory) return sourcesBelow(`${directory}${entry.name}/`);
    if (!entry.name.endsWith(".ts")) return [];
    return [Deno.readTextFileSync(new URL(`${directory}${entry.name}`, ROOT))];
  });
}

const sources = ["lib/", "tools/"].flatMap(sourcesBelow).join("\n");

const ids = Object.keys(en).filter((key) => !key.endsWith("_one"));

/** Sentences that are put together from parts, or are commander's; other tests run them. */
const MADE_OTHERWISE: readonly RegExp[] = [
  /^sentence\.(commander|n)\./,
  /^sentence\.call\.(denied|error|timeout|cancelled|unavailable|judged_parts?)$/,
  /^sentence\.config\.(file_no_map|number_from|number_from_to|variable)$/,
  /^sentence\.(doctor\.time_once|grant\.programs_inside|file\.may_not_write|policy\.(instead|root|unreadable))$/,
  /^sentence\.model\.late_\w+_hint$/,
  /^sentence\.audit\.(one|some)_(before|at_end)$/,
  /^sentence\.(schema|task)\./,
];

Deno.test("every message is said somewhere", () => {
  const own = ids.filter((id) => !id.startsWith("sentence."));
  assertEquals(own.filter((id) => !sources.includes(`"${id}"`)), []);
});

Deno.test("every message that is said is there", () => {
  const said = [...sources.matchAll(/\b(?:say|message|english|#words|#say)\(\s*"([\w.]+)"/g)]
    .map(([, id]) => id ?? "");
  assertEquals(said.filter((id) => !ids.includes(id)), []);
});

/** The source as its texts read: without what joins lines and marks quotation. */
const read = sources.replace(/["'`] \+\s+["'`]/g, "").replace(/\\(["'`])/g, "$1");

// Whoever changes a sentence outside the face meets this, and changes its line in both catalogues.
Deno.test("every sentence that people are told in their language is made somewhere", () => {
  const lost = Object.entries(en)
    .filter(([id]) => id.startsWith("sentence.") && !MADE_OTHERWISE.some((made) => made.test(id)))
    .filter(([, text]) => {
      const parts = text.split(/\{\w+\}|[(),.:;"]/).map((part) => part.trim());
      return !parts.every((part) => read.includes(part));
    });
  assertEquals(lost, []);
});
