/**
 * What `rein init` asks a person: the address, the key and where it is kept, the model.
 *
 * @module
 */

import { SETTINGS } from "../config/settings.ts";
import { findLocalServer, type FoundServer, listModels } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
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
}

/** Stands for what is not in a list. */
const OTHER = "";

/** Models that are shown of a long list. */
const SHOWN_MODELS = 30;

/** The variable of the key. */
const KEY_VARIABLE = "OPENAI_API_KEY";

function addressFault(text: string): string | null {
  const { kind } = SETTINGS.baseUrl;
  return kind.fromText(text) === undefined ? `It takes ${kind.wanted}.` : null;
}

function keyFault(text: string): string | null {
  try {
    checkedKey(text);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return "It holds characters that no key can have.";
  }
}

async function askAddress(
  found: FoundServer | null,
  { dialog }: InitPorts,
): Promise<string> {
  const here = found === null ? [] : [{
    value: found.baseUrl,
    name: `${found.baseUrl} (at the port of ${found.program}, found now)`,
  }];
  const choices = [
    ...here,
    { value: OPENAI_BASE_URL, name: `${OPENAI_BASE_URL} (OpenAI)` },
    { value: OTHER, name: "another address" },
  ];
  const chosen = await dialog.answer({ message: "Which model server?", choices });
  if (chosen !== OTHER) return chosen;
  const message = "Its address, usually ending in /v1:";
  return await dialog.answer({ message, faultOf: addressFault });
}

/** The key as it was typed and whether it is to be kept. */
async function askKey(
  { dialog, env }: InitPorts,
): Promise<{ readonly typed: string | null; readonly kept: boolean }> {
  if (env.get(KEY_VARIABLE)) {
    await dialog.say(`The key in ${KEY_VARIABLE} is used; it is written nowhere.\n`);
    return { typed: env.get(KEY_VARIABLE) ?? null, kept: false };
  }
  const message = "Its key, which is not shown (Enter alone: it takes none):";
  const typed = await dialog.answer({ message, hidden: true, faultOf: keyFault });
  if (typed === "") return { typed: null, kept: false };
  const where = await dialog.answer({
    message: "Where is the key kept?",
    choices: [
      { value: "file", name: "~/.config/rein/env, which only you can read (0600)" },
      { value: "environment", name: `nowhere: I set ${KEY_VARIABLE} in the environment` },
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
  const { dialog } = ports;
  const listed = await listModels(baseUrl, key, ports, { signal });
  signal.throwIfAborted();
  const chatting = (listed ?? []).filter(({ chats }) => chats).map(({ id }) => id);
  if (chatting.length > 0) {
    const choices = chatting.slice(0, SHOWN_MODELS).map((name) => ({ value: name, name }));
    const other = { value: OTHER, name: "another" };
    const message = "Which model?";
    const chosen = await dialog.answer({ message, choices: [...choices, other] });
    if (chosen !== OTHER) return chosen;
  } else await dialog.say(`${baseUrl} lists no models now.\n`);
  const faultOf = (text: string) => text === "" ? "It takes a name." : null;
  return await dialog.answer({ message: "The model's name:", faultOf });
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
