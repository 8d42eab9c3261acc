/**
 * The policy of a run: read where someone wrote one, loaded where it is first
 * needed otherwise.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import type { Evaluation, Judge, JudgeRequest } from "../types.ts";
import { readNamedFile } from "./failure.ts";

/** A judge that loads itself. */
export interface LazyJudge {
  judge(request: JudgeRequest): Promise<Evaluation>;
  /** Loads the policy now and judges once, so that the first call need not wait for it. */
  prepare(): Promise<void>;
}

/** The first command that is parsed takes 3 ms longer than those after it. */
const WARM_UP: JudgeRequest = {
  tool: "run_shell",
  effect: "execute",
  subjects: [{ kind: "command", command: "true" }],
};

async function load(files: readonly string[], ports: Ports): Promise<Judge> {
  const [{ builtInSources, loadPolicy, prepareYaml }, { createJudge }] = await Promise.all([
    import("../policy/load.ts"),
    import("../policy/evaluate.ts"),
  ]);
  const own = await Promise.all(files.map(async (name) => ({
    name,
    layer: "command-line" as const,
    text: await readNamedFile(ports.files, "policy file", name),
  })));
  if (own.length > 0) await prepareYaml();
  return createJudge(loadPolicy([...builtInSources(), ...own]), {
    cwd: ports.files.cwd(),
    home: ports.env.get("HOME") ?? null,
    realPath: (path) => ports.files.realPathSync(path),
  });
}

/**
 * Builds the judge of a run.
 *
 * @param files Policy files of the command line; with any, all is loaded at once.
 * @throws {SyntaxError} If a policy file has a fault, with line and column.
 * @throws {UsageError} If a policy file can't be read.
 */
export async function createLazyJudge(files: readonly string[], ports: Ports): Promise<LazyJudge> {
  let loading: Promise<Judge> | undefined;
  const loaded = () => loading ??= load(files, ports);
  if (files.length > 0) await loaded();
  return {
    judge: async (request) => (await loaded())(request),
    prepare: async () => void (await loaded())(WARM_UP),
  };
}
