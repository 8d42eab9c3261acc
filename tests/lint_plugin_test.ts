import { assertEquals } from "@std/assert";
import plugin from "./lint_plugin.ts";

function idsOf(filename: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, filename, source).map(({ id }) => id);
}

Deno.test("ports-only reports the outside world inside lib and tools", () => {
  for (
    const use of ["Deno.cwd();", "console.log(1);", "fetch('x');", "Date.now();", "new Date();"]
  ) {
    assertEquals(idsOf("/r/lib/loop.ts", use), ["rein/ports-only"]);
    assertEquals(idsOf("/r/tools/run_shell.ts", use), ["rein/ports-only"]);
  }
});

Deno.test("ports-only lets lib/real, main.ts and tests be", () => {
  for (const file of ["/r/lib/real/files.ts", "/r/main.ts", "/r/tests/lib/x_test.ts"]) {
    assertEquals(idsOf(file, "Deno.cwd();"), []);
  }
});

Deno.test("documented-exports asks for a docstring before an export", () => {
  assertEquals(idsOf("/r/lib/a.ts", "export const a = 1;"), ["rein/documented-exports"]);
  assertEquals(idsOf("/r/lib/a.ts", "/** What it is. */\nexport const a = 1;"), []);
});
