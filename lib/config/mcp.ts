/**
 * What a configuration may say of MCP servers: the fields of `mcp.NAME`.
 *
 * @module
 */

import type { Json, JsonObject } from "../types.ts";
import { ADDRESS, type Kind, shownAddress, SWITCH, TIME_SPAN } from "./kinds.ts";

/** One MCP server, as its owner wrote it. */
export interface McpServer {
  /** A program with its arguments; null: it is spoken to by HTTP, or turned off. */
  readonly command: readonly string[] | null;
  /** The address of its streamable HTTP; null: it is a program, or turned off. */
  readonly url: string | null;
  /** The variable that holds its bearer token; null: it takes none. */
  readonly token: string | null;
  /** Variables that the program is handed beside `PATH`, `HOME` and those of the language. */
  readonly env: readonly string[];
  /** Milliseconds of a call at the most. */
  readonly timeoutMs: number;
  /** Milliseconds until it must have told its tools. */
  readonly startTimeoutMs: number;
  /** The only tools of it that are offered; null: all. */
  readonly tools: readonly string[] | null;
  /** Tools that only read, by the word of whoever wrote the configuration. */
  readonly reads: readonly string[];
  readonly disabled: boolean;
}

/** What stands where a file does not say. Sources of the times: the issue of MCP. */
export const MCP_FALLBACK: McpServer = {
  command: null,
  url: null,
  token: null,
  env: [],
  timeoutMs: 60_000,
  startTimeoutMs: 10_000,
  tools: null,
  reads: [],
  disabled: false,
};

