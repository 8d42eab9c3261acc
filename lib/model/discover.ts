/**
 * Finding a model server on this machine, and what a server has.
 *
 * @module
 */

import type { Clock, Fetch } from "../ports.ts";
import { shownAddress } from "../config/kinds.ts";
import { startDeadline } from "../calls/deadline.ts";
import { ModelError } from "../types.ts";
import { type ServedModel, servedModels } from "./served_model.ts";

/** A server that people run on their own machine. */
interface LocalServer {
  readonly program: string;
  readonly baseUrl: string;
}

/** The ports that these programs use by default, in the order of preference. Source: their manuals. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { program: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { program: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { program: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { program: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
];

/** A server on this machine answers within this, in milliseconds, or is not there. */
const PROBE_MS = 500;

/** A server elsewhere may take this long to list its models, in milliseconds. */
const LIST_MS = 10_000;

/** A server that was found, with the model that it would be asked for. */
export interface FoundServer extends LocalServer {
  readonly model: string;
  /** All that it lists. */
  readonly served: readonly ServedModel[];
}

/** What asking for a list needs. */
interface ListPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Why a server gave no list, by the status of its answer. */
function refusalOf(status: number, baseUrl: string): ModelError {
  const place = `The model server at ${shownAddress(baseUrl)}`;
  if (status === 401 || status === 403) {
    const message = `${place} does not accept the key (${status})`;
    return new ModelError("unauthorized", message, { hint: "Check OPENAI_API_KEY.", status });
  }
  const code = status >= 500 ? "server_error" : "not_found";
  const hint = "Check the address, which usually ends in /v1; some servers list no models.";
  return new ModelError(code, `${place} gives no list of models (${status})`, { hint, status });
}

/**
 * The models that a server lists.
 *
 * @throws {ModelError} If it can't be reached, refuses, or answers with something else.
 * @throws The signal's reason, once it is aborted.
 */
export async function listServed(
  baseUrl: string,
  apiKey: string | null,
  ports: ListPorts,
  options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<readonly ServedModel[]> {
  const deadline = startDeadline(ports.clock, options.timeoutMs ?? LIST_MS, options.signal);
  try {
    const response = await ports.fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      signal: deadline.signal,
      redirect: "error",
      ...(apiKey === null ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    });
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, baseUrl);
    const served = servedModels(text);
    if (served !== null) return served;
    const hint = "Check the address; it usually ends in /v1.";
    const message = `The model server at ${
      shownAddress(baseUrl)
    } answered with something that is no list`;
    throw new ModelError("bad_response", message, { hint, status: response.status });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof ModelError) throw error;
    const hint = "Check the address, and that the server is running.";
    const why = deadline.expired() ? "did not answer in time" : "can't be reached";
    const message = `The model server at ${shownAddress(baseUrl)} ${why}`;
    throw new ModelError("unreachable", message, { hint, cause: error });
  } finally {
    deadline.clear();
  }
}

/**
 * The chat models that a server lists.
 *
 * @returns Null if the server can't be reached or lists none that way.
 */
export async function listModels(
  baseUrl: string,
  apiKey: string | null,
  ports: ListPorts,
  options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<readonly ServedModel[] | null> {
  try {
    return (await listServed(baseUrl, apiKey, ports, options)).filter(({ chats }) => chats);
  } catch {
    return null;
  }
}

/**
 * Looks for a server at the usual ports of this machine, all at once; no key is sent.
 *
 * @returns The first in the order of {@linkcode LOCAL_SERVERS} that has a model, or null.
 */
export async function findLocalServer(
  ports: ListPorts,
  signal: AbortSignal,
): Promise<FoundServer | null> {
  const options = { signal, timeoutMs: PROBE_MS };
  const found = await Promise.all(LOCAL_SERVERS.map(async (server) => {
    const served = await listModels(server.baseUrl, null, ports, options) ?? [];
    const model = served[0]?.id;
    return model === undefined ? null : { ...server, model, served };
  }));
  return found.find((server) => server !== null) ?? null;
}
