/**
 * The way to one A2A agent: its card, and a client of the SDK that speaks to it.
 *
 * @module
 */

import type { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type RequestOptions,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from "@a2a-js/sdk/client";
import type { Fetch } from "../ports.ts";
import { cardPlaces, parseCard, usableInterfaces } from "./a2a_card.ts";
import { DELEGATION_EXTENSION } from "./a2a_mapping.ts";
import { TransportError } from "./types.ts";

/** Agents of version 0.3 are spoken to as well: many are. */
const legacyCompat = { enabled: true };

/** What reaches an agent. */
export interface LinkOptions {
  /** The agent's name, for messages. */
  readonly agent: string;
  /** Of its card, or of the agent. */
  readonly address: URL;
  /** The origins that it may be at. */
  readonly origins: ReadonlySet<string>;
  /** Goes to those alone; bounded. */
  readonly guarded: Fetch;
}

/** A card, and a client for what it describes. */
export interface Link {
  readonly card: AgentCard;
  readonly client: Client;
}

/** The options of one request of the client's. */
export function requestOptions(signal: AbortSignal): RequestOptions {
  const serviceParameters = ServiceParameters.create(withA2AExtensions(DELEGATION_EXTENSION));
  return { signal, serviceParameters };
}

/** A card of 1.0, or one of 0.3 as if it were one of 1.0. */
function readCard(raw: unknown): AgentCard | null {
  const parsed = parseCard(raw);
  if (parsed) return parsed;
  try {
    const normal: AgentCard = new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(
      raw,
    );
    // What is of neither version comes out as it went in.
    return normal === raw ? null : normal;
  } catch {
    return null;
  }
}

async function fetchCard(
  { agent, address, guarded }: LinkOptions,
  signal: AbortSignal,
): Promise<{ readonly card: AgentCard; readonly place: URL }> {
  const headers = { accept: "application/json", "a2a-version": "1.0" };
  let failure: unknown = null;
  for (const place of cardPlaces(address)) {
    try {
      const response = await guarded(place, { headers, signal });
      const card = readCard(JSON.parse(await response.text()));
      if (response.ok && card) return { card, place };
    } catch (error) {
      signal.throwIfAborted();
      const elsewhere = error instanceof SyntaxError ||
        error instanceof TransportError && error.code === "bad_result";
      if (!elsewhere) throw error;
      failure = error;
    }
  }
  const message = `${agent} has no agent card at ${cardPlaces(address).join(" or ")}`;
  throw new TransportError("bad_result", message, { retriable: false, cause: failure });
}

/**
 * Reads an agent's card and makes a client for it.
 *
 * @throws {TransportError} If there is no card, or no way in it that may be gone.
 */
export async function connect(options: LinkOptions, signal: AbortSignal): Promise<Link> {
  const { card, place } = await fetchCard(options, signal);
  const supportedInterfaces = [...usableInterfaces(card, place, options.origins)];
  if (supportedInterfaces.length === 0) {
    const named = card.supportedInterfaces.map(({ url, protocolBinding }) =>
      `${protocolBinding} at ${url}`
    );
    const message =
      `The card of ${options.agent} names no way to it that may be gone; it must be ` +
      `JSONRPC or HTTP+JSON on ${[...options.origins].join(", ")}, and is ${named.join(", ")}`;
    throw new TransportError("bad_result", message, { retriable: false });
  }
  const usable = { ...card, supportedInterfaces };
  const transport = { fetchImpl: options.guarded, legacyCompat };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(transport), new RestTransportFactory(transport)],
    clientConfig: { polling: true },
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  return { card: usable, client: await factory.createFromAgentCard(usable) };
}
