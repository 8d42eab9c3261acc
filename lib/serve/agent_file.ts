/**
 * The agent file: what an agent is, whom it answers, and what it can be asked for.
 *
 * @module
 */

import { compileSchema } from "../answer/compile_schema.ts";
import { TIME_SPAN } from "../config/kinds.ts";
import { createCheck, faultWords } from "../policy/schema_fault.ts";
import type { JsonObject } from "../types.ts";
import { type FilePlace, type Path, readDocument, type YamlContent } from "../yaml/document.ts";
import schema from "./agent_file.json" with { type: "json" };
import { fieldsIn } from "./prompt.ts";
import type { AgentProfile } from "./types.ts";

/** What an agent can be asked for, and how it does that. */
export interface ServedIntent {
  readonly name: string;
  readonly description: string;
  readonly effect: "read" | "change";
  /** The JSON Schema of its parameters; an object. */
  readonly parameters: JsonObject;
  /** Parameters that fit; null: none are given. */
  readonly example: JsonObject | null;
  /** With `{{params.field}}` where parameters go. */
  readonly prompt: string;
  /** The names of the tools that there are for it. */
  readonly tools: readonly string[];
  /** A built-in policy or the path of a file, as it stands in the file; null: none of its own. */
  readonly policy: string | null;
  /** The JSON Schema of its data, which demands a summary. */
  readonly answer: JsonObject;
  /** As it stands in the file; null: the one of the configuration. */
  readonly model: string | null;
  /** Null: as configured. */
  readonly maxSteps: number | null;
  /** Milliseconds; null: as configured. */
  readonly maxTimeMs: number | null;
  /** Whether it may give tasks to other agents. */
  readonly recursive: boolean;
  /** The directory of those agents, as it stands in the file; null: the usual one. */
  readonly agents: string | null;
}

/** An agent file. */
export interface AgentFile {
  readonly name: string;
  readonly description: string;
  /** The variable of the bearer token; null: none. */
  readonly tokenVariable: string | null;
  /** Tasks at the same time. */
  readonly concurrency: number;
  /** Tasks that may wait. */
  readonly queue: number;
  /** Finished tasks that are kept: so many, and for so many milliseconds. */
  readonly keep: { readonly tasks: number; readonly ms: number };
  /** Hosts, with a port where it is not the usual one, to which results may be posted. */
  readonly callbacks: readonly string[];
  /** The variable of their bearer token; null: none. */
  readonly callbackVariable: string | null;
  /** Never empty, in the order of the file. */
  readonly intents: readonly ServedIntent[];
  /** Where it stands, as people named it. */
  readonly file: string;
}

/** An agent file can't be used; says where and why. */
export class AgentFileError extends SyntaxError {
  override readonly name = "AgentFileError";

  constructor(message: string, at: FilePlace) {
    super(`${at.file}:${at.line}:${at.column}: ${message}`);
  }
}

/** Tasks at the same time. Source: a choice; as many as a caller sends by default. */
const CONCURRENCY = 4;

/** Tasks that may wait. Source: a choice; some minutes of work. */
const QUEUE = 100;

/** Finished tasks that are kept, and for how many days. Source: issue 8. */
const KEEP = { tasks: 10_000, days: 30 };

const DAY_MS = 24 * 3600 * 1000;

const NO_PARAMETERS: JsonObject = { type: "object", properties: {}, additionalProperties: false };

/** What an answer is where the file does not say. Source: issue 8. */
export const DEFAULT_ANSWER: JsonObject = {
  type: "object",
  required: ["summary", "top_items"],
  properties: {
    summary: { type: "string", description: "The result in one to three sentences." },
    top_items: {
      type: "array",
      items: { type: "string" },
      description: "The most important findings, a sentence each; empty if there are none.",
    },
  },
};

interface RawIntent {
  readonly name: string;
  readonly description: string;
  readonly effect?: "read" | "change";
  readonly parameters?: JsonObject;
  readonly example?: JsonObject;
  readonly prompt: string;
  readonly tools?: readonly string[];
  readonly policy?: string;
  readonly answer?: JsonObject;
  readonly model?: string;
  readonly max_steps?: number;
  readonly max_time?: number | string;
  readonly recursive?: boolean;
  readonly agents?: string;
}

interface RawFile {
  readonly name: string;
  readonly description: string;
  readonly token?: string;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly keep?: { readonly tasks?: number; readonly days?: number };
  readonly callbacks?: readonly string[];
  readonly callback_token?: string;
  readonly intents: readonly RawIntent[];
}

/** Throws the error of something at a path. */
type FailAt = (path: Path, message: string) => never;

