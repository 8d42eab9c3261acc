/**
 * Reads a file of agents: YAML, checked against the published schema and then for what a schema
 * can't say, with the place of every mistake. Loaded only where there is such a file.
 *
 * @module
 */

import policySchema from "../../policies/schema.json" with { type: "json" };
import { compileSchema } from "../answer/compile_schema.ts";
import { closest } from "../calls/closest.ts";
import { ConfigError } from "../config/config_error.ts";
import { shownAddress, TIME_SPAN } from "../config/kinds.ts";
import { createCheck, faultWords, type SchemaFault } from "../policy/schema_fault.ts";
import { absolutePath } from "../sandbox/grants.ts";
import type { Json, JsonObject } from "../types.ts";
import { type Path, readDocument, shownValue, type YamlContent } from "../yaml/document.ts";
import type { DirectoryFile, DirectoryPart } from "./directory.ts";
import schema from "./schemas/agents.json" with { type: "json" };
import type { Agent, AgentAddress, AgentCallback, Intent } from "./types.ts";

/** Time for one task, in milliseconds, where the file does not say. Source: the design. */
const DEFAULT_TIMEOUT_MS = 120_000;

/** Tasks at a time where the file does not say; a few, so that nobody is overrun by a question. */
const DEFAULT_CONCURRENCY = 4;

const check = createCheck(schema);

/** The shape that the schema admits. */
interface RawAgent {
  readonly name: string;
  readonly description: string;
  readonly address?: string;
  readonly a2a?: string;
  readonly command?: readonly string[];
  readonly token?: string;
  readonly timeout?: Json;
  readonly concurrency?: number;
  readonly idempotent?: boolean;
  readonly callback?: { readonly listen: string; readonly url: string };
  readonly policy?: JsonObject;
  readonly intents: readonly RawIntent[];
}

interface RawIntent {
  readonly name: string;
  readonly description: string;
  readonly effect?: "read" | "change";
  readonly parameters?: JsonObject;
  readonly example?: JsonObject;
}

interface RawDirectory {
  readonly agents?: readonly RawAgent[];
  readonly recursive?: boolean;
  readonly max_depth?: number;
  readonly max_subtasks?: number;
}

/** What is read, and from where. */
interface Source {
  readonly written: YamlContent;
  readonly file: string;
  /** From which the file is named. */
  readonly cwd: string;
}

/** What to do about a value that does not have the form of its field. */
const FORMS: { readonly [field: string]: string } = {
  name: "A name is made of small letters, digits and hyphens, begins with a letter, and has 63" +
    " characters at the most.",
  address: "Give it an http or https address.",
  a2a: "Give it the http or https address of an agent card.",
  timeout: `It takes ${TIME_SPAN.wanted}.`,
  token: "It takes the name of an environment variable, such as REIN_TOKEN_ORDERS, and never the" +
    " token itself.",
  listen: "It takes an address of this machine and a port, such as 127.0.0.1:0.",
  command: "It takes a list: the program, then its arguments.",
};

/** The fields that may stand where an unknown one was found. */
function fieldsAt(path: Path): readonly string[] {
  const { agent, intent } = schema.$defs;
  const last = path.findLast((step) => typeof step === "string");
  if (last === undefined) return Object.keys(schema.properties);
  if (last === "intents") return Object.keys(intent.properties);
  return Object.keys(last === "callback" ? agent.properties.callback.properties : agent.properties);
}

/** The field of a fault in the list of forms: `command` also for one of its words. */
function fieldOf(path: Path): string {
  return String(path.findLast((step) => typeof step === "string") ?? "");
}

