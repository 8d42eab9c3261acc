/**
 * A model behind an OpenAI-compatible server, asked by streamed chat
 * completions.
 *
 * @module
 */

import OpenAI from "openai";
import { parseArguments } from "../calls/parse.ts";
import type { Fetch } from "../ports.ts";
import { clip } from "../results/characters.ts";
import type {
  FinishReason,
  JsonObject,
  Message,
  Model,
  ModelChunk,
  ModelPast,
  ToolDefinition,
} from "../types.ts";
import { ModelError } from "../types.ts";
import { type AssembledTurn, CallIds, type ChunkLike, TurnAssembler } from "./assemble.ts";
import { tellingWords, withErrorBody } from "./error_body.ts";
import { eventsOf } from "./events.ts";
import { modelErrorFrom, refusalFrom, withoutKey } from "./model_error.ts";

/** Where and how to ask. */
export interface ServerSettings {
  /** Address up to and with the version: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Null: no `Authorization` header is sent. */
  readonly apiKey: string | null;
  readonly model: string;
  /** 0 to 2. */
  readonly temperature: number;
}

type WireMessage = OpenAI.ChatCompletionMessageParam;

/** Servers parse what they get back, and fail for good on a call that never parsed. */
function wireArguments(text: string): string {
  return parseArguments(text).ok && text.trim() !== "" ? text : "{}";
}

function wireMessage(message: Message): WireMessage {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        ...(message.calls.length === 0 ? {} : {
          tool_calls: message.calls.map((call) => ({
            id: call.id,
            type: "function" as const,
            function: { name: call.name, arguments: wireArguments(call.arguments) },
          })),
        }),
      };
  }
}

function wireTool(tool: ToolDefinition): OpenAI.ChatCompletionTool {
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

/** Some servers say `stop` where they mean calls; a stream without a reason was cut. */
function finishReasonOf(turn: AssembledTurn): FinishReason | null {
  return turn.finishReason === "stop" && turn.message.calls.length > 0
    ? "calls"
    : turn.finishReason;
}

/** An answer that the server is to hold to a schema; `strict` would admit few schemas. */
function wireFormat(schema: JsonObject): OpenAI.ResponseFormatJSONSchema {
  return { type: "json_schema", json_schema: { name: "answer", schema: { ...schema } } };
}

function placeOf(settings: ServerSettings): string {
  return `The model server at ${settings.baseUrl}`;
}

function clientOf(settings: ServerSettings, send: Fetch): OpenAI {
  return new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    // A redirect would take the conversation to a host that nobody set.
    fetch: async (input, init) => withErrorBody(await send(input, { ...init, redirect: "error" })),
    ...(settings.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
  });
}

function oneLine(text: string, maxChars: number): string {
  return clip(text.replace(/\s+/g, " ").trim(), maxChars);
}

/** What a server sent that is no event stream: an error, a page, or a whole completion. */
async function wholeBody(response: Response, settings: ServerSettings): Promise<ChunkLike> {
  const place = placeOf(settings);
  const text = withoutKey(await response.text(), settings);
  try {
    const body = JSON.parse(text);
    const choice = body?.choices?.[0];
    if (choice?.message) return { ...body, choices: [{ ...choice, delta: choice.message }] };
    const said = oneLine(String(body?.error?.message ?? text), 200);
    throw refusalFrom(`${place} answered with an error: ${said}`, tellingWords(body?.error), {
      code: "rejected",
      hint: "Check the model's name and the server's log.",
    });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError(
      "bad_response",
      `${place} answered "${oneLine(text, 60)}", not an event stream`,
      {
        hint: "Check --base-url or OPENAI_BASE_URL; it usually ends in /v1.",
      },
    );
  }
}

/**
 * Builds the model.
 *
 * @param past What the session has had of it before; nothing if left out.
 */
export function createServerModel(
  settings: ServerSettings,
  fetch: Fetch,
  past?: () => ModelPast,
): Model {
  const client = clientOf(settings, fetch);
  const ids = new CallIds(past && (() => past().callIds));

  async function* chunks(
    request: OpenAI.ChatCompletionCreateParamsStreaming,
    signal: AbortSignal,
  ): AsyncGenerator<ChunkLike> {
    const response = await client.chat.completions.create(request, { signal }).asResponse();
    const type = response.headers.get("content-type") ?? "text/event-stream";
    if (type.includes("event-stream")) yield* eventsOf<ChunkLike>(response);
    else yield await wholeBody(response, settings);
  }

  return {
    name: settings.model,
    source: settings.baseUrl,
    recorded: false,
    async *ask({ messages, tools, answerSchema }, signal): AsyncGenerator<ModelChunk> {
      const assembler = new TurnAssembler(ids);
      const request: OpenAI.ChatCompletionCreateParamsStreaming = {
        model: settings.model,
        messages: messages.map(wireMessage),
        temperature: settings.temperature,
        stream: true,
        stream_options: { include_usage: true },
        ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
        ...(answerSchema === undefined ? {} : { response_format: wireFormat(answerSchema) }),
      };
      try {
        for await (const chunk of chunks(request, signal)) {
          const text = assembler.push(chunk);
          if (text !== "") yield { type: "text", text };
        }
      } catch (error) {
        signal.throwIfAborted();
        throw modelErrorFrom(error, settings);
      }
      signal.throwIfAborted();
      const turn = assembler.finish();
      const finishReason = finishReasonOf(turn);
      if (finishReason === null) {
        throw new ModelError(
          "bad_response",
          `${placeOf(settings)} ended its stream before the turn was complete`,
          {
            hint: "Try again; if it stays, look at the server's log.",
          },
        );
      }
      yield { type: "turn_finished", message: turn.message, finishReason, usage: turn.usage };
    },
  };
}
