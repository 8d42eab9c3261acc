/**
 * The binding of tasks to HTTP: handing in, asking for, giving up.
 *
 * @module
 */

import { TASK_PROTOCOL, type TaskEnvelope, type TaskError } from "../delegate/types.ts";
import { type Clock, DatabaseError } from "../ports.ts";
import { costOf, envelopeOf, failed, taskError } from "./outcome.ts";
import { readJson } from "./read_body.ts";
import { type Asked, json, type Route } from "./routes.ts";
import type { Load } from "./service.ts";
import type { ServedTask, TaskService } from "./types.ts";

/** Where tasks are handed in. */
export const TASKS_PATH = "/tasks";

/** How long a caller may hold a request open, in seconds. */
const MAX_WAIT_SECONDS = 60;

/** When a caller that does not wait should ask again, in milliseconds. */
const POLL_MS = 1_000;

/** What the routes are made of. */
export interface TaskPorts {
  readonly service: TaskService & { readonly load: Load; readonly retryAfterMs: number };
  readonly clock: Clock;
  /** Checks that a value is a task envelope. */
  check(
    value: unknown,
  ): { readonly ok: true; readonly value: TaskEnvelope } | {
    readonly ok: false;
    readonly error: TaskError;
  };
  /** The bytes of an attachment; null where there is none. */
  attachment(taskId: string, name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Aborted when nobody is to be kept waiting any more. */
  readonly closing: AbortSignal;
}

/** Where a task is asked for. */
export function taskUrl(taskId: string): string {
  return `${TASKS_PATH}/${encodeURIComponent(taskId)}`;
}

/** Where an attachment of a result is fetched. */
export function attachmentUrl(taskId: string, name: string): string {
  return `${taskUrl(taskId)}/attachments/${encodeURIComponent(name)}`;
}

/** The statuses of refusals that are not 400. */
const STATUSES: Readonly<Record<string, number>> = {
  unknown_intent: 404,
  conflict: 409,
  depth_limit: 422,
  callback_refused: 422,
  timeout: 422,
  unavailable: 503,
};

function errorEnvelope(value: unknown, error: TaskError) {
  const given = typeof value === "object" && value !== null && "task_id" in value
    ? value.task_id
    : "";
  const task = { task_id: typeof given === "string" ? given.slice(0, 128) : "" };
  return envelopeOf(task, failed(error), costOf(null, 0));
}

function refused(value: unknown, error: TaskError): Response {
  const status = STATUSES[error.code] ?? 400;
  const again: Record<string, string> = status === 503 ? { "retry-after": "5" } : {};
  return json(status, errorEnvelope(value, error), again);
}

/** The seconds of `Prefer: wait=N`. Source: RFC 7240. */
function waitMsOf(request: Request): number {
  const prefer = request.headers.get("prefer") ?? "";
  const [, seconds = "0"] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(prefer) ?? [];
  return Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
}

/** Waits for a task to finish, as long as the caller wants to, and nobody closes. */
async function waitFor(taskId: string, request: Request, ports: TaskPorts): Promise<void> {
  const ms = waitMsOf(request);
  if (ms === 0) return;
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, ports.closing, request.signal]);
  const result = ports.service.result(taskId, signal).then(() => {}, () => {});
  const late = ports.clock.sleep(ms, done.signal).catch(() => {});
  await Promise.race([result, late]);
  done.abort();
}

function answerOf({ task: { task_id }, phase, result }: ServedTask): Response {
  if (result !== null) return json(200, result);
  const url = taskUrl(task_id);
  const body = { task_id, phase, status_url: url, poll_after_ms: POLL_MS };
  return json(202, body, { location: url });
}

function busy(task: TaskEnvelope, retryAfterMs: number, draining: boolean): Response {
  const [status, error] = draining
    ? [503, taskError("draining", "The agent is about to stop; send the task again later", true)]
    : [429, taskError("busy", "The agent has as many tasks as it can take", true)];
  const seconds = String(Math.ceil(retryAfterMs / 1000));
  return json(status, errorEnvelope(task, error), { "retry-after": seconds });
}