/** Names of servers: two underlines part them from their tools. */
export const SERVER_NAME = /^(?=.{1,32}$)[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;

/** Programs by name or by whole path: a relative one would be whatever stands where rein runs. */
const PROGRAM = /^(?:\/.*|~\/.*|[^\/~].*)$/s;
const RELATIVE = /^[^\/~].*\//s;

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const LINE = /^(?=.*\S)\P{Cc}+$/u;

function isProgram(value: unknown): value is string {
  return typeof value === "string" && PROGRAM.test(value) && !RELATIVE.test(value) &&
    LINE.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function never(): undefined {
  return undefined;
}

const COMMAND: Kind<readonly string[] | null> = {
  wanted: "a list of a program and its arguments; the program by its name, or by its whole path",
  schema: {
    type: "array",
    minItems: 1,
    items: [{
      type: "string",
      allOf: [{ pattern: PROGRAM.source }, { pattern: LINE.source }, {
        not: { pattern: RELATIVE.source },
      }],
    }],
    additionalItems: { type: "string" },
  },
  fromFile: (value) =>
    Array.isArray(value) && isProgram(value[0]) && value.every(isText) ? value : undefined,
  fromText: never,
  toFile: (value) => value,
};

/** One line that fits a pattern. */
function word(wanted: string, pattern: RegExp): Kind<string | null> {
  return {
    wanted,
    schema: { type: "string", pattern: pattern.source },
    fromFile: (value) => isText(value) && pattern.test(value) ? value : undefined,
    fromText: never,
    toFile: (value) => value,
  };
}

/** A list of lines that fit a pattern. */
function words(wanted: string, pattern: RegExp): Kind<readonly string[]> {
  return {
    wanted,
    schema: { type: "array", items: { type: "string", pattern: pattern.source } },
    fromFile: (value) =>
      Array.isArray(value) && value.every((one) => isText(one) && pattern.test(one))
        ? value
        : undefined,
    fromText: never,
    toFile: (value) => value,
  };
}

const URL_KIND: Kind<string | null> = {
  wanted: "an http address such as https://mcp.example/mcp",
  schema: { type: "string", pattern: String(ADDRESS.schema["pattern"]) },
  fromFile: (value) => value === null ? undefined : ADDRESS.fromFile(value),
  fromText: never,
  toFile: (value) => value === null ? null : shownAddress(value),
};

/** One field. */
export interface McpField<F extends keyof McpServer = keyof McpServer> {
  /** As a file has it. */
  readonly key: string;
  readonly kind: Kind<McpServer[F]>;
  /** For the schema; it ends with a period. */
  readonly description: string;
}

/** Every field, by its name in the program. */
export const MCP_FIELDS: { readonly [F in keyof McpServer]: McpField<F> } = {
  command: {
    key: "command",
    kind: COMMAND,
    description: "The program and its arguments; it is started in the home folder.",
  },
  url: { key: "url", kind: URL_KIND, description: "The address of its streamable HTTP." },
  token: {
    key: "token",
    kind: word("the name of a variable, such as REIN_TOKEN_TICKETS", VARIABLE),
    description: "The variable that holds its bearer token; with url.",
  },
  env: {
    key: "env",
    kind: words("a list of names of variables", VARIABLE),
    description: "Variables that the program is handed; with command.",
  },
  timeoutMs: { key: "timeout", kind: TIME_SPAN, description: "Time of a call; 60s by default." },
  startTimeoutMs: {
    key: "start_timeout",
    kind: TIME_SPAN,
    description: "Time until it must have told its tools; 10s by default.",
  },
  tools: {
    key: "tools",
    kind: words("a list of names of tools", LINE) as Kind<McpServer["tools"]>,
    description: "The only tools of it that are offered; all by default.",
  },
  reads: {
    key: "reads",
    kind: words("a list of names of tools", LINE),
    description: "Tools of it that only read, and are judged as reading.",
  },
  disabled: { key: "disabled", kind: SWITCH, description: "Whether it is left out." },
};

/** The fields in their order. */
export const MCP_NAMES = Object.keys(MCP_FIELDS) as readonly (keyof McpServer)[];

/** The schema of one server. */
const SERVER_SCHEMA: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(MCP_NAMES.map((name) => {
    const { key, kind, description } = MCP_FIELDS[name];
    return [key, { description, ...kind.schema }];
  })),
  anyOf: [
    { required: ["command"] },
    { required: ["url"] },
    { required: ["disabled"], properties: { disabled: { const: true } } },
  ],
  not: { required: ["command", "url"] },
  dependencies: { token: ["url"], env: ["command"] },
};

/** The schema of all servers. */
export const MCP_SCHEMA: JsonObject = {
  description: "MCP servers whose tools a model is offered, by name. Not in a project's file.",
  type: ["object", "null"],
  propertyNames: { pattern: SERVER_NAME.source },
  additionalProperties: SERVER_SCHEMA,
};

/**
 * What is wrong with the fields of a server together, and with which of them; null: nothing.
 *
 * @param said The fields that the file has.
 */
export function mcpFault(
  { command, url, disabled }: McpServer,
  said: readonly (keyof McpServer)[],
): { readonly key: string | null; readonly message: string; readonly hint: string } | null {
  if (command !== null && url !== null) {
    const message = 'has both "command" and "url"';
    return { key: "url", message, hint: "Say one of them." };
  }
  if (command === null && url === null && !disabled) {
    const message = 'has neither "command" nor "url"';
    return { key: null, message, hint: "Say which program it is, or where it is reached." };
  }
  if (said.includes("token") && url === null) {
    const hint = 'A program takes variables: name them in "env".';
    return { key: "token", message: 'has "token" without "url"', hint };
  }
  if (said.includes("env") && command === null) {
    return { key: "env", message: 'has "env" without "command"', hint: "Remove it." };
  }
  return null;
}

/** A server as a file would hold it, without what is said by default. */
export function writtenMcpServer(server: McpServer): { readonly [key: string]: Json } {
  const written = (name: keyof McpServer) =>
    (MCP_FIELDS[name].kind as Kind<unknown>).toFile(server[name]);
  const same = (name: keyof McpServer) =>
    JSON.stringify(server[name]) === JSON.stringify(MCP_FALLBACK[name]);
  return Object.fromEntries(
    MCP_NAMES.filter((name) => !same(name)).map((name) => [MCP_FIELDS[name].key, written(name)]),
  );
}
