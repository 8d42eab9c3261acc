/**
 * Putting a run together: what a question on the command line and a session at a prompt share.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { newRecord } from "../record.ts";
import { delegationOfRun, findAgents } from "./agents_of_run.ts";
import { chooseEmbedder } from "./embedder.ts";
import { createReadOnlyJudge } from "./judge.ts";
import type { RunDebug } from "./debug_of_run.ts";
import type { RunSettings } from "./load_settings.ts";
import { watchFetch } from "./prepare.ts";
import type { RunOptions } from "./run_options.ts";
import type { Ground } from "./run_setup.ts";
import type { StepWriter } from "./steps.ts";
import { Assembled, type AssembledRun } from "./assembled_run.ts";
import { telemetryOfRun } from "./telemetry_of_run.ts";
import { openKept } from "./kept_of_run.ts";
import { modelParts } from "./model_of_run.ts";
import { offerTools } from "./offer_of_run.ts";
import type { RunFace, RunWish } from "./run_wish.ts";

/** The debug file that the command line names; it is loaded only then. */
async function debugOf(
  { debug: path, policy }: RunOptions,
  face: { readonly secrets: readonly string[]; readonly steps: StepWriter },
  ports: Ports,
): Promise<RunDebug | null> {
  if (path === undefined) return null;
  const { openRunDebug } = await import("./debug_of_run.ts");
  return await openRunDebug({ path, policy, ...face }, ports);
}

/**
 * Puts runs together and opens their session.
 *
 * @throws {UsageError} If a setting is wrong.
 * @throws {SyntaxError} If a recording has a fault.
 * @throws {SessionError} If the session can't be used.
 * @throws {ModelError} If no model is set and none is found.
 * @throws The signal's reason, if it is aborted before.
 */
export async function assembleRun(
  ground: Ground,
  wish: RunWish,
  ports: Ports,
  face: RunFace,
): Promise<AssembledRun> {
  const { settings, apiKey } = ground.loaded;
  const { options, served } = wish;
  const agents = ground.agents ?? await findAgents(options, ports);
  const secrets = [
    ...ground.loaded.secrets,
    ...agents.tokens,
    ...ground.audit?.secrets ?? [],
  ];
  const { steps, signal } = face;
  const debug = await debugOf(options, { secrets, steps }, ports);
  const { fetch, response } = watchFetch(debug?.fetch ?? ports.fetch);
  let record = newRecord();
  const partsOf = (loaded: RunSettings) =>
    modelParts(loaded, { ...ports, fetch }, face, { past: () => record, rules: served?.rules });
  const chosen = await partsOf(ground.loaded);
  const kept = await openKept({ ...ground.loaded, secrets }, wish, ports, face);
  record = kept.record;
  const { model } = chosen;
  const embedder = () => chooseEmbedder({ ...settings, apiKey }, ports, { model, signal });
  const policy = ground.judge.settings.walls.recursive;
  const delegation = await delegationOfRun(agents, ports, { wish, policy, kept, face });
  const { window } = chosen.told;
  const only = served?.tools ?? null;
  const beside = { steps, embedder, delegation, window, signal, only };
  const offer = await offerTools(ground, kept, ports, beside);
  const readOnly = createReadOnlyJudge(ports);
  const telemetry = await telemetryOfRun(ports, { note: (text) => steps.note(text) });
  debug?.earlier(kept.session.events());
  const runs = new Assembled(
    { ground, kept, offer, readOnly, ports, wish, face, partsOf, debug, telemetry },
    chosen,
  );
  runs.prepare(response());
  return runs;
}
