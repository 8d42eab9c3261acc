/**
 * From the events of a run to the entries of the audit log.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import { repairArguments } from "../calls/repair.ts";
import type { Event } from "../events.ts";
import type { Hashes } from "../audit_ports.ts";
import { type Redact, redactEvent } from "../session/redact_event.ts";
import type { Approval, Effect, Json, JsonObject } from "../types.ts";
import { VERSION } from "../version.ts";
import { boundArguments, boundEvaluation, boundText, clipText } from "./bound.ts";
import type { DelegatedTask, EntryBody, RunPlace } from "./entry.ts";

/** Characters of what is told in one line: a result, the reason of an approval. */
const LINE_CHARS = 500;

/** Tasks of one call that are told of, at the most. */
const MAX_TASKS = 50;

/** The tool that hands tasks to business agents. */
const DELEGATE = "delegate";

/** An entry that is to be written, without who writes it. */
export type Told = { readonly at: string } & RunPlace & EntryBody;

/** Takes entries into the log. */
export interface EntrySink {
  /**
   * @param durable Whether it waits until they are on the disk.
   * @throws {AuditError} If they can't be written and must be.
   */
  write(entries: readonly Told[], durable: boolean): Promise<void>;
}

/** What auditing a run depends on. */
export interface AuditorOptions {
  /** Takes secrets out, as for a session. */
  readonly redact: Redact;
  /** The session that the run belongs to; null where nothing is kept. */
  readonly session: string | null;
  readonly effectOf: (tool: string) => Effect | undefined;
  readonly hashes: Hashes;
}

function textIn(value: Json | undefined, name: string): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const field = (value as JsonObject)[name];
  return typeof field === "string" ? clipText(field, LINE_CHARS) : null;
}

/** The ids of a delegation; null for every other call. */
/** The tasks of a call: of its arguments before it runs, of its result afterwards. */
function delegationOf(tool: string, from: Json | undefined): readonly DelegatedTask[] | null {
  if (tool !== DELEGATE) return null;
  const tasks = typeof from === "object" && from !== null && !Array.isArray(from)
    ? (from as JsonObject)["tasks"]
    : [];
  if (!Array.isArray(tasks)) return [];
  return tasks.slice(0, MAX_TASKS).map((task: Json) => ({
    agent: clipText(textIn(task, "agent") ?? "", LINE_CHARS),
    intent: clipText(textIn(task, "intent") ?? "", LINE_CHARS),
    task_id: textIn(task, "task_id"),
  }));
}

function boundApproval(approval: Approval): Approval {
  if (!("reason" in approval) || approval.reason === null) return approval;
  return { ...approval, reason: clipText(approval.reason, LINE_CHARS) };
}

/** Follows a run. An entry is in the log before what its event announces happens. */
export class Auditor {
  readonly #sink: EntrySink;
  readonly #options: AuditorOptions;
  /** Arguments as they were proposed, by the ids of their calls. */
  readonly #proposed = new Map<string, Json>();
  /** The trace of the newest run; its own id where it begins one. */
  #trace: string | null = null;
  /** Calls whose judgement, with their arguments, is in the log. */
  readonly #judged = new Set<string>();
  /** Entries by which nothing happens: they are written with the next one. */
  #waiting: Told[] = [];

  constructor(sink: EntrySink, options: AuditorOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /**
   * Takes the next event of the run.
   *
   * @throws {AuditError} If the log can't be written and must be.
   */
  async event(event: Event): Promise<void> {
    if (!AUDITED.has(event.type)) return;
    const clean = redactEvent(event, this.#options.redact);
    if (clean.type === "call_proposed") {
      this.#proposed.set(clean.call_id, await this.#parsed(clean.arguments));
      return;
    }
    const body = await this.#bodyOf(clean);
    if (body === null) return;
    const { at, run_id, step } = clean;
    if (clean.type === "run_started") this.#trace = clean.trace_id ?? run_id;
    const place = { run_id, session: this.#options.session, trace_id: this.#trace, step };
    this.#waiting.push({ at, ...place, ...body });
    if (body.kind !== "call_judged") await this.#flush(this.#isChange(body));
  }

  async #flush(durable: boolean): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    await this.#sink.write(entries, durable);
  }

  /** Before something changes, or may, the entry is on the disk. */
  #isChange(body: EntryBody): boolean {
    if (body.kind === "changes_undone") return true;
    return body.kind === "call_started" && this.#options.effectOf(body.tool) !== "read";
  }

  /** Arguments as the pipeline reads them. */
  async #parsed(text: string): Promise<Json> {
    const parsed = parseArguments(text);
    const args = parsed.ok ? parsed.args : await repairArguments(text);
    // What was mended was redacted as a text: its fields are looked at now.
    const value = args === null ? text : parsed.ok ? args : this.#options.redact(args);
    return await boundArguments(value, this.#options.hashes);
  }

  async #bodyOf(event: Event): Promise<EntryBody | null> {
    switch (event.type) {
      case "run_started": {
        const { model, resumed } = event;
        const task = await boundText(event.task, this.#options.hashes);
        return { kind: "run_started", task, model, resumed, version: VERSION };
      }
      case "call_judged": {
        const { call_id, tool } = event;
        this.#judged.add(call_id);
        const args = this.#proposed.get(call_id) ?? null;
        const evaluation = boundEvaluation(event.evaluation);
        return { kind: "call_judged", call_id, tool, arguments: args, evaluation };
      }
      case "approval_answered": {
        const { call_id, tool } = event;
        return { kind: "approval", call_id, tool, approval: boundApproval(event.approval) };
      }
      case "call_started": {
        const { call_id, tool, brief } = event;
        const delegation = delegationOf(tool, this.#proposed.get(call_id));
        return {
          kind: "call_started",
          call_id,
          tool,
          brief: clipText(brief, LINE_CHARS),
          delegation,
        };
      }
      case "call_finished":
        return await this.#finished(event);
      case "changes_undone": {
        const paths = event.paths.map((path) => clipText(path, LINE_CHARS));
        return { kind: "changes_undone", undone_run: event.undone_run, paths };
      }
      case "run_finished": {
        const { status, stop_reason, steps, calls, usage, cost, elapsed_ms, error } = event.result;
        return {
          kind: "run_finished",
          ...{ status, stop_reason, steps, usage, cost, elapsed_ms },
          calls: calls.length,
          error: error?.code ?? null,
        };
      }
      default:
        return null;
    }
  }

  async #finished(event: Extract<Event, { type: "call_finished" }>): Promise<EntryBody> {
    const { call_id, tool, brief, decision, observation, ms } = event;
    const { status, data, error, truncated } = observation;
    const args = this.#judged.delete(call_id)
      ? null
      : await boundArguments(event.arguments, this.#options.hashes);
    this.#proposed.delete(call_id);
    const summary = String(this.#options.redact({ text: observation.summary })["text"]);
    return {
      kind: "call_finished",
      ...{ call_id, tool, decision, status, ms },
      brief: clipText(brief, LINE_CHARS),
      arguments: args,
      error: error?.code ?? null,
      summary: clipText(summary, LINE_CHARS),
      result_chars: data === null ? 0 : JSON.stringify(data).length,
      omitted_chars: truncated.reduce((sum, cut) => sum + cut.omitted_chars, 0),
      delegation: delegationOf(tool, data),
    };
  }
}

/** Events that the log tells of, or needs. */
const AUDITED: ReadonlySet<Event["type"]> = new Set([
  ...["run_started", "call_proposed", "call_judged", "approval_answered"] as const,
  ...["call_started", "call_finished", "changes_undone", "run_finished"] as const,
]);
