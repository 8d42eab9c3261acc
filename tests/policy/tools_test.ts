import { assertEquals, assertThrows } from "@std/assert";
import { createJudge } from "../../lib/policy/evaluate.ts";
import {
  type BuiltInName,
  builtInSources,
  loadPolicy,
  type PolicySource,
  prepareYaml,
} from "../../lib/policy/load.ts";
import { PolicyError } from "../../lib/policy/types.ts";
import type { Decision, Subject } from "../../lib/types.ts";
import { WORLD } from "./judging.ts";

await prepareYaml();

type ToolSubject = Subject & { readonly kind: "tool" };

const READS: ToolSubject = { kind: "tool", tool: "files__read_file", effect: "read" };
const EXECUTES: ToolSubject = { kind: "tool", tool: "files__move_file", effect: "execute" };
const SENDS: ToolSubject = {
  ...{ kind: "tool", tool: "tickets__close", effect: "network", host: "mcp.example" },
};
const LOOKS: ToolSubject = { ...SENDS, tool: "tickets__show", effect: "read" };

/** A judge by a built-in policy and one of the user's. */
function judgeBy(name: BuiltInName, rules = "", layer: PolicySource["layer"] = "user") {
  const own = rules === "" ? [] : [{ name: "own", layer, text: `rules:\n${rules}` }];
  return createJudge(loadPolicy([...builtInSources(name), ...own]), WORLD);
}

function decisions(name: BuiltInName, rules?: string, layer?: PolicySource["layer"]): Decision[] {
  const judge = judgeBy(name, rules, layer);
  return [READS, EXECUTES, SENDS, LOOKS].map((subject) =>
    judge({ tool: subject.tool, effect: subject.effect, subjects: [subject] }).decision
  );
}

Deno.test("ops asks about a tool of others, and allows one that its owner says only reads", () => {
  assertEquals(decisions("ops"), ["allow", "ask", "ask", "allow"]);
});

Deno.test("read-only and locked deny every tool of others that may change something", () => {
  assertEquals(decisions("read-only"), ["allow", "deny", "deny", "allow"]);
  assertEquals(decisions("locked"), ["allow", "deny", "deny", "allow"]);
});

Deno.test("a rule of the user's allows tools by name, and one may deny them", () => {
  const allow = '  - {id: a, decision: allow, tools: ["files__*"], reason: r}';
  const deny = '  - {id: b, decision: deny, tools: ["*__read_file", tickets__close], reason: r}';
  assertEquals(decisions("ops", allow), ["allow", "allow", "ask", "allow"]);
  assertEquals(decisions("ops", deny), ["deny", "ask", "deny", "allow"]);
  assertEquals(decisions("ops", `${allow}\n${deny}`), ["deny", "allow", "deny", "allow"]);
});

Deno.test("a rule of the working directory denies tools, and allows none", () => {
  const allow = '  - {id: a, decision: allow, tools: ["*"], reason: r}';
  const deny = '  - {id: b, decision: deny, tools: ["*"], reason: r}';
  assertEquals(decisions("ops", allow, "project"), ["allow", "ask", "ask", "allow"]);
  assertEquals(decisions("ops", deny, "project"), ["deny", "deny", "deny", "deny"]);
});

Deno.test("a rule that asks about tools does not loosen what is denied by default", () => {
  const ask = '  - {id: a, decision: ask, tools: ["*"], reason: r}';
  assertEquals(decisions("read-only", ask), ["ask", "deny", "deny", "ask"]);
});

Deno.test("a rule that denies a host denies every tool that is sent there", () => {
  const deny = '  - {id: b, decision: deny, hosts: ["*.example"], reason: r}';
  const allow = '  - {id: a, decision: allow, hosts: ["*.example"], reason: r}';
  assertEquals(decisions("ops", deny), ["allow", "ask", "deny", "deny"]);
  assertEquals(decisions("ops", allow), ["allow", "ask", "ask", "allow"]);
});

Deno.test("a rule of tools with another condition allows nothing", () => {
  const rule = '  - {id: a, decision: allow, tools: ["*"], hosts: [mcp.example], reason: r}';
  assertEquals(decisions("ops", rule), ["allow", "ask", "ask", "allow"]);
});

Deno.test("a rule of tools denies rein's own by name, and allows none of their calls", () => {
  const rules = [
    "  - {id: a, decision: deny, tools: [calculate, run_shell], reason: r}",
    "  - {id: b, decision: allow, tools: [write_file], reason: r}",
  ].join("\n");
  const judge = judgeBy("ops", rules);
  const decide = (tool: string, subjects: readonly Subject[]) =>
    judge({ tool, effect: "read", subjects }).decision;
  assertEquals(
    [
      decide("calculate", []),
      decide("todo", []),
      decide("run_shell", [{ kind: "command", command: "ls" }]),
      decide("write_file", [{ kind: "path", access: "write", path: "a" }]),
    ],
    ["deny", "allow", "deny", "ask"],
  );
});

Deno.test("the examples of a rule of tools are names of tools", () => {
  const rule = (examples: string) =>
    `  - {id: a, decision: deny, tools: ["files__*"], reason: r, examples: ${examples}}`;
  judgeBy("ops", rule("{match: [files__x], not: [other__x]}"));
  for (const wrong of ["{match: [other__x]}", "{not: [files__x]}"]) {
    assertThrows(() => judgeBy("ops", rule(wrong)), PolicyError, "correct one of them");
  }
});
