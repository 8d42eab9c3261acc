/**
 * Finds out whether a server and its model can do rein's job: one check after another.
 *
 * @module
 */

import { closest } from "../../calls/closest.ts";
import { shownAddress } from "../../config/kinds.ts";
import { contextWindowOf } from "../../context/windows.ts";
import { findLocalServer, listServed } from "../../model/discover.ts";
import { OPENAI_BASE_URL } from "../../model/openai_address.ts";
import type { ServedModel } from "../../model/served_model.ts";
import type { Ports } from "../../ports.ts";
import { ModelError } from "../../types.ts";
import type { RunSettings } from "../load_settings.ts";
import { chooseModel } from "../settings.ts";
import { converse, type Surroundings } from "./converse.ts";
import { type Examination, EXAMINATIONS, type Fault } from "./examine.ts";

/** How one check went. */
export interface Check {
  readonly check: string;
  /** `skipped`: it can't be told, or an earlier one makes it pointless. */
  readonly status: "passed" | "failed" | "skipped";
  /** What is wrong, or what is known beside it. */
  readonly message: string | null;
  /** What to do; null unless it failed. */
  readonly hint: string | null;
  readonly ms: number;
}

/** What was found out. */
export interface Diagnosis {
  readonly baseUrl: string | null;
  readonly model: string | null;
  /** How calls were made in the end; null where nobody got that far. */
  readonly toolProtocol: "native" | "text" | null;
  /** What rein had to do in another way, since the server refused. */
  readonly adapted: readonly { readonly what: string; readonly why: string }[];
  readonly checks: readonly Check[];
}

/** Told of every check as soon as it is there. */
type Tell = (check: Check) => Promise<void>;

/** Where the server is, and what it said when it was asked for its models. */
interface Found {
  readonly baseUrl: string;
  /** Null where it gives no list. */
  readonly served: readonly ServedModel[] | null;
  readonly error: ModelError | null;
}

