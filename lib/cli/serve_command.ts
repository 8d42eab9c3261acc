/**
 * `rein serve`: this machine as a business agent.
 *
 * @module
 */

import { findVariable } from "../config/variables.ts";
import { checkTask } from "../delegate/check.ts";
import {
  DatabaseError,
  FileError,
  type HttpServer,
  type ListenAddress,
  NetworkError,
  type Ports,
} from "../ports.ts";
import { message } from "../messages/messages.ts";
import type { A2aServeOptions } from "../serve/a2a.ts";
import { createAdmission } from "../serve/admission.ts";
import { type AgentFile, readAgentFile, type WrittenAgent } from "../serve/agent_file.ts";
import { type AttachmentStore, createAttachmentStore } from "../serve/attachment_store.ts";
import { Metrics } from "../serve/metrics.ts";
import { Poster } from "../serve/poster.ts";
import { handlerOf, isLoopback, type Route } from "../serve/routes.ts";
import { AgentService } from "../serve/service.ts";
import { TaskRecord } from "../serve/task_record.ts";
import { attachmentUrl, statusRoutes, taskRoutes, TASKS_PATH } from "../serve/task_routes.ts";
import type { Audit } from "../audit/open_audit.ts";
import { VERSION } from "../version.ts";
import { removeSession } from "../session/remove.ts";
import { SessionError } from "../session/session_error.ts";
import { Interruption, SIGNAL_EXIT_CODES } from "./exit_code.ts";
import { readNamedFile, UsageError } from "./failure.ts";
import { variablesOf } from "./load_settings.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import { ServeLog, type ServeLook } from "./serve_log.ts";
import { plansOf, policyFaultOf } from "./serve_plan.ts";
import { createTaskRunner } from "./serve_run.ts";

/** The options of a server, beside those of the runs of its tasks. */
export interface ServeOptions extends Omit<RunOptions, "output" | "debug"> {
  readonly output: ServeLook["output"];
  /** Whether an unexpected failure is told with its stack trace; the runs of tasks have no file. */
  readonly debug: boolean;
  /** The agent file. */
  readonly agent: string;
  readonly listen: ListenAddress;
  /** Milliseconds that running tasks have to end when the server is to stop. */
  readonly drain: number;
}

/** Sessions of finished tasks that are kept, so that one can read what was done. */
const KEPT_SESSIONS = 100;

/** Tasks that finish between two looks at what may be forgotten. */
const FORGET_EVERY = 50;

/** Time for answers that are on their way when all has ended, in milliseconds. */
const LAST_ANSWERS_MS = 2_000;

/** The tokens of a server: what callers send, what it sends to callbacks. */
interface Tokens {
  readonly own: string | null;
  readonly callback: string | null;
}

async function tokensOf(agent: AgentFile, options: ServeOptions, ports: Ports): Promise<Tokens> {
  const variables = await variablesOf(options.envFile, ports);
  const valueOf = (name: string | null) => {
    if (name === null) return null;
    const value = findVariable(variables, [name])?.text.trim() ?? "";
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    const id = value === "" ? "serve.token_unset" : "serve.token_characters";
    const wrong = message(id, { variable: name, file: agent.file });
    throw new UsageError(wrong, message("serve.token_hint"));
  };
  const own = valueOf(agent.tokenVariable);
  if (own === null && !isLoopback(options.listen.hostname)) {
    const values = { host: options.listen.hostname, file: agent.file };
    throw new UsageError(message("serve.open", values), message("serve.open_hint"));
  }
  return { own, callback: valueOf(agent.callbackVariable) };
}

/** The folder for what lasts; one process has an agent. */
function lockState(agent: AgentFile, { databases, folders }: Ports) {
  const { folder } = databases;
  if (folder === null) {
    throw new UsageError(message("serve.no_folder"), message("serve.no_folder_hint"));
  }
  folders.make(folder);
  const taken = folders.lock(`${folder}/serve-${agent.name}.lock`, `${folders.pid}\n`);
  if ("holder" in taken) {
    const values = { name: agent.name, process: taken.holder.trim() };
    throw new UsageError(message("serve.taken", values), message("serve.taken_hint"));
  }
  return { folder, lock: taken };
}

/** A server on its way. */
interface Serving {
  readonly service: AgentService;
  readonly record: TaskRecord;
  readonly poster: Poster;
  readonly log: ServeLog;
  readonly routes: readonly Route[];
  readonly closing: AbortController;
  /** Where what runs is audited. */
  readonly audits: readonly (Audit | null)[];
}

/** Forgets what nobody will ask for, now and then. */
function forgetter(
  { keep }: AgentFile,
  record: TaskRecord,
  { store, ports }: { readonly store: AttachmentStore; readonly ports: Ports },
): () => void {
  let count = 0;
  return () => {
    for (const session of record.oldSessions(KEPT_SESSIONS)) {
      try {
        removeSession(session, ports);
      } catch (error) {
        if (!(error instanceof SessionError || error instanceof FileError)) throw error;
      }
    }
    if (count++ % FORGET_EVERY > 0) return;
    const before = ports.clock.now() - keep.ms;
    for (const id of record.forget(keep.tasks, before)) store.remove(id);
  };
}

async function openRecord(path: string, { databases }: Ports): Promise<TaskRecord> {
  try {
    return new TaskRecord(await databases.open(path));
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const wrong = message("serve.record", { why: error.message });
    throw new UsageError(wrong, message("serve.record_hint"), error);
  }
}

