/**
 * What `rein init` asks a person: the address, the key and where it is kept, the model.
 *
 * @module
 */

import { SETTINGS } from "../config/settings.ts";
import { findLocalServer, type FoundServer, listModels } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
import { english, type Say } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import type { Dialog } from "./dialog.ts";
import { UsageError } from "./failure.ts";
import type { ChosenSettings } from "./init_files.ts";
import { checkedKey } from "./load_settings.ts";

/** What the person answered. */
export interface InitAnswers extends ChosenSettings {
  /** The key to keep in a file; null: none. */
  readonly key: string | null;
  /** Whether a key is needed that the person sets in the environment. */
  readonly setsKey: boolean;
}

/** What asking needs. */
export interface InitPorts extends Pick<Ports, "fetch" | "clock" | "env"> {
  readonly dialog: Dialog;
  /** English if left out. */
  readonly say?: Say;
}

/** Stands for what is not in a list. */
const OTHER = "";

/** Models that are shown of a long list. */
const SHOWN_MODELS = 30;

/** The variable of the key. */
const KEY_VARIABLE = "OPENAI_API_KEY";

function addressFault(text: string, say: Say): string | null {
  const { kind } = SETTINGS.baseUrl;
  return kind.fromText(text) === undefined ? tell(`It takes ${kind.wanted}.`, say) : null;
}

function keyFault(text: string, say: Say): string | null {
  try {
    checkedKey(text);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return say("init.wrong_key");
  }
}

async function askAddress(
  found: FoundServer | null,
  { dialog, say = english }: InitPorts,
): Promise<string> {
  const here = found === null ? [] : [{
    value: found.baseUrl,
    name: say("init.found", { url: found.baseUrl, program: found.program }),
  }];
  const choices = [
    ...here,
    { value: OPENAI_BASE_URL, name: `${OPENAI_BASE_URL} (OpenAI)` },
    { value: OTHER, name: say("init.other_address") },
  ];
  const chosen = await dialog.answer({ message: say("init.which_server"), choices });
  if (chosen !== OTHER) return chosen;
  const message = say("init.address");
  return await dialog.answer({ message, faultOf: (text) => addressFault(text, say) });
}

/** The key as it was typed and whether it is to be kept. */
async function askKey(
  { dialog, env, say = english }: InitPorts,
): Promise<{ readonly typed: string | null; readonly kept: boolean }> {
  if (env.get(KEY_VARIABLE)) {
    await dialog.say(`${say("init.key_used", { variable: KEY_VARIABLE })}\n`);
    return { typed: env.get(KEY_VARIABLE) ?? null, kept: false };
  }
  const message = say("init.key");
  const faultOf = (text: string) => keyFault(text, say);
  const typed = await dialog.answer({ message, hidden: true, faultOf });
  if (typed === "") return { typed: null, kept: false };
  const where = await dialog.answer({
    message: say("init.where_key"),
    choices: [
      { value: "file", name: say("init.key_file") },
      { value: "environment", name: say("init.key_environment", { variable: KEY_VARIABLE }) },
    ],
  });
  return { typed, kept: where === "file" };
}

async function askModel(
  baseUrl: string,
  key: string | null,
  ports: InitPorts,
  signal: AbortSignal,
): Promise<string> {
  const { dialog, say = english } = ports;
  const listed = await listModels(baseUrl, key, ports, { signal });
  signal.throwIfAborted();
  const chatting = (listed ?? []).filter(({ chats }) => chats).map(({ id }) => id);
  if (chatting.length > 0) {
    const choices = chatting.slice(0, SHOWN_MODELS).map((name) => ({ value: name, name }));
    const other = { value: OTHER, name: say("init.other") };
    const message = say("init.which_model");
    const chosen = await dialog.answer({ message, choices: [...choices, other] });
    if (chosen !== OTHER) return chosen;
  } else await dialog.say(`${say("init.no_models", { url: baseUrl })}\n`);
  const faultOf = (text: string) => text === "" ? say("init.name_missing") : null;
  return await dialog.answer({ message: say("init.model_name"), faultOf });
}

/**
 * Asks a person at a terminal for what is not given.
 *
 * @throws As the dialog, or the signal's reason.
 */
export async function askInit(
  given: Partial<ChosenSettings>,
  ports: InitPorts,
  signal: AbortSignal,
): Promise<InitAnswers> {
  const found = await findLocalServer(ports, signal);
  signal.throwIfAborted();
  const baseUrl = given.baseUrl ?? await askAddress(found, ports);
  const local = baseUrl === found?.baseUrl;
  const { typed, kept } = local ? { typed: null, kept: false } : await askKey(ports);
  const model = given.model ?? await askModel(baseUrl, typed, ports, signal);
  const inEnvironment = Boolean(ports.env.get(KEY_VARIABLE));
  return {
    baseUrl,
    model,
    key: kept ? typed : null,
    setsKey: typed !== null && !kept && !inEnvironment,
  };
}