function intentOf(raw: RawIntent): ServedIntent {
  return {
    name: raw.name,
    description: raw.description,
    effect: raw.effect ?? "change",
    parameters: raw.parameters ?? NO_PARAMETERS,
    example: raw.example ?? null,
    prompt: raw.prompt,
    tools: raw.tools ?? [],
    policy: raw.policy ?? null,
    answer: raw.answer ?? DEFAULT_ANSWER,
    model: raw.model ?? null,
    maxSteps: raw.max_steps ?? null,
    maxTimeMs: raw.max_time === undefined ? null : TIME_SPAN.fromFile(raw.max_time) ?? null,
    recursive: raw.recursive ?? false,
    agents: raw.agents ?? null,
  };
}

function fileOf(raw: RawFile, file: string): AgentFile {
  const { tasks = KEEP.tasks, days = KEEP.days } = raw.keep ?? {};
  return {
    name: raw.name,
    description: raw.description,
    tokenVariable: raw.token ?? null,
    concurrency: raw.concurrency ?? CONCURRENCY,
    queue: raw.queue ?? QUEUE,
    keep: { tasks, ms: days * DAY_MS },
    callbacks: raw.callbacks ?? [],
    callbackVariable: raw.callback_token ?? null,
    intents: raw.intents.map(intentOf),
    file,
  };
}

/** What finds the faults of a value by a schema that stands at a path. */
function compiledAt(schema: JsonObject, path: Path, fail: FailAt) {
  try {
    return compileSchema(schema);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(path, `This is no JSON Schema that can be used: ${detail}`);
  }
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  return typeof properties === "object" && properties !== null && !Array.isArray(properties)
    ? properties as JsonObject
    : {};
}

function checkParameters({ parameters, example, prompt }: ServedIntent, at: Path, fail: FailAt) {
  const path = [...at, "parameters"];
  if (parameters["type"] !== "object") fail(path, `Parameters must be of "type: object": say so`);
  const faults = compiledAt(parameters, path, fail);
  const [wrong] = example === null ? [] : faults(example);
  if (wrong !== undefined) fail([...at, "example"], `The example does not fit: ${wrong}`);
  const known = Object.keys(propertiesOf(parameters));
  const unknown = fieldsIn(prompt).find((field) => !known.includes(field.split(".")[0] ?? ""));
  if (unknown === undefined) return;
  const names = known.length === 0 ? "there are none" : `they are ${known.join(", ")}`;
  fail([...at, "prompt"], `"{{params.${unknown}}}" is no parameter: ${names}`);
}

function checkAnswer({ answer }: ServedIntent, at: Path, fail: FailAt): void {
  const path = [...at, "answer"];
  const { required } = answer;
  const summary = propertiesOf(answer)["summary"];
  const demanded = Array.isArray(required) && required.includes("summary");
  const text = (summary as JsonObject | undefined)?.["type"] === "string";
  if (answer["type"] !== "object" || !demanded || !text) {
    fail(path, 'The answer must be an object that requires a "summary" of type string: add it');
  }
  compiledAt(answer, path, fail);
}

function checkIntents(intents: readonly ServedIntent[], fail: FailAt): void {
  intents.forEach((intent, index) => {
    const at = ["intents", index];
    if (intents.findIndex(({ name }) => name === intent.name) !== index) {
      fail([...at, "name"], `Intent "${intent.name}" is there twice: rename one`);
    }
    checkParameters(intent, at, fail);
    checkAnswer(intent, at, fail);
  });
}

function checkShape(written: YamlContent): void {
  const { content } = written;
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new AgentFileError("An agent file holds keys with values", written.placeOf([]));
  }
  const fault = createCheck(schema)(content);
  if (fault === null) return;
  const { message, at } = faultWords(fault, written);
  throw new AgentFileError(message, at);
}

/** An agent file with the places of what stands in it. */
export interface WrittenAgent {
  readonly agent: AgentFile;
  placeOf(path: Path): FilePlace;
}

/**
 * Reads an agent file.
 *
 * @param text YAML.
 * @param file What people know it as.
 * @throws {AgentFileError} If it is not YAML or no agent file; with line and column.
 */
export function readAgentFile(text: string, file: string): WrittenAgent {
  const written = readDocument(text, file, (message, at) => new AgentFileError(message, at));
  checkShape(written);
  const agent = fileOf(written.content as RawFile, file);
  checkIntents(agent.intents, (path, message) => {
    throw new AgentFileError(message, written.placeOf(path));
  });
  return { agent, placeOf: (path) => written.placeOf(path) };
}

/** What an agent tells of itself. */
export function profileOf({ name, description, intents }: AgentFile): AgentProfile {
  return {
    name,
    description,
    intents: intents.map(({ name, description, parameters, example, effect }) => ({
      name,
      description,
      parameters,
      example,
      access: effect === "read" ? "read" : "write",
    })),
  };
}
