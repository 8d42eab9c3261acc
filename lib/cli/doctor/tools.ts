/**
 * The tools with which a model is examined, beside the calculator: they touch nothing.
 *
 * @module
 */

import type { JsonObject, ObjectSchema, Tool, ToolOutcome } from "../../types.ts";

/** What stays the same in both. */
const HARMLESS = {
  effect: "read",
  timeoutMs: 5_000,
  limits: {},
  subjects: () => [],
} as const;

function schemaOf(field: string, description: string): ObjectSchema {
  return {
    type: "object",
    properties: { [field]: { type: "string", description } },
    required: [field],
    additionalProperties: false,
  };
}

function textOf(args: JsonObject, field: string): string {
  return String(args[field]);
}

/** Takes a text, so that it can be seen whether it arrives as it was asked for. */
export const noteTool: Tool = {
  ...HARMLESS,
  name: "note",
  description: "Writes a note down, word for word.",
  parameters: schemaOf("text", "The words of the note."),
  brief: (args) => textOf(args, "text"),
  run(args): Promise<ToolOutcome> {
    const chars = textOf(args, "text").length;
    return Promise.resolve({ ok: true, data: { chars }, summary: `${chars} characters` });
  },
};

/** What the thermometer shows, in degrees. */
export const DEGREES = 17;

/** What the thermometer wants to hear, which nothing but its error tells. */
const STATION = "st-4711";

/** Fails with a plain name, and says what to ask for instead. */
export const thermometerTool: Tool = {
  ...HARMLESS,
  name: "thermometer",
  description: "Reads the temperature at a station.",
  parameters: schemaOf("station", "The station, such as: roof"),
  brief: (args) => textOf(args, "station"),
  run(args): Promise<ToolOutcome> {
    if (textOf(args, "station").trim().toLowerCase() === STATION) {
      return Promise.resolve({
        ok: true,
        data: { degrees: DEGREES },
        summary: `${DEGREES} degrees`,
      });
    }
    const error = {
      code: "wrong_station",
      message: `There is no station "${textOf(args, "station")}"`,
      hint: `The station on the roof is called "${STATION}"; call again with that.`,
      retriable: false,
    };
    return Promise.resolve({ ok: false, error });
  },
};
