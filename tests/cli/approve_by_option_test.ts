import { assertEquals } from "@std/assert";
import type { Approver } from "../../lib/calls/pipeline.ts";
import { approveByOption, type ApprovedRules } from "../../lib/cli/approve_by_option.ts";
import type { Decision, EvaluatedPart, Evaluation } from "../../lib/types.ts";
import { NEVER } from "../fakes.ts";

const NOBODY = { granted: false, by: "nobody", reason: "nobody is there" } as const;
const nobody: Approver = () => Promise.resolve(NOBODY);
const GRANTED = { granted: true, by: "option", scope: "once" } as const;

type Rule = readonly [rule: string, decision: Decision];

function part(decision: Decision, ...rules: readonly Rule[]): EvaluatedPart {
  const matches = rules.map(([rule, decision]) => ({
    rule,
    decision,
    reason: "",
    suggest: null,
    matched: "",
    span: null,
  }));
  return { text: "x", span: null, decision, matches };
}

async function answer(evaluation: Evaluation, approved: Partial<ApprovedRules>) {
  const approve = approveByOption(nobody, { rules: [], all: false, ...approved });
  return await approve({
    tool: "t",
    arguments: {},
    brief: "x",
    subjects: [],
    preview: null,
    evaluation,
  }, NEVER);
}

const TWO: Evaluation = {
  decision: "ask",
  parts: [
    part("allow", ["reading.ls", "allow"]),
    part("ask", ["ops.delete", "ask"], ["default.execute", "ask"]),
    part("ask", ["ops.git-change", "ask"], ["reading.git", "allow"]),
  ],
};

Deno.test("approveByOption() grants what asks once all rules that make it ask are named", async () => {
  const ways = [
    ["ops.delete", "ops.git-change"],
    ["ops.delete"],
    ["ops.git-change", "reading.ls"],
    [],
  ];
  assertEquals(await Promise.all(ways.map((rules) => answer(TWO, { rules }))), [
    GRANTED,
    NOBODY,
    NOBODY,
    NOBODY,
  ]);
});

Deno.test("approveByOption() takes the default for a rule where no other one asks", async () => {
  const plain: Evaluation = { decision: "ask", parts: [part("ask", ["default.execute", "ask"])] };
  assertEquals([
    await answer(plain, { rules: ["default.execute"] }),
    await answer(plain, { rules: ["ops.delete"] }),
    await answer(plain, { all: true }),
  ], [GRANTED, NOBODY, GRANTED]);
});

Deno.test("approveByOption() grants neither what is denied nor what no rule asks", async () => {
  const denied: Evaluation = {
    decision: "deny",
    parts: [...TWO.parts, part("deny", ["baseline.rm-root", "deny"])],
  };
  const empty: Evaluation = { decision: "ask", parts: [] };
  const rules = ["ops.delete", "ops.git-change", "baseline.rm-root"];
  assertEquals([
    await answer(denied, { all: true, rules }),
    await answer(empty, { all: true, rules }),
  ], [NOBODY, NOBODY]);
});

Deno.test("approveByOption() makes an interrupted call again only where that rule is named", async () => {
  const again: Evaluation = {
    decision: "ask",
    parts: [part("ask", ["rein.interrupted", "ask"]), ...TWO.parts],
  };
  assertEquals([
    await answer(again, { all: true }),
    await answer(again, { all: true, rules: ["rein.interrupted"] }),
  ], [NOBODY, GRANTED]);
});
