/**
 * A request for a turn as the chat completions API has it.
 *
 * @module
 */

import type OpenAI from "openai";
import { parseArguments } from "../calls/parse.ts";
import type { JsonObject, Message, ModelRequest, ToolCall, ToolDefinition } from "../types.ts";
import type { Dialect } from "./dialect.ts";

type WireMessage = OpenAI.ChatCompletionMessageParam;

/** Arguments as they were sent before: a call is sent again with every later request. */
const sentArguments = new WeakMap<ToolCall, string>();

/** Servers parse what they get back, and fail for good on a call that never parsed. */
function wireArguments(call: ToolCall): string {
  const before = sentArguments.get(call);
  if (before !== undefined) return before;
  const { arguments: text } = call;
  const sent = parseArguments(text).ok && text.trim() !== "" ? text : "{}";
  sentArguments.set(call, sent);
  return sent;
}

function wireMessage(message: Message, dialect: Dialect): WireMessage {
  switch (message.role) {
    case "system":
      return {
        role: dialect.capabilities.systemRole === "developer" ? "developer" : "system",
        content: message.content,
      };
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        ...dialect.reasoningFields(message),
        ...(message.calls.length === 0 ? {} : {
          tool_calls: message.calls.map((call) => ({
            id: call.id,
            type: "function" as const,
            function: { name: call.name, arguments: wireArguments(call) },
          })),
        }),
      };
  }
}

function wireTool(tool: ToolDefinition): OpenAI.ChatCompletionTool {
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

/** An answer that the server is to hold to a schema; `strict` would admit few schemas. */
function wireFormat(schema: JsonObject): OpenAI.ResponseFormatJSONSchema {
  return { type: "json_schema", json_schema: { name: "answer", schema: { ...schema } } };
}

/** Puts a request into the API's form, as a model takes it: streamed, with the usage at the end. */
export function wireRequest(
  request: ModelRequest,
  { model, temperature }: { readonly model: string; readonly temperature: number },
  dialect: Dialect,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const { messages, tools } = dialect.shape(request);
  const { capabilities } = dialect;
  const { answerSchema } = request;
  return {
    model,
    messages: messages.map((message) => wireMessage(message, dialect)),
    ...(capabilities.temperature ? { temperature } : {}),
    stream: true,
    ...(capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
    ...(answerSchema && capabilities.jsonSchema
      ? { response_format: wireFormat(answerSchema) }
      : {}),
    ...(tools.length === 0 || capabilities.parallelCalls ? {} : { parallel_tool_calls: false }),
  };
}
