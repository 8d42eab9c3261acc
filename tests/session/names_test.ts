import { assertEquals, assertThrows } from "@std/assert";
import { checkName, conditionOf } from "../../lib/session/names.ts";
import { SessionError } from "../../lib/session/session_error.ts";

Deno.test("checkName() takes letters and digits of any script", () => {
  const names = ["a", "deploy-2026.11_29", "日志分析", "café", "हिन्दी", "x".repeat(64), "a..b"];
  for (const name of names) checkName(name);
});

Deno.test("checkName() says what is wrong with a name", () => {
  const said = ["", ".x", "-x", "a b", "a/b", "a\nb", "a\0", "x".repeat(65), "a.incomplete", "🙂"]
    .map((name) => assertThrows(() => checkName(name), SessionError).message);
  assertEquals(said, [
    '"" can\'t name a session: it is empty',
    '".x" can\'t name a session: it begins with "."',
    '"-x" can\'t name a session: it begins with "-"',
    ...["a b", "a/b", "a\nb", "a\0"].map((name) =>
      `"${name}" can't name a session: it has other characters than letters, digits, . _ -`
    ),
    `"${"x".repeat(65)}" can't name a session: it has 65 characters, and 64 are the most`,
    '"a.incomplete" can\'t name a session: it has an ending that rein gives to what it sets aside',
    '"🙂" can\'t name a session: it has other characters than letters, digits, . _ -',
  ]);
});

Deno.test("conditionOf() knows what was set aside by its name", () => {
  assertEquals(
    ["x", "x.incomplete", "x.incomplete-2", "x.damaged-2026-11-29", "x.damaged-2026-11-29-2"]
      .map(conditionOf),
    ["whole", "incomplete", "incomplete", "damaged", "damaged"],
  );
});
