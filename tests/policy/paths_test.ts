import { assertEquals } from "@std/assert";
import { ANY, STAR } from "../../lib/policy/marks.ts";
import {
  compilePathPatterns,
  matchesPatterns,
  normalizePath,
  pathForms,
} from "../../lib/policy/paths.ts";

const WORLD = { home: "/home/user", realPath: () => null };

Deno.test("normalizePath() clears what means nothing", () => {
  const cases = [
    ["/a//b/./c/../d", "/a/b/d"],
    ["/..", "/"],
    ["//", "/"],
    ["/proc/self/root/etc", "/etc"],
    ["/proc/1/root", "/"],
    ["/a/", "/a"],
  ] as const;
  for (const [path, expected] of cases) assertEquals(normalizePath(path), expected, path);
});

function matches(path: string, patterns: string[], kind: "read" | "destroy"): boolean {
  const access = { kind, recursive: kind === "destroy" };
  return matchesPatterns(
    pathForms(path, kind, WORLD),
    compilePathPatterns(patterns, WORLD.home),
    access,
  );
}

Deno.test("a path that is destroyed matches wherever it may be meant", () => {
  assertEquals(matches(`/${STAR}`, ["/"], "destroy"), true);
  assertEquals(matches(`/e${STAR}`, ["/etc"], "destroy"), true);
  assertEquals(matches(`/${ANY}`, ["/"], "destroy"), true);
  assertEquals(matches(ANY, ["/"], "destroy"), true);
  assertEquals(matches(`/tmp/${STAR}`, ["/", "/etc"], "destroy"), false);
  assertEquals(matches("/home/user/build", ["~", "/home/*"], "destroy"), false);
});

Deno.test("a path that is read matches where its own text says so", () => {
  const secrets = ["/etc/shadow", "**/.ssh/*", "!**/*.pub"];
  assertEquals(matches(`/etc/sh${STAR}`, secrets, "read"), true);
  assertEquals(matches(`/etc/${STAR}`, secrets, "read"), false);
  assertEquals(matches(`/home/user/.ssh/${STAR}`, secrets, "read"), true);
  assertEquals(matches("/home/user/.ssh/id.pub", secrets, "read"), false);
  assertEquals(matches(ANY, secrets, "read"), false);
});

Deno.test("links are followed before patterns are asked", () => {
  const world = {
    home: "/home/user",
    realPath: (path: string) => path === "/tmp/l" ? "/etc/shadow" : null,
  };
  const forms = pathForms("/tmp/l", "read", world);
  const patterns = compilePathPatterns(["/etc/shadow"], world.home);
  assertEquals(matchesPatterns(forms, patterns, { kind: "read", recursive: false }), true);
});