/** Finds the server and asks for its list; a server that refuses is there all the same. */
async function findServer(
  { settings, apiKey }: RunSettings,
  ports: Ports,
  signal: AbortSignal,
): Promise<Found | null> {
  const isSet = settings.baseUrl !== null || apiKey !== null;
  const local = isSet ? null : await findLocalServer(ports, signal);
  signal.throwIfAborted();
  if (!isSet && local === null) return null;
  const baseUrl = local?.baseUrl ?? settings.baseUrl ?? OPENAI_BASE_URL;
  try {
    const served = await listServed(baseUrl, apiKey, ports, { signal });
    return { baseUrl, served, error: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { baseUrl, served: null, error };
  }
}

/** Notes checks, with the time that each takes. */
class Notes {
  readonly checks: Check[] = [];
  readonly #clock: Ports["clock"];
  readonly #tell: Tell;
  #sinceMs: number;

  constructor(clock: Ports["clock"], tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
    this.#sinceMs = clock.now();
  }

  /** Whether a check has failed so far. */
  get failed(): boolean {
    return this.checks.some(({ status }) => status === "failed");
  }

  async #note(check: Omit<Check, "ms">): Promise<void> {
    const now = this.#clock.now();
    const noted = { ...check, ms: Math.round(now - this.#sinceMs) };
    this.#sinceMs = now;
    this.checks.push(noted);
    await this.#tell(noted);
  }

  /** Notes what was found of one check; null: nothing is wrong. */
  async add(check: string, fault: Fault | null, message: string | null = null): Promise<void> {
    if (fault === null) return await this.#note({ check, status: "passed", message, hint: null });
    await this.#note({ check, status: "failed", message: fault.message, hint: fault.hint });
  }

  async skip(check: string, message: string): Promise<void> {
    await this.#note({ check, status: "skipped", message, hint: null });
  }
}

function faultOf(error: Pick<ModelError, "message" | "hint">): Fault {
  return { message: error.message, hint: error.hint };
}

const NO_SERVER: Fault = {
  message: "no server is set, and none was found at the usual ports of this machine",
  hint: "Set one with --base-url or OPENAI_BASE_URL, or start one.",
};

async function checkServer(found: Found | null, notes: Notes): Promise<void> {
  if (found === null) return await notes.add("address", NO_SERVER);
  const { error, baseUrl } = found;
  if (error?.code === "unreachable") return await notes.add("address", faultOf(error));
  await notes.add("address", null, shownAddress(baseUrl));
  if (error?.code === "unauthorized") return await notes.add("key", faultOf(error));
  if (error === null) return await notes.add("key", null);
  await notes.skip("key", "the server gives no list; the first answer tells");
}

/** The model that is examined; null where there is none. */
async function checkModel(
  wanted: string | null,
  served: readonly ServedModel[] | null,
  notes: Notes,
): Promise<string | null> {
  if (served === null) {
    if (wanted !== null) await notes.skip("model", "the server gives no list of models");
    else await notes.add("model", { message: "no model is named", hint: "Name one with --model." });
    return wanted;
  }
  const ids = served.map(({ id }) => id);
  const model = wanted ?? served.find(({ chats }) => chats)?.id ?? null;
  // ollama lists what is asked for as `qwen3` under its whole name.
  if (model !== null && (ids.includes(model) || ids.includes(`${model}:latest`))) {
    await notes.add("model", null, model);
    return model;
  }
  const near = [...new Set([...closest(model ?? "", ids), ...ids])].slice(0, 3).join(", ");
  const hint = near === "" ? "Load one there first." : `It lists, among others: ${near}.`;
  const message = model === null ? "the server lists no model" : `the server has no "${model}"`;
  await notes.add("model", { message, hint });
  return null;
}

/** Lets the model do one task and judges what came of it. */
async function examine(
  { name, task, tools, fault }: Examination,
  surroundings: Surroundings & { readonly signal: AbortSignal },
  notes: Notes,
): Promise<Diagnosis["adapted"]> {
  const conversation = await converse(task, tools, surroundings);
  const { error, firstMs, turns } = conversation;
  const count = turns.length === 1 ? "1 turn" : `${turns.length} turns`;
  const time = `first sign after ${Math.round(firstMs ?? 0)} ms, ${count}`;
  await notes.add(name, error === null ? fault(conversation) : faultOf(error), time);
  return conversation.adapted.map(({ what, why }) => ({ what, why }));
}

/**
 * Examines a server and its model.
 *
 * @param tell Told of each check when it is done.
 * @throws The signal's reason, once it is aborted.
 */
export async function diagnose(
  loaded: RunSettings,
  ports: Ports,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: Tell },
): Promise<Diagnosis> {
  const notes = new Notes(ports.clock, tell);
  const found = await findServer(loaded, ports, signal);
  await checkServer(found, notes);
  const failed = { baseUrl: found?.baseUrl ?? null, toolProtocol: null, adapted: [] };
  const { checks } = notes;
  if (found === null || notes.failed) return { ...failed, model: loaded.settings.model, checks };
  const { baseUrl, served } = found;
  const name = await checkModel(loaded.settings.model, served, notes);
  if (name === null) return { ...failed, model: loaded.settings.model, checks };
  const { settings, apiKey } = loaded;
  const { model } = await chooseModel({ ...settings, apiKey, model: name, baseUrl }, ports, signal);
  const known = served?.find(({ id }) => id === name)?.window ?? contextWindowOf(name);
  const window = settings.contextWindow ?? known;
  const adapted: { what: string; why: string }[] = [];
  for (const examination of EXAMINATIONS) {
    adapted.push(...await examine(examination, { model, ports, window, signal }, notes));
    // Without an answer there is nothing more to be found out.
    if (examination === EXAMINATIONS[0] && notes.failed) break;
  }
  const asked = checks.length > 4;
  return {
    baseUrl,
    model: name,
    toolProtocol: asked ? model.toolProtocol ?? "native" : null,
    adapted,
    checks,
  };
}
