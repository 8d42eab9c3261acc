/**
 * What an agent says of itself, read with leniency: nothing is done by it.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import { type AgentReport, type Intent, TransportError } from "./types.ts";

function intentOf(value: unknown): Intent[] {
  if (!isJsonObject(value) || typeof value["name"] !== "string") return [];
  const { name, description, parameters, example, access } = value;
  return [{
    name,
    description: typeof description === "string" ? description : "",
    parameters: isJsonObject(parameters) ? parameters : { type: "object" },
    example: isJsonObject(example) ? example : null,
    access: access === "read" ? "read" : "write",
  }];
}

/**
 * Reads a description; what it does not say is empty.
 *
 * @param value Parsed JSON.
 * @throws {TransportError} `bad_result`, if it is no description of an agent.
 */
export function readReport(value: unknown, agentName: string): AgentReport {
  const schema = isJsonObject(value) ? value["schema"] : null;
  if (
    !isJsonObject(value) || typeof schema !== "string" || !schema.startsWith("agent-description/")
  ) {
    const message = `Agent "${agentName}" answered with what does not describe an agent`;
    throw new TransportError("bad_result", message, { retriable: false });
  }
  const { protocols, intents } = value;
  const named = Array.isArray(protocols) ? protocols : [];
  return {
    protocols: named.filter((protocol) => typeof protocol === "string"),
    intents: Array.isArray(intents) ? intents.flatMap(intentOf) : null,
  };
}
