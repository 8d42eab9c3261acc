/**
 * The form that a final answer must have: JSON that fits a schema.
 *
 * @module
 */

import { clip } from "../results/characters.ts";
import type { Json, JsonObject } from "../types.ts";
import { jsonInText } from "./json_in_text.ts";

/** What an answer comes to. */
export type CheckedAnswer =
  | {
    readonly fits: true;
    /** The JSON as it was written, compact. */
    readonly text: string;
    readonly data: Json;
  }
  | { readonly fits: false; readonly errors: readonly string[] };

/** What a final answer must fit. */
export interface AnswerForm {
  readonly schema: JsonObject;
  /** Whether the model's server can hold an answer to it. */
  readonly bound: boolean;
  /** Checks an answer. */
  check(text: string): CheckedAnswer;
}

/** Errors that are told at the most. */
const MOST_ERRORS = 20;

/** Characters of one error. */
const ERROR_CHARS = 300;

const NO_JSON = "the answer holds no JSON value";
const SEVERAL = "the answer holds more than one JSON value";

function told(errors: readonly string[]): readonly string[] {
  const shown = [...new Set(errors)].map((error) => clip(error, ERROR_CHARS));
  const rest = shown.length - MOST_ERRORS;
  return rest > 0 ? [...shown.slice(0, MOST_ERRORS), `and ${rest} more`] : shown;
}

/**
 * Builds the form.
 *
 * @param schema A JSON Schema, in its own dialect; without one in 2020-12.
 * @throws {Error} If it is no schema, or refers to what is not in it.
 */
export async function createAnswerForm(
  schema: JsonObject,
  { bound }: Pick<AnswerForm, "bound">,
): Promise<AnswerForm> {
  const { compileSchema } = await import("./compile_schema.ts");
  const faultsOf = compileSchema(schema);
  return {
    schema,
    bound,
    check: (text) => {
      const json = jsonInText(text);
      if (json === "none") return { fits: false, errors: [NO_JSON] };
      if (json === "several") return { fits: false, errors: [SEVERAL] };
      const errors = told(faultsOf(json.value));
      if (errors.length > 0) return { fits: false, errors };
      return { fits: true, text: json.text, data: json.value };
    },
  };
}
