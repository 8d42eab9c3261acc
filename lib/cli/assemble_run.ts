/**
 * Putting a run together: what a question on the command line and a session at a prompt share.
 *
 * @module
 */

import { createTools } from "../../tools/registry.ts";
import type { TodoItem } from "../../tools/todo.ts";
import type { Approver } from "../calls/pipeline.ts";
import { pricesOfRun } from "../config/prices.ts";
import { createContext } from "../context/context.ts";
import { contextWindowOf } from "../context/windows.ts";
import type { ParentTask } from "../delegate/envelope.ts";
import type { TaskView } from "../delegate/group.ts";
import type { Event, RunResult } from "../events.ts";
import { localDay } from "../local_time.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Ports } from "../ports.ts";
import { apply, newRecord, noteUnkept, type RunRecord } from "../record.ts";
import { createResults, type Results } from "../results/results.ts";
import { guardInterrupted } from "../session/guard.ts";
import { lastRunOf } from "../session/restore.ts";
import type { Session } from "../session/store.ts";
import { DEFAULT_LIMITS } from "../stop.ts";
import { UndoLog } from "../undo/undo_log.ts";
import type { Embedder } from "../retrieval/embed.ts";
import type { Tool } from "../types.ts";
import { delegationOfRun, findAgents, type OpenDelegation } from "./agents_of_run.ts";
import { approveByOption } from "./approve_by_option.ts";
import { chooseEmbedder } from "./embedder.ts";
import { historyOfRun } from "./history_of_run.ts";
import { createReadOnlyJudge } from "./judge.ts";
import type { McpOfRun } from "./mcp_of_run.ts";
import { knowledgeOfRun } from "./knowledge_of_run.ts";
import type { DebugParts, RunDebug } from "./debug_of_run.ts";
import type { RunSettings } from "./load_settings.ts";
import { prepareCalls, watchFetch } from "./prepare.ts";
import type { Reader } from "./render.ts";
import type { RunOptions } from "./run_options.ts";
import type { Ground } from "./run_setup.ts";
import {
  closeRunSession,
  createRecorder,
  openRunSession,
  type SessionChoice,
} from "./run_session.ts";
import { chooseModel } from "./settings.ts";
import type { StepWriter } from "./steps.ts";
import type { UndoOutcome } from "./undo.ts";
import { watchOutput } from "./watch_output.ts";

/** Who is told of runs, and who is asked. */
export interface RunFace {
  readonly steps: StepWriter;
  readonly approve: Approver;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Is told what a running program prints. */
  readonly onOutput: (piece: Uint8Array | string, redact: (text: string) => string) => void;
  /** Is told where the tasks of a call are; left out: nobody is. */
  readonly onTasks?: (tasks: readonly TaskView[]) => void;
}

/** What holds for runs that do the work of an agent. */
export interface ServedRun {
  /** The names of the tools that there are; others do not exist. */
  readonly tools: readonly string[];
  /** What the system prompt says beside everything else. */
  readonly rules: string;
}

/** Which runs are wanted. */
export interface RunWish {
  readonly options: RunOptions;
  readonly choice: SessionChoice;
  /** Whether what is kept in memory alone can be of use once a run has ended; false if left out. */
  readonly goesOn?: boolean;
  /** Left out: a person asks, and may have all tools. */
  readonly served?: ServedRun;
  /** The task of another agent that the runs serve; left out: a person asks. */
  readonly parent?: ParentTask;
}

/** Runs that can begin, one after the other, in one session. */
export interface AssembledRun {
  readonly session: Session;
  readonly record: RunRecord;
  /** What a run is handed; another value once another model was chosen. */
  readonly runPorts: RunPorts;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /**
   * Chooses another model for the runs to come.
   *
   * @throws As `chooseModel`.
   */
  chooseModel(name: string): Promise<void>;
  /**
   * Runs a task to its end; every event is stored before its readers have it.
   *
   * @param task Null: go on with the one that was left.
   */
  follow(task: string | null, options: FollowOptions): Promise<RunResult>;
  /**
   * Makes as much room in the model's window as there can be.
   *
   * @returns What happened, stored; null where nothing would be gained.
   * @throws The signal's reason, if it is aborted while the model sums up.
   */
  compact(signal: AbortSignal): Promise<Event | null>;
  /**
   * Undoes what the newest run changed in files.
   *
   * @throws As `undoLast`.
   */
  undo(): Promise<UndoOutcome>;
  /** Ends the session, and all that runs stood on. */
  end(): void;
}

