import { assertEquals } from "@std/assert";
import { builtInSources, loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import { BUILT_IN, builtInContent } from "../../policies/build.ts";

await prepareYaml();

for (const [name, files] of Object.entries(BUILT_IN)) {
  for (const file of files) {
    Deno.test(`policies/${file} keeps to the schema and to its examples`, () => {
      const url = new URL(`../../policies/${file}`, import.meta.url);
      loadPolicy([{ name: file, layer: "system", text: Deno.readTextFileSync(url) }]);
    });
  }

  Deno.test(`policies/built_in/${name}.json says what its YAML says`, () => {
    const json = new URL(`../../policies/built_in/${name}.json`, import.meta.url);
    assertEquals(JSON.parse(Deno.readTextFileSync(json)), builtInContent(name));
  });
}

Deno.test("builtInSources() always has the baseline first", () => {
  for (const name of ["ops", "read-only", "locked"] as const) {
    assertEquals(builtInSources(name)[0]?.name, "built in: baseline");
  }
});
