import { assertEquals } from "@std/assert";
import { decisiveRules, denialOf } from "../../lib/calls/denial.ts";
import type { Decision, Evaluation, RuleMatch } from "../../lib/types.ts";
import { evaluationOf } from "../fakes.ts";

function match(rule: string, decision: Decision, suggest: string | null = null): RuleMatch {
  return {
    rule,
    decision,
    reason: `Because of ${rule}`,
    suggest,
    matched: `m-${rule}`,
    span: null,
  };
}

function evaluation(
  decision: Decision,
  ...parts: readonly (readonly RuleMatch[])[]
): Evaluation {
  return {
    decision,
    parts: parts.map((matches) => ({
      text: "part",
      span: null,
      decision: matches[0]?.decision ?? "ask",
      matches,
    })),
  };
}

const OTHERWISE =
  "Do not try the same in another way. Use reading commands, or tell the person what is needed.";

Deno.test("decisiveRules() gives the rules of the strictest decision only", () => {
  const strict = match("a", "deny");
  const other = match("b", "deny");
  const found = decisiveRules(
    evaluation("deny", [match("c", "allow")], [strict, match("d", "ask")], [other]),
  );
  assertEquals(found, [strict, other]);
});

Deno.test("denialOf() names rule, reason and piece of what the policy denies", () => {
  assertEquals(denialOf(evaluation("deny", [match("rm", "deny", "Name the files")]), null), {
    code: "denied_by_policy",
    message: 'The policy denies "part" (rule rm: Because of rm)',
    hint: "Name the files",
    retriable: false,
  });
});

Deno.test("denialOf() tells nobody there from a person who said no", () => {
  const asked = evaluationOf("ask", "git push");
  const nobody = { granted: false, by: "nobody", reason: "nobody is there" } as const;
  const person = { granted: false, by: "person", scope: "once", reason: null } as const;
  const rule = '"git push" (rule test.ask: The test says so)';
  assertEquals([denialOf(asked, nobody), denialOf(asked, person)], [
    {
      code: "approval_needed",
      message: `Needs a person's approval and nobody is there: ${rule}`,
      hint: OTHERWISE,
      retriable: false,
    },
    {
      code: "rejected",
      message: `A person said no (without giving a reason) to ${rule}`,
      hint: OTHERWISE,
      retriable: false,
    },
  ]);
});

Deno.test("denialOf() hands on a person's words, which go before what a rule suggests", () => {
  const asked = evaluation("ask", [match("rm", "ask", "Name the files")]);
  const denied = denialOf(asked, {
    granted: false,
    by: "person",
    scope: "once",
    reason: "not on a Friday",
  });
  assertEquals(denied, {
    code: "rejected",
    message:
      'A person said no (in these words: "not on a Friday") to "part" (rule rm: Because of rm)',
    hint: "Do what the person said. Do not try the same in another way.",
    retriable: false,
  });
});

Deno.test("denialOf() says each reason once and three at the most", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((rule) => match(rule, "deny", `Use ${rule}`));
  const parts = [a, a, b, c, d].map((rule) => rule ? [rule] : []);
  assertEquals(denialOf(evaluation("deny", ...parts), null), {
    code: "denied_by_policy",
    message: 'The policy denies "part" (rule a: Because of a); "part" (rule b: Because of b); ' +
      '"part" (rule c: Because of c)',
    hint: "Use a Use b",
    retriable: false,
  });
});

Deno.test("decisiveRules() names what no rule allows only where nothing else is said", () => {
  const match = (rule: string) => ({
    rule,
    decision: "ask" as const,
    reason: "r",
    suggest: null,
    matched: "rm",
    span: null,
  });
  const evaluationWith = (...rules: string[]) => ({
    decision: "ask" as const,
    parts: [{ text: "rm x", span: null, decision: "ask" as const, matches: rules.map(match) }],
  });
  const named = (...rules: string[]) => decisiveRules(evaluationWith(...rules)).map((m) => m.rule);
  assertEquals(named("ops.delete", "default.execute"), ["ops.delete"]);
  assertEquals(named("default.execute"), ["default.execute"]);
});
