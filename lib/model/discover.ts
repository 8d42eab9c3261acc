/**
 * Finding a model server on this machine, and what a server has.
 *
 * @module
 */

import type { Clock, Fetch } from "../ports.ts";
import { startDeadline } from "../calls/deadline.ts";

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

/** Models that answer no chat. */
const NOT_CHAT = /embed|rerank|whisper|tts/i;

/** A server that was found, with the model that it would be asked for. */
export interface FoundServer extends LocalServer {
  readonly model: string;
}

/**
 * The chat models that a server lists.
 *
 * @returns Their names, or null if the server can't be reached or lists none that way.
 */
export async function listModels(
  baseUrl: string,
  apiKey: string | null,
  ports: { readonly fetch: Fetch; readonly clock: Clock },
  options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<readonly string[] | null> {
  const deadline = startDeadline(ports.clock, options.timeoutMs ?? LIST_MS, options.signal);
  try {
    const response = await ports.fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      signal: deadline.signal,
      redirect: "error",
      ...(apiKey === null ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    });
    const body = await response.json();
    if (!response.ok || !Array.isArray(body?.data)) return null;
    const names = body.data.map((entry: { id?: unknown }) => entry?.id);
    return names.filter((name: unknown) => typeof name === "string" && !NOT_CHAT.test(name));
  } catch {
    return null;
  } finally {
    deadline.clear();
  }
}

/**
 * Looks for a server at the usual ports of this machine, all at once; no key is sent.
 *
 * @returns The first in the order of {@linkcode LOCAL_SERVERS} that has a model, or null.
 */
export async function findLocalServer(
  ports: { readonly fetch: Fetch; readonly clock: Clock },
  signal: AbortSignal,
): Promise<FoundServer | null> {
  const options = { signal, timeoutMs: PROBE_MS };
  const found = await Promise.all(LOCAL_SERVERS.map(async (server) => {
    const model = (await listModels(server.baseUrl, null, ports, options))?.[0];
    return model === undefined ? null : { ...server, model };
  }));
  return found.find((server) => server !== null) ?? null;
}
