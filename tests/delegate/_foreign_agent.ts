/**
 * Agents of others, made with the SDK's own server, and the transport to them.
 *
 * @module
 */

import { AgentCard, formatSSEEvent, type Task, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import type { Fetch } from "../../lib/ports.ts";
import { createA2aTransport } from "../../lib/delegate/a2a_transport.ts";
import type { Agent, Transport } from "../../lib/delegate/types.ts";
import { FakeClock } from "../fakes.ts";
import { fetchFrom } from "../serve/_service.ts";
import { PAYOUTS, REFUND } from "./_envelopes.ts";

/** Where agents of tests are. */
export const AT = "http://agents.example";

/** An entry of the directory. */
export function agentAt(url: string, fields: Partial<Agent> = {}): Agent {
  return {
    name: "orders",
    description: "Looks at orders",
    address: { transport: "a2a", url: new URL(url) },
    intents: [REFUND, PAYOUTS],
    timeoutMs: 1_000,
    tokenVariable: null,
    concurrency: 1,
    idempotent: true,
    policy: null,
    file: "agents.yaml",
    ...fields,
  };
}

/** The way to an agent that is reached by a fetch of the test's. */
export function transportTo(
  fetch: Fetch,
  { url = AT, clock = new FakeClock(), ...fields }:
    & { readonly url?: string; readonly clock?: FakeClock }
    & Partial<Agent> = {},
): Transport {
  return createA2aTransport(agentAt(url, fields), { fetch, clock }, { token: "secret" });
}

/** A card of an agent of others. */
export function cardAt(url: string, streaming: boolean): AgentCard {
  return AgentCard.fromJSON({
    name: "theirs",
    description: "Made by others",
    version: "3",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{
      id: "refund-status",
      name: "Refunds",
      description: "Finds refunds",
      tags: ["refunds"],
      examples: ["Where is A-1?", '{"order":"A-1"}'],
    }],
  });
}

/** What an agent of others does with a task: it tells on the bus. */
export type Work = (context: RequestContext, bus: ExecutionEventBus) => Promise<void>;

/** A task of others in some state. */
export function theirTask(
  { taskId, contextId }: Pick<RequestContext, "taskId" | "contextId">,
  state: TaskState,
  words: string | null = null,
): Task {
  const part = (value: string) => ({
    content: { $case: "text" as const, value },
    metadata: undefined,
    filename: "",
    mediaType: "",
  });
  const artifact = { artifactId: "a", name: "", description: "", metadata: undefined };
  return {
    id: taskId,
    contextId,
    status: { state, message: undefined, timestamp: undefined },
    artifacts: words === null ? [] : [{ ...artifact, parts: [part(words)], extensions: [] }],
    history: [],
    metadata: undefined,
  };
}

/** Says how a task went on. */
export function statusOf({ taskId, contextId }: RequestContext, state: TaskState) {
  const status = { state, message: undefined, timestamp: undefined };
  return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined });
}

/** Says what a task brought. */
export function artifactOf({ taskId, contextId }: RequestContext, words: string, append = false) {
  const artifact =
    theirTask({ taskId, contextId }, TaskState.TASK_STATE_WORKING, words).artifacts[0];
  const update = { taskId, contextId, artifact, append, lastChunk: false, metadata: undefined };
  return AgentEvent.artifactUpdate(update);
}

async function* textOf(answers: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const answer of answers) yield formatSSEEvent(answer);
}

/** An agent of others by the SDK's own server: it has ids of its own for tasks. */
export function foreignAgent(work: Work, streaming = true): Fetch {
  const executor: AgentExecutor = {
    execute: work,
    cancelTask: (taskId, bus) => {
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: "" };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: "", status, metadata: undefined }));
      return Promise.resolve();
    },
  };
  const card = cardAt(`${AT}/rpc`, streaming);
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const rpc = new JsonRpcTransportHandler(handler);
  const handle = async (request: Request) => {
    const answer = await rpc.handle(await request.text(), new ServerCallContext());
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
    const body = ReadableStream.from(textOf(answer)).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const tell = () => Promise.resolve(Response.json(AgentCard.toJSON(card)));
  return fetchFrom([
    { method: "GET", path: "/.well-known/agent-card.json", handle: tell },
    { method: "POST", path: "/rpc", handle },
  ]);
}
