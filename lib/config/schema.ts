/**
 * The JSON Schema of a file of configuration, made from the table of settings. It is for editors;
 * `read_config.ts` checks by the same table, since compiling a schema would take 25 ms of every
 * start, and a test holds the two together.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import { CAPABILITY_SCHEMA } from "./capabilities.ts";
import { MCP_SCHEMA } from "./mcp.ts";
import { PRICE } from "./prices.ts";
import { FIELDS, SETTINGS } from "./settings.ts";

const PRICES: JsonObject = {
  description: "What tokens cost, by the name of a model; * stands for any characters. The name " +
    "itself goes before a pattern, a longer pattern before a shorter one. Not in a project's file.",
  type: ["object", "null"],
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    required: ["input", "output"],
    properties: {
      input: { description: "A million tokens in.", ...PRICE.schema },
      output: { description: "A million tokens out.", ...PRICE.schema },
      cached_input: {
        description: "A million tokens in that the server had kept; as input by default.",
        ...PRICE.schema,
      },
    },
  },
};

const CAPABILITIES: JsonObject = {
  description:
    "What models can do, where rein does not know it, by name as with prices. All that " +
    "fit count, longer patterns more. Not in a project's file.",
  type: ["object", "null"],
  additionalProperties: CAPABILITY_SCHEMA,
};

/** The settings below one map, by their last names; the outermost map is "". */
function propertiesBelow(map: string): { readonly [name: string]: JsonObject } {
  const below = FIELDS.map((field) => SETTINGS[field])
    .filter(({ key }) => key.slice(0, Math.max(0, key.lastIndexOf("."))) === map);
  return Object.fromEntries(below.map(({ key, kind, description }) => [
    key.slice(key.lastIndexOf(".") + 1),
    { description, ...kind.schema },
  ]));
}

/** What `config.yaml` may hold; draft 7, which editors know best. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  $id: "urn:rein:config",
  title: "rein configuration",
  type: "object",
  additionalProperties: false,
  properties: {
    ...propertiesBelow(""),
    limits: {
      description:
        "The bounds of a run. A project's file may set these alone, and lower them only.",
      type: ["object", "null"],
      additionalProperties: false,
      properties: propertiesBelow("limits"),
    },
    timeouts: {
      description: "How long the model's server may take. Not in a project's file.",
      type: ["object", "null"],
      additionalProperties: false,
      properties: propertiesBelow("timeouts"),
    },
    prices: PRICES,
    capabilities: CAPABILITIES,
    mcp: MCP_SCHEMA,
  },
};
