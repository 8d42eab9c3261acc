/**
 * Agent cards: what an A2A agent says of itself, and what rein says of itself as one. Pure.
 *
 * @module
 */

import { AgentCard, type AgentInterface, type AgentSkill } from "@a2a-js/sdk";
import type { JsonObject } from "../types.ts";
import { DELEGATION_EXTENSION } from "./a2a_mapping.ts";
import { jsonObjectIn, objectOf } from "./a2a_parts.ts";
import { type AgentReport, type Intent, TASK_PROTOCOL } from "./types.ts";

/** Where the card is on a host, by the A2A specification, section 8.2. */
export const CARD_PATH = "/.well-known/agent-card.json";

/** The versions of A2A that rein speaks, as client and as server; the better first. */
export const A2A_VERSIONS: readonly string[] = ["1.0", "0.3"];

/** The ways of speaking A2A that rein knows as a client. */
const BINDINGS: readonly string[] = ["JSONRPC", "HTTP+JSON"];

const MODES = ["application/json", "text/plain"];

/**
 * Where the card of an agent may be.
 *
 * @param address Of the card, if it ends in `.json`; else of the agent, of which it is looked for
 *   below that address first, and then at the root of its host.
 */
export function cardPlaces(address: URL): readonly URL[] {
  if (address.pathname.endsWith(".json")) return [address];
  const below = new URL(address);
  below.pathname = address.pathname.replace(/\/*$/, CARD_PATH);
  const root = new URL(CARD_PATH, address);
  return below.href === root.href ? [root] : [below, root];
}

/**
 * Reads a card of version 1.0.
 *
 * @param raw Parsed JSON.
 * @returns Null where it is no card.
 */
export function parseCard(raw: unknown): AgentCard | null {
  const fields = objectOf(raw);
  if (typeof fields?.name !== "string" || !Array.isArray(fields.supportedInterfaces)) return null;
  try {
    return AgentCard.fromJSON(fields);
  } catch {
    return null;
  }
}

/**
 * The ways to an agent that may be gone: their addresses absolute, their hosts allowed.
 *
 * @param place Where the card was found.
 * @param origins Those that the agent may be at.
 */
export function usableInterfaces(
  card: AgentCard,
  place: URL,
  origins: ReadonlySet<string>,
): readonly AgentInterface[] {
  return card.supportedInterfaces.flatMap((one) => {
    if (!BINDINGS.includes(one.protocolBinding.toUpperCase())) return [];
    if (!URL.canParse(one.url, place)) return [];
    const url = new URL(one.url, place);
    return origins.has(url.origin) ? [{ ...one, url: url.href }] : [];
  });
}

function extensionParams(card: AgentCard): JsonObject | null {
  const extensions = card.capabilities?.extensions ?? [];
  return objectOf(extensions.find(({ uri }) => uri === DELEGATION_EXTENSION)?.params);
}

/** Whether an agent speaks of tasks as rein does, so that it knows them by rein's own ids. */
export function knowsDelegation(card: AgentCard): boolean {
  return extensionParams(card) !== null;
}

function intentOf(value: unknown): Intent | null {
  const fields = objectOf(value);
  if (!fields) return null;
  const { name, description, access } = fields;
  const parameters = objectOf(fields.parameters);
  if (typeof name !== "string" || typeof description !== "string" || !parameters) return null;
  const example = objectOf(fields.example);
  return { name, description, parameters, example, access: access === "read" ? "read" : "write" };
}

/** A skill has neither a schema nor an effect: it takes anything, and may change something. */
function intentOfSkill({ id, description, tags, examples }: AgentSkill): Intent {
  const example = examples.map(jsonObjectIn).find((found) => found !== null) ?? null;
  const access = tags.includes("read") ? "read" : "write";
  return { name: id, description, parameters: { type: "object" }, example, access };
}

/** What a card says of its agent. */
export function reportOfCard(card: AgentCard): AgentReport {
  const own = extensionParams(card);
  if (!own) return { protocols: [], intents: card.skills.map(intentOfSkill) };
  const protocols = Array.isArray(own.protocols) ? own.protocols.map(String) : [];
  const intents = Array.isArray(own.intents) ? own.intents : [];
  return { protocols, intents: intents.flatMap((intent) => intentOf(intent) ?? []) };
}

function skillOf({ name, description, example, access }: Intent): AgentSkill {
  return {
    id: name,
    name,
    description,
    tags: [access],
    examples: example ? [JSON.stringify(example)] : [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  };
}

/** What a card is made of. */
export interface CardOptions {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly Intent[];
  /** rein's version. */
  readonly version: string;
  /** Where it takes requests by JSON-RPC. */
  readonly endpoint: URL;
  /** Whether it wants a bearer token. */
  readonly bearer: boolean;
}

function securityOf(bearer: boolean): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  if (!bearer) return { securitySchemes: {}, securityRequirements: [] };
  const value = { description: "", scheme: "Bearer", bearerFormat: "" };
  return {
    securitySchemes: { bearer: { scheme: { $case: "httpAuthSecurityScheme", value } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
}

/** The card of an agent of rein's. */
export function cardOf(options: CardOptions): AgentCard {
  const { name, description, intents, version, endpoint } = options;
  const extension = {
    uri: DELEGATION_EXTENSION,
    description: "Tasks and results with all that rein's envelopes have",
    required: false,
    params: { protocols: [TASK_PROTOCOL], intents: intents.map((intent) => ({ ...intent })) },
  };
  const way = { url: endpoint.href, protocolBinding: "JSONRPC", tenant: "" };
  return {
    name,
    description,
    version,
    supportedInterfaces: A2A_VERSIONS.map((protocolVersion) => ({ ...way, protocolVersion })),
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [extension] },
    ...securityOf(options.bearer),
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: intents.map(skillOf),
    signatures: [],
  };
}
