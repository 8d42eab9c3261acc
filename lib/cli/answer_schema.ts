/**
 * `--schema FILE`: the form that an answer must have.
 *
 * @module
 */

import { type AnswerForm, createAnswerForm } from "../answer/form.ts";
import { message } from "../messages/messages.ts";
import type { Files } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import { readNamedFile, UsageError } from "./failure.ts";

/** A schema goes with every request; longer ones leave too little room. In characters. */
const MOST_CHARS = 50_000;

function parsedSchema(text: string, path: string): JsonObject {
  if (text.length > MOST_CHARS) {
    const fault = message("usage.schema_long", { path, chars: MOST_CHARS });
    throw new UsageError(fault, message("usage.schema_long_hint"));
  }
  const hint = message("usage.schema_object_hint");
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new UsageError(message("usage.schema_not_json", { path, detail }), hint, error);
  }
  throw new UsageError(message("usage.schema_no_object", { path }), hint);
}

/**
 * Reads and compiles a schema.
 *
 * @returns A form of which it is not said yet whether a server holds answers to it.
 * @throws {UsageError} If the file can't be read, or is no JSON Schema.
 */
export async function loadAnswerForm(path: string, files: Files): Promise<AnswerForm> {
  const schema = parsedSchema(
    await readNamedFile(files, message("file.answer_schema"), path),
    path,
  );
  try {
    return await createAnswerForm(schema, { bound: false });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const hint = message("usage.schema_drafts_hint");
    throw new UsageError(message("usage.schema_unusable", { path, detail }), hint, error);
  }
}