/** How one run is followed. */
export interface FollowOptions {
  readonly readers: readonly Reader[];
  readonly signal: AbortSignal;
  /** Whether what would change something is only described. */
  readonly dryRun: boolean;
}

/** Hands every event to its readers, in order, and returns the result. */
async function hand(
  events: AsyncGenerator<Event, RunResult>,
  readers: readonly Reader[],
): Promise<RunResult> {
  for (let next = await events.next();; next = await events.next()) {
    if (next.done) return next.value;
    for (const read of readers) await read(next.value);
  }
}

interface ModelParts extends Pick<RunPorts, "model" | "context" | "limits"> {
  /** What a debug file says of them; the window is in tokens. */
  readonly told: Pick<DebugParts, "place" | "window" | "temperature">;
}

/** The model of runs with what depends on it. */
async function modelParts(
  { settings, apiKey }: RunSettings,
  ports: Ports,
  { steps, signal }: RunFace,
  { past, rules }: { readonly past: () => RunRecord; readonly rules: string | undefined },
): Promise<ModelParts> {
  const { model, note, window } = await chooseModel({ ...settings, apiKey, past }, ports, signal);
  // A limit that could not be held ends the run before it begins.
  const prices = pricesOfRun(settings, model.name);
  if (note !== null) await steps.note(note);
  const { maxSteps, maxTokens, maxTimeMs, maxCost, temperature } = settings;
  const told = {
    place: {
      os: ports.os,
      cwd: ports.files.cwd(),
      date: localDay(ports.clock.now()),
      ...(rules === undefined ? {} : { rules }),
    },
    window: settings.contextWindow ?? window ?? contextWindowOf(model.name),
    temperature,
  };
  return {
    model,
    told,
    context: createContext({
      place: told.place,
      window: told.window,
      clock: ports.clock,
      sendsReasoning: () => model.sendsReasoning ?? false,
    }),
    limits: { ...DEFAULT_LIMITS, maxSteps, maxTokens, maxTimeMs, maxCost, prices },
  };
}

/** A session with what its tools bring back. */
interface Kept {
  readonly session: Session;
  readonly record: RunRecord;
  /** The steps of its task. */
  readonly todo: TodoItem[];
  readonly results: Results;
  /** Null: nothing of the session stays, so that nothing could be undone once the run has ended. */
  readonly undo: UndoLog | null;
}

async function openKept(
  { settings, secrets }: RunSettings,
  { choice, goesOn = false }: RunWish,
  ports: Ports,
  { steps }: RunFace,
): Promise<Kept> {
  const { session, record, todo, notes } = await openRunSession(choice, {
    keep: settings.session,
    redact: (data) => results.redact(data),
    onFailure: (text) => {
      noteUnkept(record);
      void steps.warn(text);
    },
  }, ports);
  for (const text of notes) await steps.warn(text);
  const spills = session.folder === null ? ports.spills : ports.spillsIn(session.folder);
  const results = createResults({ spills, secrets });
  const warn = (text: string) => void steps.warn(text);
  const isKept = session.folder !== null || goesOn;
  const undo = isKept ? new UndoLog(session, ports, { warn }) : null;
  return { session, record, todo, results, undo };
}

/** What the model may call, and the list of its task. */
interface Offer {
  readonly tools: readonly Tool[];
  readonly todo: readonly TodoItem[];
  readonly delegation: OpenDelegation;
  /** Null: no servers are configured. */
  readonly mcp: McpOfRun | null;
}

/** What offering tools needs beside the outside world. */
interface OfferOptions extends Pick<RunFace, "steps" | "signal"> {
  readonly embedder: () => Promise<Embedder | null>;
  readonly delegation: OpenDelegation;
  readonly window: number;
}

