/**
 * The parts of A2A's messages and artifacts: text, data, files. Pure.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import type { Part } from "@a2a-js/sdk";
import type { JsonObject } from "../types.ts";
import type { Attachment } from "./types.ts";

/** The key in a part's metadata under which an attachment of ours is described. */
const ATTACHMENT_KEY = "urn:rein:attachment:1";

/** Characters of an attachment's address, by the schema of envelopes. */
const MAX_URL = 2_048;

/** A part of nothing, to be filled. */
export const noPart: Part = {
  content: undefined,
  metadata: undefined,
  filename: "",
  mediaType: "",
};

/** A value as a JSON object; null where it is none. It must have been JSON. */
export function objectOf(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

/** The JSON object that a whole text is; null where it is none. */
export function jsonObjectIn(text: string): JsonObject | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The texts of parts that are no files, a paragraph each; empty where there are none. */
export function textIn(parts: readonly Part[]): string {
  const texts = parts.flatMap(({ content, filename }) =>
    content?.$case === "text" && filename === "" && content.value !== "" ? [content.value] : []
  );
  return texts.join("\n\n");
}

function contentOf({ text, url }: Attachment, base: URL | null): NonNullable<Part["content"]> {
  if (text !== undefined) return { $case: "text", value: text };
  if (url === undefined) return { $case: "text", value: "" };
  return { $case: "url", value: absolute(url, base) };
}

function absolute(url: string, base: URL | null): string {
  return base && URL.canParse(url, base) ? new URL(url, base).href : url;
}

/**
 * An attachment of ours as a part. What is no content of a part is in its metadata.
 *
 * @param base What a relative address is relative to; null: it stays as it is.
 */
export function partOfAttachment(attachment: Attachment, base: URL | null): Part {
  const { text, ...described } = attachment;
  const url = attachment.url === undefined ? {} : { url: absolute(attachment.url, base) };
  const own = { ...described, ...url, has_text: text !== undefined };
  return {
    content: contentOf(attachment, base),
    metadata: { [ATTACHMENT_KEY]: own },
    filename: attachment.name,
    mediaType: attachment.media_type,
  };
}

/** The attachment of ours that a part is, still to be checked; null where it is none. */
export function ownAttachment({ content, metadata }: Part): JsonObject | null {
  const own = objectOf(metadata?.[ATTACHMENT_KEY]);
  if (!own) return null;
  const { has_text, ...described } = own;
  if (has_text !== true) return described;
  return { ...described, text: content?.$case === "text" ? content.value : "" };
}

/** A file's name without folders, or one that says which it is. */
function fileName(filename: string, url: string, index: number): string {
  const plain = (filename || url.split(/[?#]/, 1)[0] || "").replaceAll(/\p{Cc}/gu, "");
  const last = plain.split(/[/\\]/).at(-1)?.slice(0, 255) ?? "";
  return last === "" || last === "." || last === ".." ? `file-${index + 1}` : last;
}

function isText(mediaType: string): boolean {
  return /^text\/|^application\/(.*\+)?(json|xml|yaml)\b/.test(mediaType);
}

/**
 * The attachment that a part of others is: a named text, a file, an address. Bytes that are no text
 * can't be kept; the attachment then says that they were there.
 *
 * @param index The place of the part, for a name.
 * @returns Null for text and data that stand for themselves.
 */
export function attachmentOf(part: Part, index: number): Attachment | null {
  const { content, filename } = part;
  if (!content || content.$case === "data") return null;
  if (content.$case === "text" && filename === "") return null;
  const url = content.$case === "url" ? content.value : "";
  const name = fileName(filename, url, index);
  const media_type = part.mediaType.slice(0, 255) || "application/octet-stream";
  if (content.$case === "url") {
    return url === "" || url.length > MAX_URL ? { name, media_type } : { name, media_type, url };
  }
  if (content.$case === "text") return { name, media_type, text: content.value };
  const bytes = content.value.byteLength;
  if (!isText(media_type)) return { name, media_type, bytes };
  return { name, media_type, bytes, text: new TextDecoder().decode(content.value) };
}
