/**
 * An agent of rein's as an A2A agent: its card, and JSON-RPC with streams.
 *
 * The SDK is large: this module is imported when an agent is served.
 *
 * @module
 */

import { AgentCard, formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";
import { isLegacyJsonRpcMethod } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from "@a2a-js/sdk/server";
import { CARD_PATH, cardOf } from "../delegate/a2a_card.ts";
import { objectOf } from "../delegate/a2a_parts.ts";
import type { Clock } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import { ServiceHandler } from "./a2a_handler.ts";
import { readJson } from "./read_body.ts";
import type { TaskService } from "./types.ts";

/** Where A2A requests go to. */
export const A2A_PATH = "/a2a";

/** Bytes of a request at the most, if nothing else is said. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/** The header by which a client says which A2A it speaks; by the specification, section 3.6. */
const VERSION_HEADER = "a2a-version";

/** An A2A error of the protocol's own: JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;

/** One thing that can be asked for by HTTP. */
export interface A2aRoute {
  readonly method: "GET" | "POST";
  /** The whole path. */
  readonly path: string;
  /** Never rejects. Who may ask was judged before. */
  handle(request: Request): Promise<Response>;
}

/** How an agent is served by A2A. */
export interface A2aServeOptions {
  /** Says when a request took too long to come. */
  readonly clock: Clock;
  /** rein's version, for the card. */
  readonly version: string;
  /** Whether a bearer token is needed, for the card. */
  readonly bearer: boolean;
  /** Where the agent is reached, if that is not where requests say that they go: behind a proxy. */
  readonly publicUrl?: URL;
  /** The path of its tasks by HTTP, to which addresses of attachments are relative. */
  readonly tasksPath?: string;
  /** Aborted when nobody is to be kept waiting any more; left out: never. */
  readonly closing?: AbortSignal;
  /** Bytes of a request at the most; 4 MiB if left out. */
  readonly maxRequestBytes?: number;
}

interface Face {
  readonly service: TaskService;
  readonly options: A2aServeOptions;
}

/** An answer of JSON-RPC, or several. */
type Answer = object | AsyncGenerator<object, void>;

function json(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(value), { ...init, headers });
}

function cardFor({ service, options }: Face, request: Request): AgentCard {
  const { name, description, intents } = service.profile;
  const endpoint = new URL(A2A_PATH, options.publicUrl ?? request.url);
  const { version, bearer } = options;
  return cardOf({ name, description, intents, version, endpoint, bearer });
}

/** What clients of version 0.3 look for, which 1.0 has in other places. */
function legacyFields(endpoint: string, bearer: boolean): JsonObject {
  const security = bearer
    ? {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      security: [{ bearer: [] }],
    }
    : {};
  return { url: endpoint, preferredTransport: "JSONRPC", protocolVersion: "0.3.0", ...security };
}

/** A client that does not say which A2A it speaks gets a card that both can read. */
function answerCard(face: Face, request: Request): Response {
  const card = cardFor(face, request);
  const modern = objectOf(AgentCard.toJSON(card)) ?? {};
  const speaksModern = request.headers.get(VERSION_HEADER)?.startsWith("1.") === true;
  const endpoint = card.supportedInterfaces[0]?.url ?? "";
  const shown = speaksModern
    ? modern
    : { ...modern, ...legacyFields(endpoint, face.options.bearer) };
  return json(shown, { headers: { vary: VERSION_HEADER, "cache-control": "no-cache" } });
}

function refusal(status: number, message: string): Response {
  const error = { code: INVALID_REQUEST, message };
  return json({ jsonrpc: "2.0", id: null, error }, { status });
}

/** How requests and errors of one version of A2A are read and written. */
interface Dialect {
  handle(text: string): Promise<Answer>;
  errorOf(error: unknown): unknown;
}

function dialectOf(handler: ServiceHandler, request: Request, body: JsonObject): Dialect {
  const said = request.headers.get(VERSION_HEADER);
  const context = new ServerCallContext(said === null ? {} : { requestedVersion: said });
  if (isLegacyJsonRpcMethod(String(body.method))) {
    const legacy = new LegacyJsonRpcTransportHandler(handler);
    return {
      handle: (text) => legacy.handle(text, context),
      errorOf: (error) => LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
    };
  }
  const modern = new JsonRpcTransportHandler(handler);
  return {
    handle: async (text) => {
      if (said !== null) validateVersion(said, await handler.getAgentCard(), "JSONRPC");
      return await modern.handle(text, context);
    },
    errorOf: (error) => JsonRpcTransportHandler.mapToJSONRPCError(error),
  };
}

/** The events of a stream as they are sent; one that fails ends with an event that says so. */
function eventStream(
  first: IteratorResult<object, void>,
  events: AsyncGenerator<object, void>,
  failed: (error: unknown) => object,
  stop: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = Promise.resolve(first);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await next;
        if (done) return controller.close();
        controller.enqueue(encoder.encode(formatSSEEvent(value)));
        next = events.next();
        next.catch(() => {});
      } catch (error) {
        if (stop.signal.aborted) return controller.error(stop.signal.reason);
        controller.enqueue(encoder.encode(formatSSEEvent(failed(error))));
        controller.close();
      }
    },
    cancel: () => stop.abort(),
  });
}

function isStream(answer: Answer): answer is AsyncGenerator<object, void> {
  return Symbol.asyncIterator in answer;
}

async function answerCall(
  dialect: Dialect,
  text: string,
  id: unknown,
  stop: AbortController,
): Promise<Response> {
  const failed = (error: unknown) => ({ jsonrpc: "2.0", id, error: dialect.errorOf(error) });
  try {
    const answer = await dialect.handle(text);
    if (!isStream(answer)) return json(answer);
    const stream = eventStream(await answer.next(), answer, failed, stop);
    return new Response(stream, { headers: SSE_HEADERS });
  } catch (error) {
    return json(failed(error));
  }
}

async function answerRpc(face: Face, request: Request): Promise<Response> {
  const { maxRequestBytes: maxBytes = MAX_REQUEST_BYTES, tasksPath = "/tasks" } = face.options;
  const { closing = new AbortController().signal, clock } = face.options;
  const read = await readJson(request, { clock, maxBytes });
  if (!read.ok) return refusal(read.status, read.message);
  const { text } = read;
  const body = objectOf(read.value) ?? {};
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const card = cardFor(face, request);
  const base = new URL(`${tasksPath}/`, face.options.publicUrl ?? request.url);
  const handler = new ServiceHandler(face.service, { card, base, signal, closing });
  const answer = await answerCall(dialectOf(handler, request, body), text, body.id ?? null, stop);
  if (!handler.busy) return answer;
  const wait = String(Math.max(1, Math.ceil(handler.busy.retryAfterMs / 1000)));
  const headers = { "content-type": "application/json", "retry-after": wait };
  return new Response(answer.body, { status: 429, headers });
}

/**
 * What an agent answers by A2A, 1.0 and 0.3: its card, and JSON-RPC by which messages are sent and
 * tasks are asked for, followed and cancelled. Who may ask is to be judged before.
 */
export function a2aRoutes(service: TaskService, options: A2aServeOptions): readonly A2aRoute[] {
  const face = { service, options };
  const card = (request: Request) => Promise.resolve(answerCard(face, request));
  return [
    { method: "GET", path: CARD_PATH, handle: card },
    { method: "POST", path: A2A_PATH, handle: (request) => answerRpc(face, request) },
  ];
}
