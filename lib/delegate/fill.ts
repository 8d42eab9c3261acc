/**
 * References in the parameters of a task to what earlier tasks brought: `{{orders.data.items[0].id}}`.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { clip } from "../results/characters.ts";
import type { Json, JsonObject } from "../types.ts";
import type { ResultEnvelope } from "./types.ts";

/** A reference as it stands in a text. */
export interface Reference {
  /** With its braces. */
  readonly text: string;
  /** The name of the task that it refers to. */
  readonly task: string;
  /** Names of fields and indexes of lists. */
  readonly path: readonly string[];
}

/** Parameters with everything filled in, or why that can't be; one sentence. */
export type Filled =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly fault: string };

/** Characters of filled parameters at the most, as JSON. */
export const MAX_PARAMS_CHARS = 1_000_000;

/** Anything in double braces. */
const BRACES = /\{\{([^{}]*)\}\}/g;

/** A name, and where to go from there. */
const INNER = /^\s*([\p{L}\p{N}_-]+)((?:\.[^.[\]\s]+|\[\d+\])+)\s*$/u;

/** Names and values that are shown of what there is. */
const SHOWN_NAMES = 12;

/** The parts of a result that can be referred to. */
const PARTS = ["data", "status", "error", "cost"] as const;

/** What stands in double braces, as a reference; null: it is a text like others. */
function referenceOf(text: string, inner: string): Reference | null {
  const [, task, steps] = INNER.exec(inner) ?? [];
  if (task === undefined || steps === undefined) return null;
  const path = [...steps.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, at]) =>
    name ?? at ?? ""
  );
  return { text, task, path };
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((part: Json) => textsIn(part));
}

function inText(text: string): Reference[] {
  return [...text.matchAll(BRACES)].map(([whole, inner = ""]) => referenceOf(whole, inner))
    .filter((reference) => reference !== null);
}

/** The references in parameters, however deep; keys are not looked at. */
export function referencesIn(params: Json): readonly Reference[] {
  return textsIn(params).flatMap(inText);
}

/** Why a reference leads nowhere; what there is instead. */
class FillError extends Error {}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => clip(name, 40)).join(", ");
  return names.length > SHOWN_NAMES ? `${shown} and ${names.length - SHOWN_NAMES} more` : shown;
}

function whatThereIs(value: Json, wanted: string): string {
  if (Array.isArray(value)) return `it is a list of ${value.length}, counted from 0`;
  if (value === null || typeof value !== "object") {
    return `it is ${clip(JSON.stringify(value), 40)}`;
  }
  const names = Object.keys(value);
  const near = closest(wanted, names)[0];
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return names.length === 0 ? "it is empty" : `it has ${namesText(names)}${hint}`;
}

function stepInto(value: Json, name: string): Json | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** A result as references see it. */
function rootOf(result: ResultEnvelope): JsonObject {
  return Object.fromEntries(PARTS.map((part) => [part, result[part] as unknown as Json]));
}

function valueOf(
  { text, task, path }: Reference,
  results: ReadonlyMap<string, ResultEnvelope>,
): Json {
  const result = results.get(task);
  if (result === undefined) {
    throw new FillError(`${text}: no task "${task}" has brought a result`);
  }
  let value: Json = rootOf(result);
  let place = task;
  for (const name of path) {
    const next = stepInto(value, name);
    if (next === undefined) {
      throw new FillError(`${text}: "${place}" has no "${name}", ${whatThereIs(value, name)}`);
    }
    value = next;
    place = `${place}.${name}`;
  }
  return value;
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fillText(text: string, results: ReadonlyMap<string, ResultEnvelope>): Json {
  const [only] = inText(text);
  // A value that stands alone keeps its type.
  if (only !== undefined && only.text === text.trim()) return valueOf(only, results);
  return text.replaceAll(BRACES, (whole: string, inner: string) => {
    const reference = referenceOf(whole, inner);
    return reference === null ? whole : asText(valueOf(reference, results));
  });
}

function fill(value: Json, results: ReadonlyMap<string, ResultEnvelope>): Json {
  if (typeof value === "string") return fillText(value, results);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, results));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fill(part as Json, results)]),
  );
}

/**
 * Fills in what earlier tasks brought. A text that is one reference becomes its value, of whatever
 * type; within a longer text, values become text. What was filled in is not looked at again.
 *
 * @param results By the names of their tasks.
 */
export function fillParams(
  params: JsonObject,
  results: ReadonlyMap<string, ResultEnvelope>,
): Filled {
  try {
    const filled = fill(params, results) as JsonObject;
    const chars = JSON.stringify(filled).length;
    if (chars <= MAX_PARAMS_CHARS) return { ok: true, params: filled };
    const fault = `The parameters have ${chars} characters with what was filled in, ` +
      `and may have ${MAX_PARAMS_CHARS}`;
    return { ok: false, fault };
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    return { ok: false, fault: error.message };
  }
}
