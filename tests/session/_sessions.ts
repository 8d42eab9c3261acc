/**
 * Sessions in a folder of their own, and events to store in them.
 *
 * @module
 */

import type { Event, EventBody } from "../../lib/events.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { realFolders } from "../../lib/real/folders.ts";
import {
  type OpenedSession,
  type OpenRequest,
  openSession,
  type SessionPorts,
} from "../../lib/session/open.ts";
import { inTempDir } from "../_temp.ts";
import { FakeClock } from "../fakes.ts";

/** Noon of a day. */
export const NOON = Date.UTC(2026, 10, 29, 12);

/** Works with a place for sessions of its own; ids are `s1`, `s2`, … */
export function withSessions(
  work: (ports: SessionPorts & { readonly clock: FakeClock }, root: string) => Promise<void>,
): Promise<void> {
  return inTempDir({}, (directory) => work(portsIn(directory), `${directory}/rein/sessions`));
}

/** Ports whose folder for what lasts is `rein` in a directory. */
export function portsIn(directory: string): SessionPorts & { readonly clock: FakeClock } {
  let count = 0;
  return {
    databases: createDatabases(`${directory}/rein`),
    folders: realFolders,
    clock: new FakeClock(NOON),
    newId: () => `s${++count}`,
  };
}

/** What is asked for unless a test says otherwise: a session without a name. */
export function requestOf(overrides: Partial<OpenRequest> = {}): OpenRequest {
  return {
    id: null,
    create: true,
    named: overrides.id !== undefined,
    cwd: "/work",
    keep: true,
    redact: (event) => event,
    onFailure: () => {},
    ...overrides,
  };
}

/** Opens a session. */
export function open(
  ports: SessionPorts,
  overrides: Partial<OpenRequest> = {},
): Promise<OpenedSession> {
  return openSession(requestOf(overrides), ports);
}

/** An event, one second after noon for every step. */
export function eventOf(body: EventBody, step = 0, runId = "run1"): Event {
  const at = new Date(NOON + step * 1000).toISOString();
  return { schema: "rein-event/1", at, run_id: runId, step, ...body };
}

/** Events of a step of any size. */
export function turn(step: number, content = `turn ${step}`): Event {
  return eventOf({
    type: "turn_finished",
    reasoning: null,
    content,
    calls: [],
    finish_reason: "stop",
    usage: { input_tokens: 10, output_tokens: 5, estimated: false },
    closing: false,
  }, step);
}

/** Many turns; every fifth one is longer than a page. */
export function turns(count: number): Event[] {
  return Array.from(
    { length: count },
    (_, index) => turn(index + 1, `turn ${index + 1} ${"日志 abc ".repeat(index % 5 ? 20 : 900)}`),
  );
}

/** The beginning of a run. */
export function started(task: string, runId = "run1"): Event {
  const model = { name: "scripted", source: "test", recorded: false };
  return eventOf(
    { type: "run_started", task, model, max_steps: 15, session: null, resumed: "no" },
    0,
    runId,
  );
}

/** The end of a run. */
export function ended(stop: "answered" | "step_limit", answer = "42", runId = "run1"): Event {
  return eventOf(
    {
      type: "run_finished",
      result: {
        schema: "rein-result/1",
        run_id: runId,
        status: stop === "answered" ? "success" : "unfinished",
        stop_reason: stop,
        answer,
        data: null,
        model: { name: "scripted", recorded: false },
        steps: 1,
        usage: { input_tokens: 10, output_tokens: 5, estimated: false },
        cost: null,
        elapsed_ms: 0,
        session: null,
        calls: [],
        facts: [],
        error: null,
        ending: null,
      },
    },
    2,
    runId,
  );
}

/** Makes a session of these events and closes it; returns its id. */
export async function stored(
  ports: SessionPorts,
  events: readonly Event[],
  overrides: Partial<OpenRequest> = {},
): Promise<string> {
  const { session } = await open(ports, overrides);
  for (const event of events) session.append(event, { durable: false });
  session.close();
  return session.id ?? "";
}

/** Makes a session of these events as it is left by a process that is killed. */
export async function abandoned(
  ports: SessionPorts,
  events: readonly Event[],
  root: string,
  id = "torn",
): Promise<void> {
  const { session } = await open(ports, { id: "source" });
  for (const event of events) session.append(event, { durable: false });
  await Deno.mkdir(`${root}/${id}`, { mode: 0o700 });
  for (const name of ["session.db", "session.db-wal", "lock"]) {
    await Deno.copyFile(`${root}/source/${name}`, `${root}/${id}/${name}`);
  }
  session.close();
  await Deno.remove(`${root}/source`, { recursive: true });
}
