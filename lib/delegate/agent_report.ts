/**
 * What an agent says of itself, read with leniency: nothing is done by it.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import { type AgentReport, type Intent, TransportError } from "./types.ts";

function isFields(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function intentOf(value: unknown): Intent[] {
  if (!isFields(value) || typeof value["name"] !== "string") return [];
  const { name, description, parameters, example, access } = value;
  return [{
    name,
    description: typeof description === "string" ? description : "",
    parameters: isFields(parameters) ? parameters : { type: "object" },
    example: isFields(example) ? example : null,
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
  const schema = isFields(value) ? value["schema"] : null;
  if (!isFields(value) || typeof schema !== "string" || !schema.startsWith("agent-description/")) {
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
