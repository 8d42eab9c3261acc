/**
 * Measures the built-in policy over files of JSON lines with `command`, `expect`
 * and `kind`, and prints a table for each class of commands:
 * `deno run -A tests/policy/measure.ts [--misses] [--by-kind] FILE.jsonl…`
 *
 * @module
 */
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy } from "../../lib/policy/load.ts";
import type { Decision, Evaluation } from "../../lib/types.ts";

interface Expectation {
  readonly command: string;
  readonly expect: Decision;
  readonly kind: string;
}

interface Judged extends Expectation {
  readonly decision: Decision;
  readonly evaluation: Evaluation;
}

const judge = createJudge(loadPolicy(builtInSources()), {
  cwd: "/home/user/work",
  home: "/home/user",
  realPath: () => null,
});

function readExpectations(file: string): Expectation[] {
  return Deno.readTextFileSync(file).split("\n").filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Expectation);
}

function judgeOne(expectation: Expectation): Judged {
  const { command } = expectation;
  const subjects = [{ kind: "command", command }] as const;
  const evaluation = judge({ tool: "run_shell", effect: "execute", subjects });
  return { ...expectation, decision: evaluation.decision, evaluation };
}

/** Whether the decision is at least as good as what was expected. */
function isRight({ expect, decision }: Judged): boolean {
  if (expect === "allow") return decision === "allow";
  return expect === "deny" ? decision === "deny" : decision !== "allow";
}

function printTable(title: string, groups: ReadonlyMap<string, readonly Judged[]>): void {
  console.log(
    `\n${title.padEnd(30)}${"n".padStart(7)}${"right".padStart(9)}${"allow".padStart(7)}` +
      `${"ask".padStart(7)}${"deny".padStart(7)}`,
  );
  for (const [name, list] of groups) {
    const count = (decision: Decision) => list.filter((one) => one.decision === decision).length;
    const right = (100 * list.filter(isRight).length / list.length).toFixed(1);
    console.log(
      `${name.padEnd(30)}${String(list.length).padStart(7)}${`${right}%`.padStart(9)}` +
        `${String(count("allow")).padStart(7)}${String(count("ask")).padStart(7)}` +
        String(count("deny")).padStart(7),
    );
  }
}

function grouped(list: readonly Judged[], key: (one: Judged) => string): Map<string, Judged[]> {
  return Map.groupBy(list, key);
}

function describe({ command, expect, decision, evaluation, kind }: Judged): string {
  const match = evaluation.parts.find((part) => part.decision === decision)?.matches[0];
  return `${expect} → ${decision} [${kind}] ${
    JSON.stringify(command)
  }  (${match?.rule}: ${match?.matched})`;
}

if (import.meta.main) {
  const files = Deno.args.filter((arg) => !arg.startsWith("--"));
  const judged = files.flatMap(readExpectations).map(judgeOne);
  const dangerous = judged.filter(({ expect }) => expect !== "allow");
  const caught = dangerous.filter(({ decision }) => decision !== "allow").length;
  printTable("expected", grouped(judged, ({ expect }) => expect));
  if (Deno.args.includes("--by-kind")) {
    printTable("kind", grouped(judged, ({ expect, kind }) => `${expect} ${kind}`));
  }
  if (dangerous.length > 0) {
    console.log(`\ndangerous caught: ${(100 * caught / dangerous.length).toFixed(2)}%`);
  }
  if (Deno.args.includes("--misses")) {
    for (const one of judged.filter((one) => !isRight(one))) console.log(describe(one));
  }
}