async function prepare(
  written: WrittenAgent,
  options: ServeOptions,
  ports: Ports,
  { folder, token }: { readonly folder: string; readonly token: string | null },
): Promise<Serving> {
  const { agent } = written;
  const { clock, network } = ports;
  const { debug: _traces, ...rest } = options;
  const runOptions: RunOptions = { ...rest, output: "text" };
  const plans = await plansOf(written, runOptions, ports);
  const audits = [...plans.values()].map(({ audit }) => audit);
  const record = await openRecord(`${folder}/serve-${agent.name}.db`, ports);
  const metrics = new Metrics();
  const log = new ServeLog(options, ports, metrics);
  const trouble = (text: string) => log.trouble(text);
  const hosts = agent.callbacks;
  const poster = new Poster({ record, hosts, token, network, clock, trouble });
  const store = createAttachmentStore(`${folder}/serve-${agent.name}`, agent.name, ports);
  const forget = forgetter(agent, record, { store, ports });
  const admission = createAdmission(agent, {
    policyFault: (intent, policy) => {
      const plan = plans.get(intent);
      return plan === undefined ? null : policyFaultOf(plan, policy);
    },
  });
  const service = new AgentService({
    agent,
    record,
    admission,
    clock,
    run: createTaskRunner({ agent: agent.name, plans, options: runOptions, ports }),
    events: log,
    attach: store.put,
    urlOf: attachmentUrl,
    finished: (kept) => {
      poster.post(kept);
      forget();
    },
  });
  const closing = new AbortController();
  const attachment = store.get;
  const bearer = agent.tokenVariable !== null;
  // Other faces of the same service are more routes here.
  const routes = [
    ...await agentToAgentRoutes(service, { bearer, clock, closing: closing.signal }),
    ...taskRoutes({ service, clock, check: checkTask, attachment, closing: closing.signal }),
    ...statusRoutes({
      name: agent.name,
      load: () => service.load,
      metrics: () => metrics.text(service.load),
    }),
  ];
  return { service, record, poster, log, routes, closing, audits };
}

/** The A2A face. Its card is open: it says how one gets in. */
async function agentToAgentRoutes(
  service: AgentService,
  options: Pick<A2aServeOptions, "bearer" | "clock" | "closing">,
): Promise<readonly Route[]> {
  const { a2aRoutes } = await import("../serve/a2a.ts");
  const { CARD_PATH } = await import("../delegate/a2a_card.ts");
  const routes = a2aRoutes(service, { ...options, version: VERSION, tasksPath: TASKS_PATH });
  return routes.map(({ method, path, handle }): Route => ({
    method,
    path,
    open: path === CARD_PATH,
    answer: ({ request }) => handle(request),
  }));
}

async function listen(
  options: ServeOptions,
  { routes }: Serving,
  { token, signal }: { readonly token: string | null; readonly signal: AbortSignal },
  { servers }: Ports,
): Promise<HttpServer> {
  try {
    return await servers.listen(options.listen, handlerOf(routes, { token }), signal);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new UsageError(error.message, message("serve.listen_hint"), error);
  }
}

function urlOf({ address: { hostname, port } }: HttpServer): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}${TASKS_PATH}`;
}

/** Resolves once a signal is aborted. */
function abortedBy(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Aborted after a time, unless the work ends before. */
async function within<T>(
  ms: number,
  { clock }: Pick<Ports, "clock">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const timer = new AbortController();
  const waiting = clock.sleep(ms, timer.signal).then(() => over.abort(), () => {});
  try {
    return await work(over.signal);
  } finally {
    timer.abort();
    await waiting;
  }
}

/** Lets what runs end, then what is posted, then what is being answered. */
async function shutDown(
  { service, poster, log, closing }: Serving,
  server: HttpServer,
  drainMs: number,
  ports: Ports,
): Promise<boolean> {
  const { running, queued } = service.load;
  log.draining(running, queued);
  const clean = await within(drainMs, ports, async (signal) => {
    const ended = await service.drain(signal);
    await poster.end(signal);
    return ended;
  });
  closing.abort();
  await within(
    LAST_ANSWERS_MS,
    ports,
    (signal) => Promise.race([server.drain(), abortedBy(signal)]),
  );
  log.stopped(clean);
  return clean;
}

async function serveAgent(
  serving: Serving,
  options: ServeOptions,
  { token, ports, interrupts }: {
    readonly token: string | null;
    readonly ports: Ports;
    readonly interrupts: Interrupts;
  },
): Promise<number> {
  const cut = new AbortController();
  const { service, poster, log, record, closing } = serving;
  try {
    const server = await listen(options, serving, { token, signal: cut.signal }, ports);
    const left = record.unfinished().length;
    service.start();
    poster.start();
    log.listening(service.profile.name, urlOf(server), left);
    await abortedBy(interrupts.signal);
    const clean = await shutDown(serving, server, options.drain, ports);
    const { reason } = interrupts.signal;
    return clean || !(reason instanceof Interruption) ? 0 : SIGNAL_EXIT_CODES[reason.signal];
  } finally {
    closing.abort();
    cut.abort();
    record.close();
    for (const audit of serving.audits) await audit?.end();
  }
}

/**
 * Serves an agent until a signal ends it: then running tasks may end, and what is left stays for the
 * next start.
 *
 * @returns The exit code: 0 if all that ran could end, else the signal's.
 * @throws {UsageError | SyntaxError} If the agent file, a policy, a setting or the address is wrong.
 */
export async function serveCommand(
  options: ServeOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const text = await readNamedFile(ports.files, message("file.agent"), options.agent);
  const written = readAgentFile(text, options.agent);
  const tokens = await tokensOf(written.agent, options, ports);
  const { folder, lock } = lockState(written.agent, ports);
  try {
    const token = tokens.callback;
    const serving = await prepare(written, options, ports, { folder, token });
    return await serveAgent(serving, options, { token: tokens.own, ports, interrupts });
  } finally {
    lock.release();
  }
}
