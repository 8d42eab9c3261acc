import { assertEquals } from "@std/assert";
import { scanAwk } from "../../../lib/policy/analyze/awk.ts";
import { ANY } from "../../../lib/policy/marks.ts";

Deno.test("scanAwk() finds nothing in programs that only print", () => {
  const programs = [
    "NR>=300 && NR<=430",
    "{print $1, $NF}",
    "$3 > 100 {n++} END {print n}",
    "{print (a > b)}",
    "/rm -rf \\/|>x/ {print}",
    "{a = b / c / d; print a}",
    'BEGIN {printf "%s | %s > x\\n", 1, 2}',
    "# system(x)\n{print}",
    "a || b {print}",
  ];
  for (const program of programs) {
    const { reads, writes, runs, understood } = scanAwk(program);
    assertEquals([reads, writes, runs, understood], [[], [], [], true], program);
  }
});

Deno.test("scanAwk() finds commands and files", () => {
  assertEquals(scanAwk('BEGIN{system("touch x")}').runs, ["touch x"]);
  assertEquals(scanAwk('BEGIN{c="touch x"; system(c)}').runs, ["touch x"]);
  assertEquals(scanAwk('{print | "sort -u"}').runs, ["sort -u"]);
  assertEquals(scanAwk('{"date" | getline d}').runs, ["date"]);
  assertEquals(scanAwk("{system($1)}").runs, [ANY]);
  assertEquals(scanAwk('{"x " $1 | getline}').runs, [ANY]);
  assertEquals(scanAwk('{print $1 > "out"}').writes, ["out"]);
  assertEquals(scanAwk("{print > $1}").writes, [ANY]);
  assertEquals(scanAwk('{getline l < "in"}').reads, ["in"]);
});

Deno.test("scanAwk() doesn't claim to understand what it can't read", () => {
  for (const program of ["{print `x`}", '@load "x"', '{print "a'.concat("\n")]) {
    assertEquals(scanAwk(program).understood, false, program);
  }
});
