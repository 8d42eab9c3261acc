/**
 * What a tool of an MCP server brought, as an outcome of a call.
 *
 * @module
 */

import { clip } from "../results/characters.ts";
import { inLine } from "./in_line.ts";
import type { Json, TextLimit, ToolContext, ToolOutcome } from "../types.ts";

/** How much of its text a model gets to see. Source: as `http_request`. */
export const TEXT_LIMIT: TextLimit = { head: 4500, tail: 1500 };

/** Characters of structured content, as JSON, that are handed on as data; more of it goes as text. */
const STRUCTURED_CHARS = 3000;

/** How much of longer structured content a model gets to see. */
export const STRUCTURED_LIMIT: TextLimit = { head: 2000, tail: 1000 };

/** Pieces of content that are looked at. */
const MAX_PIECES = 1000;

/** Characters of an error of the tool's. */
const ERROR_CHARS = 900;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

/** A short text of any origin in one line. */
function word(value: unknown, fallback = "unknown"): string {
  if (typeof value !== "string" || value === "") return fallback;
  return inLine(value, 200);
}

/** Bytes of what is encoded as base64. */
function bytesOf(base64: unknown): number {
  return typeof base64 === "string" ? Math.floor(base64.replace(/=+$/, "").length * 3 / 4) : 0;
}

function resourceText(resource: Fields): string {
  const name = `[resource ${word(resource["uri"])}, ${word(resource["mimeType"], "no type told")}`;
  const { text, blob } = resource;
  if (typeof text === "string") return `${name}]\n${text}`;
  return `${name}, ${bytesOf(blob)} bytes, not shown]`;
}

/** One piece of content as text; what is no text is described. */
function pieceText(piece: Fields): string {
  const { type, text, mimeType, data } = piece;
  switch (type) {
    case "text":
      return typeof text === "string" ? text : "";
    case "image":
    case "audio":
      return `[${type}, ${word(mimeType)}, ${bytesOf(data)} bytes, not shown]`;
    case "resource":
      return resourceText(fieldsOf(piece["resource"]));
    case "resource_link": {
      const about = word(piece["description"], "");
      const link = `${word(piece["name"])}: ${word(piece["uri"])}, ${
        word(mimeType, "no type told")
      }`;
      return `[link to a resource ${link}${about === "" ? "" : `: ${about}`}]`;
    }
    default:
      return `[content of the kind ${word(type)}, not shown]`;
  }
}

/** Whether a text is just the structured content once more, as the protocol wishes it. */
function isCopy(texts: readonly string[], structured: unknown): boolean {
  const [only] = texts;
  if (structured === undefined || texts.length !== 1 || only === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(only)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function textsOf(result: Fields): readonly string[] {
  const { content } = result;
  const pieces = Array.isArray(content) ? content : [];
  const more = pieces.length - MAX_PIECES;
  const texts = pieces.slice(0, MAX_PIECES).map((piece) => pieceText(fieldsOf(piece)));
  return more > 0 ? [...texts, `[${more} more pieces of content, not shown]`] : texts;
}

function failed(text: string): ToolOutcome {
  const said = clip(text.replaceAll(/\s+/g, " ").trim(), ERROR_CHARS);
  const error = {
    code: "tool_error",
    message: said === "" ? "The tool failed and did not say why" : said,
    hint: "These are the tool's words. Correct the arguments, or find another way.",
    retriable: false,
  };
  return { ok: false, error };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Makes an outcome of a result.
 *
 * @param raw As the server sent it; anything.
 * @param collect Bounds and redacts its texts.
 */
export function outcomeOf(raw: unknown, collect: ToolContext["collect"]): ToolOutcome {
  const result = fieldsOf(raw);
  const structured = result["structuredContent"] as Json | undefined;
  const texts = textsOf(result);
  if (result["isError"] === true) return failed(texts.join("\n"));
  const text = collect({ field: "text", limit: TEXT_LIMIT, raw: false });
  const copy = isCopy(texts, structured);
  const shown = copy ? [] : texts;
  shown.forEach((piece, at) => text.push(at === 0 ? piece : `\n${piece}`));
  const collected = text.finish();
  const json = structured === undefined ? "" : JSON.stringify(structured);
  const long = json.length > STRUCTURED_CHARS
    ? collect({ field: "structured", limit: STRUCTURED_LIMIT, raw: false })
    : null;
  long?.push(json);
  const whole = long?.finish();
  return {
    ok: true,
    data: {
      ...(shown.length === 0 && structured !== undefined ? {} : { text: collected.text }),
      ...(structured === undefined ? {} : { structured: whole?.text ?? structured }),
    },
    summary: structured === undefined || !copy
      ? plural(collected.totalLines, "line")
      : plural(json.length, "character"),
    truncated: [...collected.truncated, ...whole?.truncated ?? []],
  };
}
