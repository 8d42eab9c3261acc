/**
 * The entries of an audit log. Shapes only.
 *
 * @module
 */

import type { RunStatus, StopReason, TokenUsage } from "../events.ts";
import type { Approval, CallStatus, Decision, Evaluation, Json, JsonObject } from "../types.ts";

/** The version of entries that rein writes and reads. */
export const AUDIT_SCHEMA = "rein-audit/1";

/** The hash before the first entry. */
export const NO_HASH = "0".repeat(64);

/** Who did something, and where; null where it can't be known. */
export interface Actor {
  readonly host: string | null;
  /** The number is the system's word, the name is the environment's. */
  readonly user: { readonly uid: number | null; readonly name: string | null };
  /** The working directory. */
  readonly cwd: string | null;
  readonly pid: number;
}

/** Which run an entry belongs to; null for what the log says of itself. */
export interface RunPlace {
  readonly run_id: string | null;
  readonly session: string | null;
  /** The same for all that one question led to, across agents. */
  readonly trace_id: string | null;
  /** From 1; 0 before the first step. */
  readonly step: number;
}

/** A task that was handed to a business agent. */
export interface DelegatedTask {
  readonly agent: string;
  readonly intent: string;
  /** Null before it is sent, or where it never was. */
  readonly task_id: string | null;
}

/** A line that its writer could not end, and that stays as it is. */
export interface TornLine {
  readonly bytes: number;
  readonly sha256: string;
}

/** What an entry says beside who, where, and its place in the log. */
export type EntryBody =
  | {
    readonly kind: "run_started";
    readonly task: string;
    readonly model: { readonly name: string; readonly source: string; readonly recorded: boolean };
    readonly resumed: "no" | "crashed" | "stopped";
    readonly version: string;
  }
  | {
    readonly kind: "call_judged";
    readonly call_id: string;
    readonly tool: string;
    /** Parsed; the model's text where that is no JSON. Long texts are cut. */
    readonly arguments: Json;
    readonly evaluation: Evaluation;
  }
  | {
    readonly kind: "approval";
    readonly call_id: string;
    readonly tool: string;
    readonly approval: Approval;
  }
  /** What the call does happens after this entry is in the log. */
  | {
    readonly kind: "call_started";
    readonly call_id: string;
    readonly tool: string;
    readonly brief: string;
    /** Null: the tool hands no tasks to others. */
    readonly delegation: readonly DelegatedTask[] | null;
  }
  | {
    readonly kind: "call_finished";
    readonly call_id: string;
    readonly tool: string;
    readonly brief: string;
    /** As in `call_judged`; null where such an entry has them. */
    readonly arguments: Json;
    readonly decision: Decision | null;
    readonly status: CallStatus;
    /** The code of its error; null where there is none. */
    readonly error: string | null;
    /** Its result in one line. */
    readonly summary: string;
    /** Characters of the result's JSON, as the model got it. */
    readonly result_chars: number;
    /** Characters that were cut off before. */
    readonly omitted_chars: number;
    readonly ms: number;
    /** Null: the tool hands no tasks to others. */
    readonly delegation: readonly DelegatedTask[] | null;
  }
  | {
    readonly kind: "run_finished";
    readonly status: RunStatus;
    readonly stop_reason: StopReason | null;
    readonly steps: number;
    readonly calls: number;
    readonly usage: TokenUsage;
    readonly cost: number | null;
    readonly elapsed_ms: number;
    /** The code of its error; null where there is none. */
    readonly error: string | null;
  }
  /** What follows happens after this entry is in the log. */
  | {
    readonly kind: "changes_undone";
    readonly undone_run: string;
    /** Absolute. */
    readonly paths: readonly string[];
  }
  /** The first entry of every file. */
  | {
    readonly kind: "file_started";
    /** The name of the file that goes before; null where there is none. */
    readonly continues: string | null;
  }
  /** The log was not as its last writer had left it. */
  | {
    readonly kind: "recovered";
    /** The line before this entry, which is no entry; null where there is none. */
    readonly torn: TornLine | null;
    /** Numbers that were given and whose entries are not there; null where none are missing. */
    readonly lost: { readonly from: number; readonly to: number } | null;
    /** What was found of the file that says where the log ends. */
    readonly head: "whole" | "missing" | "damaged";
  };

/** An entry before it has its place in the log. */
export type DraftEntry = { readonly at: string } & Actor & RunPlace & EntryBody;

/** What binds an entry to its place. */
export interface EntryPlace {
  readonly schema: typeof AUDIT_SCHEMA;
  /** From 1, without gaps, across files. */
  readonly seq: number;
  /** The SHA-256 of the canonical JSON (RFC 8785) of the entry before, in hexadecimal digits. */
  readonly prev: string;
  /** HMAC-SHA-256 of the canonical JSON of all but this field; left out where there is no key. */
  readonly mac?: string;
}

/** An entry, as it stands in the log. */
export type AuditEntry = EntryPlace & DraftEntry;

/** The kinds of entries. */
export type EntryKind = EntryBody["kind"];

/** An entry whose place was read, and whose body was not looked at. */
export type RawEntry = EntryPlace & JsonObject;

/** Whether a value is an entry of this version, as far as its place goes. */
export function isEntry(value: unknown): value is RawEntry {
  if (typeof value !== "object" || value === null) return false;
  const { schema, seq, prev, kind } = value as Record<string, unknown>;
  return schema === AUDIT_SCHEMA && Number.isSafeInteger(seq) && Number(seq) > 0 &&
    typeof prev === "string" && typeof kind === "string";
}