/** The error of a fault that the schema has found. */
function schemaError(fault: SchemaFault, { written }: Source): ConfigError {
  const { path, params, keyword } = fault;
  if (keyword === "additionalProperties") {
    const key = String(params["additionalProperty"]);
    const known = fieldsAt(path);
    const near = closest(key, known)[0];
    const hint = near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${near}"?`;
    return new ConfigError(`Unknown key "${key}"`, hint, written.placeOfKey(path, key));
  }
  const field = fieldOf(path);
  const form = FORMS[field];
  if (keyword === "required" || form === undefined) {
    const { message, at } = faultWords(fault, written);
    const [wrong = "", remedy = "correct it"] = message.split(/: (?=add it$|use one of )/);
    return new ConfigError(wrong, `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`, at);
  }
  // A token that was written where its variable's name belongs must not be shown.
  const shown = field === "token" ? "" : ` ${shownAddress(shownValue(fault.value))}`;
  return new ConfigError(`"${field}" can't be${shown || " this"}`, form, written.placeOf(path));
}

/** Plain data without what JSON does not have. */
function plainOf({ written, file }: Source): RawDirectory {
  try {
    return JSON.parse(JSON.stringify(written.content));
  } catch (error) {
    const at = { file, line: 1, column: 1 };
    const why = error instanceof RangeError ? "is nested too deeply" : "refers to itself";
    throw new ConfigError(`The file ${why}`, "Write it without that.", at);
  }
}

function urlOf(field: "address" | "a2a", text: string, path: Path, { written }: Source): URL {
  const url = URL.parse(text);
  const at = written.placeOf([...path, field]);
  const shown = shownAddress(text);
  if (url === null) throw new ConfigError(`"${shown}" is no address`, FORMS[field] ?? "", at);
  if (url.username !== "" || url.password !== "") {
    const hint = 'Put the token into an environment variable and its name behind "token".';
    throw new ConfigError(`"${shown}" holds a password`, hint, at);
  }
  if (url.hash !== "") throw new ConfigError(`"${shown}" has a "#"`, "Leave out what follows.", at);
  return url;
}

/** A path counts from the file's directory: in the working directory, anybody may have put it. */
function commandOf(command: readonly string[], { file, cwd }: Source): readonly string[] {
  const [program = "", ...args] = command;
  if (!program.includes("/")) return command;
  const whole = absolutePath(file, cwd);
  return [absolutePath(program, whole.slice(0, whole.lastIndexOf("/"))), ...args];
}

function addressOf(raw: RawAgent, path: Path, source: Source): AgentAddress {
  const given = (["address", "a2a", "command"] as const).filter((key) => raw[key] !== undefined);
  const [key, second] = given;
  if (key === undefined) {
    const hint = "Add address, a2a or command.";
    throw new ConfigError(
      `Agent "${raw.name}" can't be reached`,
      hint,
      source.written.placeOf(path),
    );
  }
  if (second !== undefined) {
    const message = `Agent "${raw.name}" has both "${key}" and "${second}"`;
    throw new ConfigError(message, "Keep one.", source.written.placeOfKey(path, second));
  }
  if (key === "command") {
    return { transport: "process", command: commandOf(raw.command ?? [], source) };
  }
  const url = urlOf(key, raw[key] ?? "", path, source);
  return { transport: key === "a2a" ? "a2a" : "http", url };
}

/** Refuses the second of two with the same name. */
function checkNames(
  named: readonly { readonly name: string }[],
  path: Path,
  { what, written }: { readonly what: string; readonly written: YamlContent },
): void {
  const seen = new Set<string>();
  named.forEach(({ name }, index) => {
    if (seen.has(name)) {
      const at = written.placeOf([...path, index, "name"]);
      throw new ConfigError(`${what} "${name}" is there twice`, "Rename or remove one.", at);
    }
    seen.add(name);
  });
}