async function handIn({ request }: Asked, ports: TaskPorts): Promise<Response> {
  const { service, clock, check } = ports;
  const body = await readJson(request, { clock });
  if (!body.ok) {
    const error = taskError(body.code, body.message);
    return json(body.status, errorEnvelope(null, error));
  }
  const checked = check(body.value);
  if (!checked.ok) return refused(body.value, checked.error);
  const task = checked.value;
  const submission = service.submit(task);
  switch (submission.kind) {
    case "busy":
      return busy(task, submission.retryAfterMs, service.load.draining);
    case "refused":
    case "conflict":
      return refused(task, submission.error);
    case "taken":
      await waitFor(task.task_id, request, ports);
      return answerOf(service.find(task.task_id) ?? submission.served);
  }
}

function unknown(taskId: string): Response {
  const error = taskError("unknown_task", `There is no task "${taskId}"`);
  return json(404, errorEnvelope({ task_id: taskId }, error));
}

async function ask({ request, parts: { id = "" } }: Asked, ports: TaskPorts): Promise<Response> {
  const found = ports.service.find(id);
  if (found === null) return unknown(id);
  if (found.result === null) await waitFor(id, request, ports);
  return answerOf(ports.service.find(id) ?? found);
}

function giveUp({ parts: { id = "" } }: Asked, { service }: TaskPorts): Response {
  const found = service.find(id);
  if (found === null) return unknown(id);
  if (found.result !== null) return json(200, found.result);
  service.cancel(id);
  return answerOf(service.find(id) ?? found);
}

async function attachment(
  { parts: { id = "", name = "" } }: Asked,
  ports: TaskPorts,
): Promise<Response> {
  const named = ports.service.find(id)?.result?.attachments?.find((entry) => entry.name === name);
  const bytes = named === undefined ? null : await ports.attachment(id, name);
  if (named === undefined || bytes === null) return new Response(null, { status: 404 });
  const headers = { "content-type": named.media_type, "x-content-type-options": "nosniff" };
  return new Response(ReadableStream.from(bytes), { headers });
}

function describe({ service: { profile } }: TaskPorts): Response {
  const { name, description, intents } = profile;
  const schema = "agent-description/1.0";
  return json(200, { schema, name, description, protocols: [TASK_PROTOCOL], intents });
}

/** The same route, which says so where the record of tasks can't be used. */
function saying(route: Route): Route {
  const answer = async (asked: Asked) => {
    try {
      return await route.answer(asked);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const message = "The agent can't use its record of tasks now";
      return refused({ task_id: asked.parts["id"] }, taskError("unavailable", message, true));
    }
  };
  return { ...route, answer };
}

/** The routes of tasks. */
export function taskRoutes(ports: TaskPorts): readonly Route[] {
  const one = `${TASKS_PATH}/:id`;
  const routes: readonly Route[] = [
    { method: "POST", path: TASKS_PATH, answer: (asked) => handIn(asked, ports) },
    { method: "GET", path: TASKS_PATH, answer: () => describe(ports) },
    { method: "GET", path: one, answer: (asked) => ask(asked, ports) },
    { method: "DELETE", path: one, answer: (asked) => giveUp(asked, ports) },
    {
      method: "GET",
      path: `${one}/attachments/:name`,
      answer: (asked) => attachment(asked, ports),
    },
  ];
  return routes.map(saying);
}

/** What the routes for those who run the server are made of. */
export interface StatusPorts {
  readonly name: string;
  load(): Load;
  metrics(): string;
}

/** The routes for those who run the server. */
export function statusRoutes({ name, load, metrics }: StatusPorts): readonly Route[] {
  const health = () => {
    const { queued, running, draining } = load();
    const status = draining ? "draining" : "ok";
    return json(draining ? 503 : 200, { status, agent: name, queued, running });
  };
  const type = "text/plain; version=0.0.4; charset=utf-8";
  return [
    { method: "GET", path: "/health", open: true, answer: health },
    {
      method: "GET",
      path: "/metrics",
      answer: () => new Response(metrics(), { headers: { "content-type": type } }),
    },
  ];
}
