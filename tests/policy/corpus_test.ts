import { assert } from "@std/assert";
import type { Decision } from "../../lib/types.ts";
import { decide } from "./judging.ts";

interface Expectation {
  readonly command: string;
  readonly expect: Decision;
}

function read(name: string): Expectation[] {
  const text = Deno.readTextFileSync(new URL(`corpus/${name}`, import.meta.url));
  return text.trim().split("\n").map((line) => JSON.parse(line) as Expectation);
}

Deno.test("nothing of the dangerous corpus is allowed, and catastrophes are denied", () => {
  for (const { command, expect } of read("dangerous.jsonl")) {
    const decision = decide(command);
    const right = expect === "deny" ? decision === "deny" : decision !== "allow";
    assert(right, `${JSON.stringify(command)} is ${decision} instead of ${expect}`);
  }
});

Deno.test("nothing of the reading corpus is stopped", () => {
  for (const { command } of read("reading.jsonl")) {
    assert(decide(command) === "allow", `${JSON.stringify(command)} is ${decide(command)}`);
  }
});
