/**
 * A model's summary, from its text to a digest. Whatever it wrote, each fact has a call that
 * showed it, or is left out.
 *
 * @module
 */

import type { Digest, Fact } from "../events.ts";
import { clip } from "../results/characters.ts";
import { FACT_CHARS } from "./mechanical.ts";

/** A call that the model was shown, by the number it was shown under. */
export interface ShownCall {
  readonly id: string;
  readonly step: number;
  /** What it brought, as the model saw it. */
  readonly content: string;
}

/** What a summary is held to. */
export interface DigestSource {
  /** The first is number 1. */
  readonly calls: readonly ShownCall[];
  /** Whether something else was shown too: what the person said, or an answer. */
  readonly spoken: boolean;
  /** Whether the model was cut off before its end. */
  readonly cutOff: boolean;
}

/** Items of each list at the most. */
const MAX_FACTS = 30;
const MAX_POINTS = 8;

const POINT_CHARS = 240;

/** A fact's word that tells it from others, if it stands in a call's result. */
const TELLING = /[\p{L}\p{N}._:/-]*\d[\p{L}\p{N}._:/-]*|\p{L}{6,}|\p{Script=Han}{2,}/gu;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where the object begins that is meant: a model that thinks aloud may try several. */
const BEGINNING = /\{\s*["']?facts\b/g;

/** The object in a text, whatever stands around it: a fence, a greeting, thoughts. */
async function objectIn(text: string, cutOff: boolean): Promise<Record<string, unknown> | null> {
  const start = [...text.matchAll(BEGINNING)].at(-1)?.index ?? text.indexOf("{");
  const end = cutOff ? text.length : text.lastIndexOf("}") + 1;
  if (start === -1 || end <= start) return null;
  const json = text.slice(start, end);
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return await mended(json);
  }
}

async function mended(json: string): Promise<Record<string, unknown> | null> {
  const { jsonrepair } = await import("jsonrepair");
  try {
    const value: unknown = JSON.parse(jsonrepair(json));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function pointsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === "string")
    .map((item) => clip(item.replace(/\s+/g, " ").trim(), POINT_CHARS))
    .filter((item) => item !== "").slice(0, MAX_POINTS);
}

/** The call whose result has most of a fact's telling words; null if none has half of them. */
function likelyCall(text: string, calls: readonly ShownCall[]): ShownCall | null {
  const words = [...new Set(text.toLowerCase().match(TELLING) ?? [])];
  const found = calls.map((call) => {
    const content = call.content.toLowerCase();
    return { call, hits: words.filter((word) => content.includes(word)).length };
  });
  const best = found.reduce((one, other) => other.hits > one.hits ? other : one, {
    call: null as ShownCall | null,
    hits: 0,
  });
  return best.hits * 2 >= words.length ? best.call : null;
}

function namedCall(named: unknown, calls: readonly ShownCall[]): ShownCall | null {
  const name = typeof named === "number" || typeof named === "string" ? String(named).trim() : "";
  const byId = calls.find(({ id }) => id === name);
  if (byId) return byId;
  const number = /^\D{0,6}(\d+)\D?$/.exec(name)?.[1];
  return number === undefined ? null : calls[Number(number) - 1] ?? null;
}

function factOf(value: unknown, { calls, spoken }: DigestSource): Fact | null {
  const given = isObject(value) ? value["text"] : value;
  if (typeof given !== "string" || given.trim() === "") return null;
  const text = clip(given.replace(/\s+/g, " ").trim(), FACT_CHARS);
  const named = isObject(value) ? value["call"] : undefined;
  const call = namedCall(named, calls) ?? likelyCall(text, calls);
  if (call !== null) return { text, call: call.id, step: call.step };
  return spoken && named === null ? { text, call: null, step: 0 } : null;
}

/**
 * Reads a summary.
 *
 * @param text As the model wrote it.
 * @returns Null where it is no summary, or none of its facts rests on what the model was shown.
 */
export async function parseDigest(text: string, source: DigestSource): Promise<Digest | null> {
  const object = await objectIn(text, source.cutOff);
  const given = object?.["facts"];
  if (!object || !Array.isArray(given)) return null;
  // The last fact of a text that was cut off may be half of one.
  const whole = given.slice(0, source.cutOff ? -1 : undefined).slice(0, MAX_FACTS);
  const facts = whole.map((fact) => factOf(fact, source)).filter((fact) => fact !== null);
  if (given.length > 0 && facts.length === 0) return null;
  return { facts, decisions: pointsOf(object["decisions"]), open: pointsOf(object["open"]) };
}
