/**
 * Text that holds calls, read from its beginning: blanks, marks, JSON values, and the calls found.
 *
 * @module
 */

import type { JsonObject, ToolDefinition } from "../types.ts";
import { pythonArguments } from "./python_arguments.ts";

/** A call as a model wrote it into its text. */
export interface WrittenCall {
  readonly name: string;
  /** JSON text, as with any call: it may be wrong or, of the last call, cut off. */
  readonly arguments: string;
}

/** How reading went: all of it is there, its end is missing, or it is no call. */
export type Reading = "whole" | "cut" | "none";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where a JSON object or array ends that begins at a place; -1 if it does not. */
function jsonEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names by which forms call the name and the arguments of a call. */
const NAME_FIELDS = ["name", "tool_name", "function", "tool"] as const;
const ARGUMENT_FIELDS = ["arguments", "parameters", "args", "input"] as const;

/** A name and what follows it, in a call that is no JSON. */
const LOOSE = /"(?:name|tool_name|function|tool)"\s*:\s*"([^"\\]{1,64})"/;
const LOOSE_ARGUMENTS = /"(?:arguments|parameters|args|input)"\s*:\s*(?=[{"])/;

/** Reads calls out of a text, with the tools that there are. */
export class CallText {
  /** Where reading has come to, in UTF-16 units. */
  at = 0;
  /** The calls found so far. */
  readonly calls: WrittenCall[] = [];
  readonly text: string;
  readonly #tools: ReadonlyMap<string, ToolDefinition>;

  constructor(text: string, tools: ReadonlyMap<string, ToolDefinition>) {
    this.text = text;
    this.#tools = tools;
  }

  /** Whether nothing is left. */
  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** Passes blanks. */
  skipBlanks(): void {
    while (!this.ended && /\s/.test(this.text[this.at]!)) this.at++;
  }

  /** Passes a mark, with blanks before it, if it stands here. */
  eat(...marks: readonly string[]): boolean {
    const before = this.at;
    this.skipBlanks();
    const mark = marks.find((one) => this.text.startsWith(one, this.at));
    if (mark === undefined) this.at = before;
    else this.at += mark.length;
    return mark !== undefined;
  }

  /** Passes what a sticky expression finds here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text);
    if (found !== null) this.at = sticky.lastIndex;
    return found;
  }

  /** Whether the rest is the beginning of a mark, so that its end was cut off. */
  endsWithin(...marks: readonly string[]): boolean {
    const rest = this.text.slice(this.at).trimStart();
    return marks.some((mark) => mark.startsWith(rest));
  }

  /** The name of a tool as it is called here, null if there is no such tool. */
  nameOf(written: unknown): string | null {
    if (typeof written !== "string") return null;
    const name = written.trim().replace(/^functions\./, "").replace(/:\d+$/, "");
    return this.#tools.has(name) ? name : null;
  }

  /** Notes a call whose arguments are text. */
  add(name: string, args: string): void {
    this.calls.push({ name, arguments: args.trim() === "" ? "{}" : args });
  }

  /**
   * Notes a call whose arguments came one by one, as text: what the tool's schema says decides
   * whether it is text or JSON.
   */
  addParts(name: string, parts: readonly (readonly [field: string, text: string])[]): void {
    const properties = this.#tools.get(name)?.parameters.properties ?? {};
    const args = parts.map(([field, text]) => [field, valueOf(text, properties[field])]);
    this.calls.push({ name, arguments: JSON.stringify(Object.fromEntries(args)) });
  }

  /** The arguments of a call whose name is known: one JSON object, from here. */
  readArguments(name: string): Reading {
    this.skipBlanks();
    if (this.text[this.at] !== "{") return this.ended ? this.#addCut(name, "") : "none";
    const end = jsonEnd(this.text, this.at);
    if (end === -1) return this.#addCut(name, this.text.slice(this.at));
    this.add(name, this.text.slice(this.at, end));
    this.at = end;
    return "whole";
  }

  /** The arguments of a call whose name is known, as Python has them: `(x=1, y="z")`. */
  readPythonArguments(name: string): Reading {
    const read = pythonArguments(this.text, this.at);
    if (read === "cut") return this.#addCut(name, "");
    if (read === null) return "none";
    this.calls.push({ name, arguments: JSON.stringify(read.args) });
    this.at = read.end;
    return "whole";
  }

  /**
   * A call that is a JSON object, or a list of such, from here.
   *
   * @param isBare Whether no mark tells of it: it must then have arguments to be a call.
   */
  readJsonCalls(isBare: boolean): Reading {
    this.skipBlanks();
    if (!/[{[]/.test(this.text[this.at] ?? "")) return "none";
    const end = jsonEnd(this.text, this.at);
    if (end === -1) return this.#readLoosely(this.text.slice(this.at), "cut");
    const text = this.text.slice(this.at, end);
    const value = parsed(text);
    this.at = end;
    if (value === undefined) return this.#readLoosely(text, "whole");
    const calls = (Array.isArray(value) ? value : [value]).map((one) =>
      this.#callFrom(one, isBare)
    );
    if (calls.length === 0 || calls.some((call) => call === null)) return "none";
    this.calls.push(...calls.filter((call) => call !== null));
    return "whole";
  }

  #callFrom(value: unknown, isBare: boolean): WrittenCall | null {
    if (!isRecord(value)) return null;
    const inner = isRecord(value["function"]) ? value["function"] : value;
    const name = NAME_FIELDS.map((field) => this.nameOf(inner[field])).find((one) => one !== null);
    if (name === undefined || name === null) return null;
    const field = ARGUMENT_FIELDS.find((one) => inner[one] !== undefined);
    if (isBare && field === undefined) return null;
    const args = field === undefined ? {} : inner[field] ?? {};
    if (typeof args !== "string" && !isRecord(args)) return null;
    return { name, arguments: typeof args === "string" ? args || "{}" : JSON.stringify(args) };
  }

  /**
   * A call that is no JSON as it stands. The name must be there; the arguments are handed on as they
   * are, so that whoever parses them can tell the model what is wrong.
   */
  #readLoosely(text: string, reading: "whole" | "cut"): Reading {
    // Of a list, it would not be clear which call has the fault.
    const name = this.nameOf(LOOSE.exec(text)?.[1]);
    if (name === null || (reading === "whole" && text.startsWith("["))) return "none";
    const begins = LOOSE_ARGUMENTS.exec(text);
    const args = begins === null ? "" : text.slice(begins.index + begins[0].length);
    if (reading === "cut") return this.#addCut(name, args);
    if (args === "") return "none";
    this.add(name, args.replace(/\}\s*$/, ""));
    return "whole";
  }

  #addCut(name: string, args: string): Reading {
    this.at = this.text.length;
    this.calls.push({ name, arguments: args });
    return "cut";
  }
}

/** A value that was written as text: JSON, unless its schema asks for text. */
function valueOf(text: string, schema: JsonObject | undefined): unknown {
  const type = schema?.["type"];
  if (type === "string") return text;
  const value = parsed(text.trim());
  return value === undefined ? text : value;
}
