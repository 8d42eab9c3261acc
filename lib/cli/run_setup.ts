/**
 * What runs of the same options share, and what each stands on.
 *
 * @module
 */

import { MAIN_SIDE } from "../../tools/registry.ts";
import type { AnswerForm } from "../answer/form.ts";
import { type Audit, openAudit } from "../audit/open_audit.ts";
import { recognise } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { type AgentsOfRun, findAgents } from "./agents_of_run.ts";
import { loadAnswerForm } from "./answer_schema.ts";
import { checkApproved } from "./approved_rules.ts";
import { createLazyJudge, type LazyJudge } from "./judge.ts";
import { printable } from "./printable.ts";
import { loadSettings, type RunSettings } from "./load_settings.ts";
import type { RunOptions } from "./run_options.ts";

/** What runs of the same options share; whatever is wrong with it ends all of them. */
export interface RunSetup {
  readonly loaded: RunSettings;
  readonly judge: LazyJudge;
  /** What the answer must fit; null: any text. */
  readonly answerForm: AnswerForm | null;
  /** The business agents; left out: each run looks for them itself. */
  readonly agents?: AgentsOfRun;
  /** Where runs are audited; null: nowhere. To be ended by whoever set it up. */
  readonly audit: Audit | null;
}

/**
 * Loads what runs of these options share.
 *
 * @throws {UsageError} If a setting, the answer's schema or the id of an approved rule is wrong.
 * @throws {SyntaxError} If a policy file, the configuration or a file of agents has a fault.
 * @throws {AuditError} If the policy requires an audit log and there can be none.
 */
export async function setUpRuns(options: RunOptions, ports: Ports): Promise<RunSetup> {
  const loaded = await loadSettings(options, ports);
  const judge = await createLazyJudge(options.policy, ports);
  const { schema, approve = [], policy } = options;
  await checkApproved(approve, policy, ports);
  const answerForm = schema === undefined ? null : await loadAnswerForm(schema, ports.files);
  const warn = (text: string) =>
    void ports.terminal.err(printable(`rein: ${recognise(text, ports.say)}\n`));
  const audit = await openAudit(judge.settings.audit, ports, warn);
  return { loaded, judge, answerForm, audit, agents: await findAgents(options, ports) };
}

/** What runs stand on, whatever is asked. */
export interface Ground extends RunSetup {
  readonly sandbox: Sandbox;
}

/**
 * Puts up the walls.
 *
 * @throws {SandboxError} If those that the policy asks for can't be had.
 */
export async function layGround(
  setup: RunSetup,
  ports: Ports,
  signal: AbortSignal,
): Promise<Ground> {
  const { files } = ports;
  const { walls, limits } = setup.judge.settings;
  const sandbox = createSandbox(walls, ports, {
    cwd: files.cwd(),
    realPath: (path) => files.realPathSync(path),
    mainSide: MAIN_SIDE,
    limits,
  });
  await sandbox.check(signal);
  return { ...setup, sandbox };
}
