import { assertEquals } from "@std/assert";
import { scanSed } from "../../../lib/policy/analyze/sed.ts";

const NOTHING = { reads: [], writes: [], runs: [], understood: true };

Deno.test("scanSed() finds nothing in scripts that only edit their stream", () => {
  const scripts = [
    "s/a|b/c/p",
    "1,5d",
    "/x/,/y/{//!p}",
    ":a;N;$!ba;s/\\n/ /g",
    "y/abc/xyz/",
    "s|/usr|/opt|g;s#a#b#I",
    "2i\\\nhello",
    "$!N;P;D",
    "s/[/]/x/",
    "s/w/e/; s/e/w/",
    "# w file\np",
    "10q",
  ];
  for (const script of scripts) assertEquals(scanSed(script), NOTHING, script);
});

Deno.test("scanSed() finds files and commands, whatever stands before them", () => {
  assertEquals(scanSed("s/a/b/w out").writes, ["out"]);
  assertEquals(scanSed("/x/w out\np").writes, ["out"]);
  assertEquals(scanSed("$r in").reads, ["in"]);
  assertEquals(scanSed("1e touch x").runs, ["touch x"]);
  assertEquals(scanSed("s/.*/touch x/e").runs, ["", "touch x"]);
  assertEquals(scanSed("s/a/b/gpw out").writes, ["out"]);
});

Deno.test("scanSed() doesn't claim to understand what it doesn't know", () => {
  for (const script of ["k", "s/a/b", "s/a/b/z"]) {
    assertEquals(scanSed(script).understood, false, script);
  }
});
