/**
 * What the model of a run may call.
 *
 * @module
 */

import { createTools } from "../../tools/registry.ts";
import type { TodoItem } from "../../tools/todo.ts";
import type { Ports } from "../ports.ts";
import type { Embedder } from "../retrieval/embed.ts";
import type { Tool } from "../types.ts";
import { type OpenDelegation } from "./agents_of_run.ts";
import { historyOfRun } from "./history_of_run.ts";
import type { McpOfRun } from "./mcp_of_run.ts";
import { isOfServer } from "../mcp/names.ts";
import { knowledgeOfRun } from "./knowledge_of_run.ts";
import type { RunSettings } from "./load_settings.ts";
import type { Ground } from "./run_setup.ts";
import { memoriesOfRun } from "./memories_of_run.ts";
import type { Kept } from "./kept_of_run.ts";
import type { RunFace } from "./run_wish.ts";

/** What the model may call, and the list of its task. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly todo: readonly TodoItem[];
  readonly delegation: OpenDelegation;
  /** Null: no servers are configured. */
  readonly mcp: McpOfRun | null;
}

/** What offering tools needs beside the outside world. */
export interface OfferOptions extends Pick<RunFace, "steps" | "signal"> {
  readonly embedder: () => Promise<Embedder | null>;
  readonly delegation: OpenDelegation;
  readonly window: number;
  /** The only tools that are offered, by name; null: all. */
  readonly only: readonly string[] | null;
}

/** The servers that are wanted: what is not offered in the end need not be started. */
function wantedServers(
  { loaded: { settings: { mcpServers } } }: Ground,
  only: readonly string[] | null,
): RunSettings["settings"]["mcpServers"] {
  return Object.fromEntries(
    Object.entries(mcpServers).filter(([server, { disabled }]) =>
      !disabled && (only === null || only.some((name) => isOfServer(name, server)))
    ),
  );
}

function onlyNamed(tools: readonly Tool[], only: readonly string[] | null): readonly Tool[] {
  return only === null ? tools : tools.filter(({ name }) => only.includes(name));
}

/** Makes the tools of a run, within its walls. */
export async function offerTools(
  ground: Ground,
  { session, todo, results: { outputs }, redact, undo }: Kept,
  ports: Ports,
  { steps, embedder, delegation, window, signal, only }: OfferOptions,
): Promise<Offer> {
  const { sandbox } = ground;
  const knowledge = await knowledgeOfRun(ports, { embedder, warn: (text) => steps.warn(text) });
  const history = historyOfRun({ session, outputs, embedder });
  const files = undo?.files ?? ports.files;
  const memories = memoriesOfRun(ports.memories, redact);
  const toolPorts = { ...ports, files, memories, processes: sandbox.processes };
  const tools = createTools(toolPorts, outputs, {
    knowledge,
    history,
    todo,
    delegation: delegation.delegation,
  });
  const confined = sandbox.confine(tools);
  const mcpServers = wantedServers(ground, only);
  if (Object.keys(mcpServers).length === 0) {
    return { tools: onlyNamed(confined, only), todo, delegation, mcp: null };
  }
  const { loaded } = ground;
  const narrowed = {
    ...ground,
    loaded: { ...loaded, settings: { ...loaded.settings, mcpServers } },
  };
  const { mcpOfRun } = await import("./mcp_of_run.ts");
  const place = { ground: narrowed, reserved: tools.map(({ name }) => name), window, signal };
  const mcp = await mcpOfRun(place, ports, (text) => steps.warn(text));
  return { tools: onlyNamed([...confined, ...mcp.tools], only), todo, delegation, mcp };
}
