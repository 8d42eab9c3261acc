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
import { knowledgeOfRun } from "./knowledge_of_run.ts";
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
}

/** Makes the tools of a run, within its walls. */
export async function offerTools(
  ground: Ground,
  { session, todo, results: { outputs }, redact, undo }: Kept,
  ports: Ports,
  { steps, embedder, delegation, window, signal }: OfferOptions,
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
  const servers = Object.values(ground.loaded.settings.mcpServers);
  if (servers.every(({ disabled }) => disabled)) {
    return { tools: confined, todo, delegation, mcp: null };
  }
  const { mcpOfRun } = await import("./mcp_of_run.ts");
  const place = { ground, reserved: tools.map(({ name }) => name), window, signal };
  const mcp = await mcpOfRun(place, ports, (text) => steps.warn(text));
  return { tools: [...confined, ...mcp.tools], todo, delegation, mcp };
}
