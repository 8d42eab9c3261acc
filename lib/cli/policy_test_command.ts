/**
 * `rein policy test`: every example of every rule, and files of expectations.
 *
 * @module
 */
import { english, type Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
import { exampleFault } from "../policy/examples.ts";
import type { Decision, Judge } from "../types.ts";
import { widthOf } from "./marked_text.ts";
import { type CommonOptions, EXIT, type PolicyPorts } from "./policy_options.ts";
import { judgeHere, loadInForce } from "./policy_in_force.ts";

/** One line of a file of expectations. */
interface Expectation {
  readonly command: string;
  readonly expect: Decision;
}

/** What came of one file, or of all examples. */
export interface TestResult {
  readonly name: string;
  readonly total: number;
  /** One line for each difference. */
  readonly differences: readonly string[];
}

/** The name of what all examples come to. */
const EXAMPLES = "examples";

/** Runs examples and expectations, prints a table; returns the exit code. */
export async function testPolicy(
  files: readonly string[],
  options: CommonOptions,
  ports: PolicyPorts,
): Promise<number> {
  const policy = await loadInForce(options, ports);
  const judge = judgeHere(policy, options, ports);
  const examples = policy.rules.map(({ examples }) => examples.match.length + examples.not.length);
  const results: TestResult[] = [{
    name: EXAMPLES,
    total: examples.reduce((sum, count) => sum + count, 0),
    differences: policy.rules.map(exampleFault).filter((fault) => fault !== null),
  }];
  for (const file of files) {
    results.push(testFile(file, await ports.files.readText(file), judge));
  }
  const text = options.output === "json"
    ? `${JSON.stringify(results)}\n`
    : renderResults(results, ports.say);
  await ports.terminal.out(text);
  return results.some(({ differences }) => differences.length > 0) ? EXIT.difference : EXIT.allow;
}

/** Holds a policy to a file of JSON lines with `command` and `expect`. */
export function testFile(name: string, text: string, judge: Judge): TestResult {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const differences = lines.flatMap((line, index) => {
    const wanted = parseExpectation(line);
    if (wanted === null) return [`${name}:${index + 1}: Expected "command" and "expect"`];
    const subjects = [{ kind: "command", command: wanted.command }] as const;
    const { decision } = judge({ tool: "run_shell", effect: "execute", subjects });
    return decision === wanted.expect
      ? []
      : [`${name}:${index + 1}: ${decision} instead of ${wanted.expect}: ${wanted.command}`];
  });
  return { name, total: lines.length, differences };
}

function parseExpectation(line: string): Expectation | null {
  try {
    const { command, expect } = JSON.parse(line) as Partial<Expectation>;
    const known = expect === "allow" || expect === "ask" || expect === "deny";
    return typeof command === "string" && known ? { command, expect } : null;
  } catch {
    return null;
  }
}

/** Results as a table, with the differences under it. */
export function renderResults(results: readonly TestResult[], say: Say = english): string {
  const nameOf = ({ name }: TestResult) => name === EXAMPLES ? say("policy.examples") : name;
  const width = Math.max(...results.map((result) => widthOf(nameOf(result))), 4);
  const right = (text: string, columns: number) =>
    " ".repeat(Math.max(0, columns - widthOf(text))) + text;
  const row = (name: string, total: string, differences: string) =>
    `${name}${" ".repeat(width - widthOf(name))}  ${right(total, 6)}  ${right(differences, 11)}`;
  const rows = results.map((result) =>
    row(nameOf(result), String(result.total), String(result.differences.length))
  );
  const head = row("", say("policy.head_total"), say("policy.head_differences"));
  const differences = results.flatMap((result) => result.differences)
    .map((difference) => recognise(difference, say));
  return [head, ...rows, ...differences, ""].join("\n");
}
