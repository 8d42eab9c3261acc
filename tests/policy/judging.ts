/**
 * A judge for tests: the built-in policy on a machine that has no links.
 *
 * @module
 */
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy } from "../../lib/policy/load.ts";
import type { Decision, Evaluation } from "../../lib/types.ts";

/** The machine of the tests. */
export const WORLD = { cwd: "/home/user/work", home: "/home/user", realPath: () => null };

const judge = createJudge(loadPolicy(builtInSources()), WORLD);

/** Judges a command by the default policy. */
export function evaluate(command: string): Evaluation {
  return judge({ tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] });
}

/** The decision on a command by the default policy. */
export function decide(command: string): Decision {
  return evaluate(command).decision;
}
