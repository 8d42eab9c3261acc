/**
 * Tools in plain text, for models that have no other way: they are described in the system prompt,
 * called in one form, and their results come as messages of the user.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import type { AssistantMessage, JsonObject, Message, ToolCall, ToolDefinition } from "../types.ts";
import prompt from "./text_protocol.txt" with { type: "text" };

/** Longer names of types would take more room than they tell. */
const MAX_ENUM_CHARS = 120;

function typeOf(schema: JsonObject): string {
  const { enum: values, type, items, anyOf } = schema;
  if (Array.isArray(values)) {
    const listed = values.map((value) => JSON.stringify(value)).join("|");
    if (listed.length <= MAX_ENUM_CHARS) return listed;
  }
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeOf(one as JsonObject)).join("|");
  if (Array.isArray(type)) return type.join("|");
  if (type === "array" && typeof items === "object" && items !== null) {
    return `${typeOf(items as JsonObject)}[]`;
  }
  return typeof type === "string" ? type : "any";
}

/** The fields of objects within arguments, which have no line of their own. */
function fieldsOf(schema: JsonObject): string {
  const inner = (schema["type"] === "array" ? schema["items"] : schema) as JsonObject | undefined;
  const properties = inner?.["properties"] as Readonly<Record<string, JsonObject>> | undefined;
  if (properties === undefined) return "";
  const fields = Object.entries(properties).map(([name, one]) => `${name}: ${typeOf(one)}`);
  return ` {${fields.join(", ")}}`;
}

function argumentLine(name: string, schema: JsonObject, required: boolean): string {
  const { description } = schema;
  const said = typeof description === "string" ? `: ${description.replace(/\s+/g, " ")}` : "";
  return `    ${name}${required ? "" : "?"} (${typeOf(schema)}${fieldsOf(schema)})${said}`;
}

function toolText({ name, description, parameters }: ToolDefinition): string {
  const { properties, required } = parameters;
  const lines = Object.entries(properties).map(([field, schema]) =>
    argumentLine(field, schema, required.includes(field))
  );
  return [`- ${name}: ${description.replace(/\s+/g, " ")}`, ...lines].join("\n");
}

/**
 * What a system prompt says of tools and how they are called.
 *
 * @param tools Empty: nothing is said.
 */
export function describeTools(tools: readonly ToolDefinition[]): string {
  return tools.length === 0 ? "" : `${prompt.trimEnd()}\n\n${tools.map(toolText).join("\n")}`;
}

/** A call in the form that the prompt asks for. */
function callText({ name, arguments: args }: ToolCall): string {
  // What never parsed must not teach the model how calls look.
  const text = parseArguments(args).ok && args.trim() !== "" ? args.trim() : "{}";
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text}}\n</tool_call>`;
}

function assistantText({ content, calls }: AssistantMessage): string {
  return [content, ...calls.map(callText)].filter((part) => part !== "").join("\n");
}

/** A result; what it holds can't end it. */
function resultText(name: string, content: string): string {
  const inner = content.replaceAll("</tool_result", "<\\/tool_result");
  return `<tool_result name=${JSON.stringify(name)}>\n${inner}\n</tool_result>`;
}

/** Neighbours of one role are one message: templates of small models take no others. */
function joinNeighbours(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "user" && message.role === "user") {
      joined[joined.length - 1] = {
        role: "user",
        content: `${last.content}\n\n${message.content}`,
      };
    } else joined.push(message);
  }
  return joined;
}

/**
 * The conversation as such a model gets it: no calls and no results, but texts of them. The same
 * messages always come out the same, so that a server's prompt cache keeps them.
 *
 * @param messages As for any model; the first one is the system prompt, if there is one.
 * @param tools Described behind the system prompt.
 */
export function toTextMessages(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): Message[] {
  const names = new Map<string, string>();
  const described = describeTools(tools);
  const texts = messages.map((message): Message => {
    switch (message.role) {
      case "assistant":
        for (const call of message.calls) names.set(call.id, call.name);
        return { role: "assistant", content: assistantText(message), calls: [] };
      case "tool":
        return {
          role: "user",
          content: resultText(names.get(message.callId) ?? "", message.content),
        };
      default:
        return message;
    }
  });
  if (described === "") return joinNeighbours(texts);
  const [first, ...rest] = texts;
  if (first?.role !== "system") {
    return joinNeighbours([{ role: "system", content: described }, ...texts]);
  }
  return joinNeighbours([{ role: "system", content: `${first.content}\n\n${described}` }, ...rest]);
}

/**
 * Messages for a template that takes a message of the user only behind one of the model: what
 * follows a result, or another message of the user, is put into it.
 */
export function withinResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if ((last?.role === "tool" || last?.role === "user") && message.role === "user") {
      joined[joined.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}

/** Messages for a model that takes no system prompt: it begins the first message of the user. */
export function withoutSystem(messages: readonly Message[]): Message[] {
  const [first, second, ...rest] = messages;
  if (first?.role !== "system") return [...messages];
  if (second?.role !== "user") {
    return [{ role: "user", content: first.content }, ...messages.slice(1)];
  }
  return [{ role: "user", content: `${first.content}\n\n${second.content}` }, ...rest];
}
