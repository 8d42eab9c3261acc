/**
 * Taking secrets out of texts and of data that holds texts.
 *
 * @module
 */

import type { Json, JsonObject } from "../types.ts";
import { Inspector, type Patterns } from "./inspect.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Names of fields whose text is a secret whatever it looks like. */
const SECRET_NAME =
  /(?:password|passwd|passphrase|secret|api_?key|access_?key|private_?key|auth_?token|access_?token|refresh_?token|credentials?|authorization)$/i;

/** A text without its secrets. */
export function redactText(text: string, patterns: Patterns): string {
  const kept: string[] = [];
  const inspector = new Inspector(patterns, (bytes) => kept.push(decoder.decode(bytes)));
  inspector.push(encoder.encode(text), 0);
  return inspector.counts.secrets === 0 ? text.toWellFormed() : kept.join("");
}

function redactField(name: string, value: Json, patterns: Patterns): Json {
  if (typeof value === "string" && value !== "" && SECRET_NAME.test(name)) {
    return "[redacted: field]";
  }
  return redactJson(value, patterns);
}

function redactJson(value: Json, patterns: Patterns): Json {
  if (typeof value === "string") return redactText(value, patterns);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(item, patterns));
  return redactData(value as JsonObject, patterns);
}

/** An object without the secrets of its texts, however deep. */
export function redactData(data: JsonObject, patterns: Patterns): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, redactField(name, value, patterns)]),
  );
}