async function offerTools(
  ground: Ground,
  { session, todo, results: { outputs }, undo }: Kept,
  ports: Ports,
  { steps, embedder, delegation, window, signal }: OfferOptions,
): Promise<Offer> {
  const { sandbox } = ground;
  const knowledge = await knowledgeOfRun(ports, { embedder, warn: (text) => steps.warn(text) });
  const history = historyOfRun({ session, outputs, embedder });
  const files = undo?.files ?? ports.files;
  const toolPorts = { ...ports, files, processes: sandbox.processes };
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

/** What assembled runs are made of. */
interface Parts {
  readonly ground: Ground;
  readonly kept: Kept;
  readonly offer: Offer;
  readonly readOnly: RunPorts["judge"];
  readonly ports: Ports;
  readonly options: RunOptions;
  readonly face: RunFace;
  readonly served: ServedRun | undefined;
  readonly partsOf: (settings: RunSettings) => Promise<ModelParts>;
  readonly debug: RunDebug | null;
}

/** What stays the same, whatever model is asked. */
function steadyPorts(
  { ground: { judge }, kept, offer: { tools, todo }, readOnly, ports, options, face, served }:
    Parts,
): Omit<RunPorts, keyof ModelParts> {
  const { record, results, session } = kept;
  const { approve: rules = [], approveAll: all = false } = options;
  return {
    tools,
    judge: guardInterrupted(judge.judge, { record, tools, readOnly }),
    approve: approveByOption(face.approve, { rules, all }),
    session: session.id,
    openItems: () => todo.filter(({ done }) => !done).map(({ text }) => text),
    clock: ports.clock,
    results: watchOutput(
      results,
      (piece) => face.onOutput(piece, (text) => redactText(results, text)),
    ),
    newId: ports.newId,
    random: ports.random,
    readOnly: null,
    // Nobody is there who could say whether a call that did not begin is still wanted.
    ...(served === undefined ? {} : { runsPending: true }),
  };
}

function redactText(results: Results, text: string): string {
  return String(results.redact({ text })["text"]);
}

class Assembled implements AssembledRun {
  readonly session: Session;
  readonly record: RunRecord;
  readonly #parts: Parts;
  readonly #steady: Omit<RunPorts, keyof ModelParts>;
  readonly #finished = new AbortController();
  #model: ModelParts;

  constructor(parts: Parts, model: ModelParts) {
    this.session = parts.kept.session;
    this.record = parts.kept.record;
    this.#parts = parts;
    this.#steady = steadyPorts(parts);
    this.#model = model;
  }

  get runPorts(): RunPorts {
    const { ground: { answerForm }, debug } = this.#parts;
    const { context, limits, model: asked } = this.#model;
    const bind = answerForm &&
      { answerForm: { ...answerForm, bound: asked.bindsAnswers ?? false } };
    const model = debug?.watch(asked) ?? asked;
    return { ...this.#steady, context, limits, model, ...bind };
  }

  /** Makes ready what the first call needs, once the model begins to answer. */
  prepare(answering: Promise<void>): void {
    const { ground: { judge, sandbox }, kept: { results }, offer: { tools }, face } = this.#parts;
    const { clock } = this.#parts.ports;
    const waiting = { clock, signal: AbortSignal.any([face.signal, this.#finished.signal]) };
    void prepareCalls({ tools, judge, results, sandbox }, answering, waiting);
  }

  redact(text: string): string {
    return redactText(this.#parts.kept.results, text);
  }

  async chooseModel(name: string): Promise<void> {
    const { ground: { loaded }, partsOf } = this.#parts;
    this.#model = await partsOf({ ...loaded, settings: { ...loaded.settings, model: name } });
  }

  follow(task: string | null, { readers, signal, dryRun }: FollowOptions): Promise<RunResult> {
    const { session, record } = this;
    const { ground: { answerForm }, kept: { undo }, offer: { tools }, readOnly, debug } = this
      .#parts;
    const { model, limits, told } = this.#model;
    const answerSchema = answerForm?.schema ?? null;
    debug?.assembled({ model, limits, ...told, answerSchema, session: session.id });
    const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
    const runPorts = { ...this.runPorts, readOnly: dryRun ? readOnly : null };
    const recorder = createRecorder(session, effectOf);
    const keeper: Reader = (event) => undo?.event(event) ?? Promise.resolve();
    const noted: Reader = (event) => Promise.resolve(debug?.event(event));
    return hand(run({ task, record }, runPorts, signal), [recorder, keeper, noted, ...readers]);
  }

  async compact(signal: AbortSignal): Promise<Event | null> {
    const { session, record } = this;
    const { context, model, tools } = this.runPorts;
    const body = await context.compact({ record, last: "", tools }, { model, signal });
    if (body === null) return null;
    const at = new Date(this.#parts.ports.clock.now()).toISOString();
    // It happens between two runs, and belongs to the one before.
    const run_id = lastRunOf(session.events()) ?? this.#parts.ports.newId();
    const event = { schema: "rein-event/1", at, run_id, step: record.steps, ...body } as const;
    apply(record, event);
    session.append(event, { durable: false });
    this.#parts.debug?.event(event);
    return event;
  }

  async undo(): Promise<UndoOutcome> {
    const { kept: { undo }, ports } = this.#parts;
    if (undo === null) return { kind: "nothing" };
    const { undoLast } = await import("./undo.ts");
    const outcome = await undoLast(this.session, undo, ports);
    if (outcome.kind === "undone") {
      apply(this.record, outcome.event);
      this.#parts.debug?.event(outcome.event);
    }
    return outcome;
  }

  end(): void {
    const { ground, kept: { results, undo }, offer: { delegation, mcp }, ports } = this.#parts;
    this.#finished.abort();
    delegation.close();
    void mcp?.end();
    ground.sandbox.end();
    results.end();
    undo?.close();
    this.#parts.debug?.close();
    closeRunSession(this.session, ports);
  }
}

/** The debug file that the command line names; it is loaded only then. */
async function debugOf(
  { debug: path, policy }: RunOptions,
  face: { readonly secrets: readonly string[]; readonly steps: StepWriter },
  ports: Ports,
): Promise<RunDebug | null> {
  if (path === undefined) return null;
  const { openRunDebug } = await import("./debug_of_run.ts");
  return await openRunDebug({ path, policy, ...face }, ports);
}

/**
 * Puts runs together and opens their session.
 *
 * @throws {UsageError} If a setting is wrong.
 * @throws {SyntaxError} If a recording has a fault.
 * @throws {SessionError} If the session can't be used.
 * @throws {ModelError} If no model is set and none is found.
 * @throws The signal's reason, if it is aborted before.
 */
export async function assembleRun(
  ground: Ground,
  wish: RunWish,
  ports: Ports,
  face: RunFace,
): Promise<AssembledRun> {
  const { settings, apiKey } = ground.loaded;
  const { options, served } = wish;
  const agents = ground.agents ?? await findAgents(options, ports);
  const secrets = [...ground.loaded.secrets, ...agents.tokens];
  const { steps, signal } = face;
  const debug = await debugOf(options, { secrets, steps }, ports);
  const { fetch, response } = watchFetch(debug?.fetch ?? ports.fetch);
  let record = newRecord();
  const partsOf = (loaded: RunSettings) =>
    modelParts(loaded, { ...ports, fetch }, face, { past: () => record, rules: served?.rules });
  const chosen = await partsOf(ground.loaded);
  const kept = await openKept({ ...ground.loaded, secrets }, wish, ports, face);
  record = kept.record;
  const { model } = chosen;
  const embedder = () => chooseEmbedder({ ...settings, apiKey }, ports, { model, signal });
  const policy = ground.judge.settings.walls.recursive;
  const delegation = await delegationOfRun(agents, ports, { wish, policy, kept, face });
  const { window } = chosen.told;
  const beside = { steps, embedder, delegation, window, signal };
  const all = await offerTools(ground, kept, ports, beside);
  const offer = served === undefined
    ? all
    : { ...all, tools: all.tools.filter(({ name }) => served.tools.includes(name)) };
  const readOnly = createReadOnlyJudge(ports);
  debug?.earlier(kept.session.events());
  const runs = new Assembled(
    { ground, kept, offer, readOnly, ports, options, face, served, partsOf, debug },
    chosen,
  );
  runs.prepare(response());
  return runs;
}