/** The schema of parameters, and that the example fits it. */
function parametersOf(raw: RawIntent, path: Path, { written }: Source): JsonObject {
  const { name, parameters = {}, example } = raw;
  const at = written.placeOf([...path, "parameters"]);
  const type = parameters["type"] ?? "object";
  if (type !== "object") {
    const message = `The parameters of intent "${name}" are of type ${shownValue(type)}`;
    throw new ConfigError(message, "They must be of type object.", at);
  }
  const whole = { type, ...parameters };
  let faultsOf: (value: Json) => readonly string[];
  try {
    faultsOf = compileSchema(whole);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The parameters of intent "${name}" are no JSON Schema (${why})`;
    throw new ConfigError(message, "Correct them.", at);
  }
  const [fault] = example === undefined ? [] : faultsOf(example);
  if (fault === undefined) return whole;
  throw new ConfigError(
    `The example of intent "${name}" does not fit its parameters: ${fault}`,
    "Correct one of the two.",
    written.placeOf([...path, "example"]),
  );
}

function intentOf(raw: RawIntent, path: Path, source: Source): Intent {
  return {
    name: raw.name,
    description: raw.description,
    parameters: parametersOf(raw, path, source),
    example: raw.example ?? null,
    access: raw.effect === "read" ? "read" : "write",
  };
}

function callbackOf(raw: RawAgent, path: Path, { written }: Source): AgentCallback | null {
  if (raw.callback === undefined) return null;
  const { listen, url } = raw.callback;
  if (raw.address === undefined) {
    const message = `Agent "${raw.name}" has a "callback" without an "address"`;
    const hint = "Results are posted back by HTTP only: remove one or add the other.";
    throw new ConfigError(message, hint, written.placeOfKey(path, "callback"));
  }
  const [, hostname = "", port = ""] = /^(.*):(\d+)$/.exec(listen) ?? [];
  const whole = URL.parse(url.replace("{port}", "1"));
  if (Number(port) > 65_535 || whole === null || whole.search !== "" || whole.hash !== "") {
    const hint = "Listen at a port up to 65535, and give a url without ? and #.";
    const at = written.placeOf([...path, "callback"]);
    throw new ConfigError(`The callback of agent "${raw.name}" can't be used`, hint, at);
  }
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port), url };
}

function policyOf(raw: RawAgent, path: Path, { written }: Source): JsonObject | null {
  const fault = raw.policy === undefined ? null : createCheck(policySchema)(raw.policy);
  if (fault === null) return raw.policy ?? null;
  const placed = { ...fault, path: [...path, "policy", ...fault.path] };
  const { message, at } = faultWords(placed, written);
  throw new ConfigError(message, `See "rein schema policy".`, at);
}

function agentOf(raw: RawAgent, path: Path, source: Source): Agent {
  const { name, description, token, timeout, concurrency = DEFAULT_CONCURRENCY } = raw;
  const timeoutMs = timeout === undefined ? DEFAULT_TIMEOUT_MS : TIME_SPAN.fromFile(timeout);
  if (timeoutMs === undefined) {
    const at = source.written.placeOf([...path, "timeout"]);
    throw new ConfigError(`"timeout" can't be ${shownValue(timeout)}`, FORMS["timeout"] ?? "", at);
  }
  const address = addressOf(raw, path, source);
  checkNames(raw.intents, [...path, "intents"], { what: "Intent", written: source.written });
  const callback = callbackOf(raw, path, source);
  return {
    name,
    description,
    address,
    intents: raw.intents.map((intent, index) =>
      intentOf(intent, [...path, "intents", index], source)
    ),
    timeoutMs,
    tokenVariable: token ?? null,
    concurrency,
    idempotent: raw.idempotent ?? address.transport !== "process",
    policy: policyOf(raw, path, source),
    ...(callback === null ? {} : { callback }),
    file: source.file,
  };
}

/**
 * Reads one file.
 *
 * @param cwd The directory from which a relative path of the file counts.
 * @throws {ConfigError} If it is no YAML, does not fit the schema, or contradicts itself; with line
 *   and column.
 */
export function readDirectory({ path: file, text }: DirectoryFile, cwd: string): DirectoryPart {
  const written = readDocument(
    text,
    file,
    (message, at) => new ConfigError(message, "Correct the file.", at),
  );
  const source = { written, file, cwd };
  const raw = plainOf(source);
  const fault = check(raw);
  if (fault !== null) throw schemaError(fault, source);
  const { agents = [], recursive, max_depth: maxDepth, max_subtasks: maxSubtasks } = raw;
  checkNames(agents, ["agents"], { what: "Agent", written });
  return {
    agents: agents.map((agent, index) => agentOf(agent, ["agents", index], source)),
    ...(recursive === undefined ? {} : { recursive }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(maxSubtasks === undefined ? {} : { maxSubtasks }),
  };
}
