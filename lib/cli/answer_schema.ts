/**
 * `--schema FILE`: the form that an answer must have.
 *
 * @module
 */

import { type AnswerForm, createAnswerForm } from "../answer/form.ts";
import type { Files } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import { readNamedFile, UsageError } from "./failure.ts";

/** A schema goes with every request; longer ones leave too little room. In characters. */
const MOST_CHARS = 50_000;

function parsedSchema(text: string, path: string): JsonObject {
  if (text.length > MOST_CHARS) {
    const message = `The answer schema "${path}" has more than ${MOST_CHARS} characters`;
    throw new UsageError(message, "Leave out what the answer does not need.");
  }
  const hint = "It takes an object, such as one with a type and properties.";
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The answer schema "${path}" is not JSON: ${detail}`, hint, error);
  }
  throw new UsageError(`The answer schema "${path}" is no JSON object`, hint);
}

/**
 * Reads and compiles a schema.
 *
 * @returns A form of which it is not said yet whether a server holds answers to it.
 * @throws {UsageError} If the file can't be read, or is no JSON Schema.
 */
export async function loadAnswerForm(path: string, files: Files): Promise<AnswerForm> {
  const schema = parsedSchema(await readNamedFile(files, "answer schema", path), path);
  try {
    return await createAnswerForm(schema, { bound: false });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const hint = "It takes JSON Schema of draft 6 or 7, 2019-09 or 2020-12, in one file.";
    throw new UsageError(`The answer schema "${path}" can't be used: ${detail}`, hint, error);
  }
}
