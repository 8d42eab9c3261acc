/**
 * Which model to ask: from flags, environment, an `--env-file`, or a server
 * that is found on this machine.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { findLocalServer, listModels } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
import type { Embedder } from "../retrieval/embed.ts";
import { type Model, ModelError } from "../types.ts";
import { readNamedFile, UsageError } from "./failure.ts";

/** What the command line says of the model. */
export interface ModelOptions {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly temperature: number;
  readonly envFile?: string;
}

/** A model, and how it was chosen if rein chose it. */
export interface ChosenModel {
  readonly model: Model;
  /** For people; null if they said it all themselves. */
  readonly note: string | null;
}

const RECORDED = "recorded:";

type Lookup = (name: string) => string | undefined;

/** The file that someone named goes before what the shell happens to hold. */
async function lookupOf(envFile: string | undefined, ports: Ports): Promise<Lookup> {
  const fromShell: Lookup = (name) => ports.env.get(name) || undefined;
  if (envFile === undefined) return fromShell;
  const text = await readNamedFile(ports.files, "environment file", envFile);
  const { parseEnvFile } = await import("./env_file.ts");
  const fromFile = parseEnvFile(text);
  return (name) => fromFile[name] || fromShell(name);
}

async function recordedModel(file: string, ports: Ports): Promise<Model> {
  const { createRecordedModel } = await import("../model/recorded.ts");
  return createRecordedModel(await readNamedFile(ports.files, "recording", file), file);
}

async function serverModel(
  settings: { baseUrl: string; apiKey: string | null; model: string; temperature: number },
  ports: Ports,
): Promise<Model> {
  const { createServerModel } = await import("../model/openai.ts");
  return createServerModel(settings, ports.fetch);
}

function checkedUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const hint = "Give an address such as http://127.0.0.1:11434/v1.";
    throw new UsageError(`The base URL "${baseUrl}" is not an http address`, hint);
  }
  return baseUrl;
}

function checkedKey(apiKey: string | undefined): string | null {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey ?? null;
  const hint = "Set it again; blanks, quotation marks or line ends may have come along.";
  throw new UsageError("OPENAI_API_KEY holds characters that no key can have", hint);
}

const NO_MODEL_HINT = 'Set one in one of three ways: "--base-url URL --model NAME"; ' +
  "OPENAI_API_KEY, OPENAI_BASE_URL and REIN_MODEL in the environment or an --env-file; " +
  "or start ollama, llama.cpp, LM Studio or vLLM on this machine.";

async function localModel(
  wanted: string | undefined,
  temperature: number,
  ports: Ports,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const server = await findLocalServer(ports, signal);
  signal.throwIfAborted();
  if (server === null) {
    const message = "No model is set, and no server was found at the usual ports of this machine";
    throw new ModelError("no_model", message, { hint: NO_MODEL_HINT });
  }
  const { baseUrl, program } = server;
  const model = wanted ?? server.model;
  return {
    model: await serverModel({ baseUrl, apiKey: null, model, temperature }, ports),
    note: `found a server at the port of ${program}: ${baseUrl}, model ${model}`,
  };
}

async function firstListed(
  baseUrl: string,
  apiKey: string | null,
  ports: Ports,
  signal: AbortSignal,
): Promise<string> {
  const listed = baseUrl === OPENAI_BASE_URL
    ? null
    : (await listModels(baseUrl, apiKey, ports, { signal }))?.[0];
  signal.throwIfAborted();
  if (listed) return listed;
  const message = `No model is named, and ${baseUrl} lists none that could be taken`;
  const hint = "Name one with --model NAME or REIN_MODEL, and check that the server is there.";
  throw new ModelError("no_model", message, { hint });
}

/**
 * The values of a run's settings that nobody may see: the key, and a password in an address.
 *
 * @throws {UsageError} If a file that they name can't be read.
 */
export async function secretSettings(options: ModelOptions, ports: Ports): Promise<string[]> {
  const lookup = await lookupOf(options.envFile, ports);
  const address = options.baseUrl ?? lookup("OPENAI_BASE_URL");
  const password = address === undefined ? undefined : URL.parse(address)?.password;
  return [lookup("OPENAI_API_KEY"), password].filter((value) => value !== undefined);
}

/**
 * Chooses the model of a run.
 *
 * @throws {ModelError} If none is set and none is found.
 * @throws {UsageError} If a setting is wrong or a file that it names can't be read.
 * @throws {RecordingError} If the recording has a fault.
 * @throws The signal's reason, once it is aborted.
 */
export async function chooseModel(
  options: ModelOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const lookup = await lookupOf(options.envFile, ports);
  const { temperature } = options;
  const wanted = options.model ?? lookup("REIN_MODEL");
  if (wanted?.startsWith(RECORDED)) {
    return { model: await recordedModel(wanted.slice(RECORDED.length), ports), note: null };
  }
  const apiKey = checkedKey(lookup("OPENAI_API_KEY")?.trim() || undefined);
  const given = options.baseUrl ?? lookup("OPENAI_BASE_URL");
  if (given === undefined && apiKey === null) {
    return await localModel(wanted, temperature, ports, signal);
  }
  const baseUrl = checkedUrl(given ?? OPENAI_BASE_URL);
  const model = wanted ?? await firstListed(baseUrl, apiKey, ports, signal);
  return {
    model: await serverModel({ baseUrl, apiKey, model, temperature }, ports),
    note: wanted === undefined ? `${baseUrl} lists ${model} first; it is used` : null,
  };
}

/**
 * What turns texts into vectors: REIN_EMBEDDING_MODEL, at the address and with the key of the
 * model.
 *
 * @param model The model of the run; null where there is none, and a server is looked for.
 * @returns Null if no such model is set, or there is no server for it.
 * @throws {UsageError} If a setting is wrong or a file that it names can't be read.
 */
export async function chooseEmbedder(
  options: Pick<ModelOptions, "baseUrl" | "envFile">,
  ports: Ports,
  { model, signal }: { readonly model: Model | null; readonly signal: AbortSignal },
): Promise<Embedder | null> {
  const lookup = await lookupOf(options.envFile, ports);
  const name = lookup("REIN_EMBEDDING_MODEL");
  if (name === undefined) return null;
  const apiKey = checkedKey(lookup("OPENAI_API_KEY")?.trim() || undefined);
  const given = options.baseUrl ?? lookup("OPENAI_BASE_URL") ??
    (apiKey === null ? undefined : OPENAI_BASE_URL);
  const asked = model === null || model.recorded ? undefined : model.source;
  const baseUrl = given ?? asked ?? (await findLocalServer(ports, signal))?.baseUrl;
  if (baseUrl === undefined) return null;
  const { createEmbedder } = await import("../retrieval/embed.ts");
  return createEmbedder({ baseUrl: checkedUrl(baseUrl), apiKey, model: name }, ports);
}
