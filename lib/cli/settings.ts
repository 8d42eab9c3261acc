/**
 * Which model to ask: the one that the settings name, or a server that is found on this machine.
 *
 * @module
 */

import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { capabilitiesOf } from "../model/capabilities.ts";
import { findLocalServer, listModels } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
import type { ServerSettings } from "../model/openai.ts";
import { mayUseProxy, reach } from "../model/reach.ts";
import type { ServedModel } from "../model/served_model.ts";
import type { Timeouts } from "../model/watch.ts";
import { type Model, ModelError, type ModelPast } from "../types.ts";
import { readNamedFile } from "./failure.ts";
import type { RunSettings } from "./load_settings.ts";

/** A model, and how it was chosen if rein chose it. */
export interface ChosenModel {
  readonly model: Model;
  /** For people; null if they said it all themselves. */
  readonly note: string | null;
  /** Tokens that it takes at once, where its server was asked for a list anyway and says so. */
  readonly window: number | null;
}

const RECORDED = "recorded:";

async function recordedModel(file: string, ports: Ports, past?: () => ModelPast): Promise<Model> {
  const { createRecordedModel } = await import("../model/recorded.ts");
  return createRecordedModel(
    await readNamedFile(ports.files, message("file.recording"), file),
    file,
    past,
  );
}

async function serverModel(
  place: Pick<ServerSettings, "baseUrl" | "apiKey" | "model">,
  settings: ModelSettings,
  ports: Ports,
): Promise<Model> {
  const { createServerModel } = await import("../model/openai.ts");
  const { fetch, clock, random, network, env } = ports;
  const connect = (signal: AbortSignal) => reach(place.baseUrl, network, signal);
  const modelPorts = { fetch, clock, random, connect: mayUseProxy(env) ? null : connect };
  const { temperature, toolProtocol, capabilityTable, past } = settings;
  const capabilities = capabilitiesOf(place.baseUrl, place.model, capabilityTable);
  const timeouts = timeoutsOf(settings);
  const asked = { ...place, temperature, timeouts, capabilities, toolProtocol };
  return createServerModel(asked, modelPorts, past);
}

/** The settings of time, as the model takes them. */
function timeoutsOf(settings: ModelSettings): Timeouts {
  return {
    connectMs: settings.connectTimeoutMs,
    firstByteMs: settings.firstByteTimeoutMs,
    idleMs: settings.idleTimeoutMs,
    totalMs: settings.totalTimeoutMs,
  };
}

const NO_MODEL_HINT = 'Set one in one of three ways: "--base-url URL --model NAME"; ' +
  "OPENAI_API_KEY, OPENAI_BASE_URL and REIN_MODEL in the environment or an --env-file; " +
  "or start ollama, llama.cpp, LM Studio or vLLM on this machine.";

async function localModel(
  settings: ModelSettings,
  ports: Ports,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { model: wanted } = settings;
  const server = await findLocalServer(ports, signal);
  signal.throwIfAborted();
  if (server === null) {
    const message = "No model is set, and no server was found at the usual ports of this machine";
    throw new ModelError("no_model", message, { hint: NO_MODEL_HINT });
  }
  const { baseUrl, program } = server;
  const model = wanted ?? server.model;
  return {
    model: await serverModel({ baseUrl, apiKey: null, model }, settings, ports),
    note: `found a server at the port of ${program}: ${baseUrl}, model ${model}`,
    window: server.served.find(({ id }) => id === model)?.window ?? null,
  };
}

async function firstListed(
  baseUrl: string,
  apiKey: string | null,
  ports: Ports,
  signal: AbortSignal,
): Promise<ServedModel> {
  const listed = baseUrl === OPENAI_BASE_URL
    ? null
    : (await listModels(baseUrl, apiKey, ports, { signal }))?.[0];
  signal.throwIfAborted();
  if (listed) return listed;
  const message = `No model is named, and ${baseUrl} lists none that could be taken`;
  const hint = "Name one with --model NAME or REIN_MODEL, and check that the server is there.";
  throw new ModelError("no_model", message, { hint });
}

/** What the choice of a model depends on. */
export interface ModelSettings extends
  Pick<RunSettings, "apiKey">,
  Pick<
    RunSettings["settings"],
    | "model"
    | "baseUrl"
    | "temperature"
    | "toolProtocol"
    | "capabilityTable"
    | "connectTimeoutMs"
    | "firstByteTimeoutMs"
    | "idleTimeoutMs"
    | "totalTimeoutMs"
  > {
  /** What the session has had of its model before; nothing if left out. */
  readonly past?: () => ModelPast;
}

/**
 * Chooses the model of a run.
 *
 * @throws {ModelError} If none is set and none is found.
 * @throws {UsageError} If a recording can't be read.
 * @throws {RecordingError} If the recording has a fault.
 * @throws The signal's reason, once it is aborted.
 */
export async function chooseModel(
  settings: ModelSettings,
  ports: Ports,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { model: wanted, baseUrl: given, apiKey, past } = settings;
  if (wanted?.startsWith(RECORDED)) {
    return {
      model: await recordedModel(wanted.slice(RECORDED.length), ports, past),
      note: null,
      window: null,
    };
  }
  if (given === null && apiKey === null) return await localModel(settings, ports, signal);
  const baseUrl = given ?? OPENAI_BASE_URL;
  const listed = wanted === null ? await firstListed(baseUrl, apiKey, ports, signal) : null;
  const model = wanted ?? listed?.id ?? "";
  return {
    model: await serverModel({ baseUrl, apiKey, model }, settings, ports),
    note: listed === null ? null : `${baseUrl} lists ${model} first; it is used`,
    window: listed?.window ?? null,
  };
}
