/**
 * What models write, lightly set: tables, code, what is stressed. The rest stays as it is written.
 *
 * @module
 */

import { type Html, type HtmlPart, joined, tag } from "./html.ts";

/** The line between the head of a table and its rows. */
const DELIMITER = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/;

/** Code and stressed words within a line. */
const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*)/;

function inline(text: string): HtmlPart {
  return text.split(INLINE).map((piece) => {
    if (/^`.+`$/.test(piece)) return tag("code", {}, piece.slice(1, -1));
    return /^\*\*.+\*\*$/.test(piece) ? tag("b", {}, piece.slice(2, -2)) : piece;
  });
}

function cellsOf(line: string): string[] {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").map((cell) => cell.trim());
}

function tableOf([head = "", delimiter = "", ...rows]: readonly string[]): Html {
  const ends = cellsOf(delimiter).map((cell) => /-:$/.test(cell) ? "end" : null);
  const row = (name: "th" | "td", line: string) =>
    tag(
      "tr",
      {},
      cellsOf(line).map((cell, at) => tag(name, { class: ends[at] ?? null }, inline(cell))),
    );
  const body = rows.map((line) => row("td", line));
  return tag("table", {}, tag("thead", {}, row("th", head)), tag("tbody", {}, body));
}

/** How many lines from here on are one block, and what it is. */
function blockAt(lines: readonly string[], from: number): { end: number; block: Html | null } {
  const line = lines[from] ?? "";
  if (line.startsWith("```")) {
    const close = lines.findIndex((each, at) => at > from && each.startsWith("```"));
    const end = close === -1 ? lines.length : close + 1;
    const inner = lines.slice(from + 1, close === -1 ? end : close);
    return { end, block: tag("pre", {}, inner.join("\n")) };
  }
  if (line.includes("|") && DELIMITER.test(lines[from + 1] ?? "")) {
    const past = lines.findIndex((each, at) => at > from + 1 && !each.includes("|"));
    const end = past === -1 ? lines.length : past;
    return { end, block: tableOf(lines.slice(from, end)) };
  }
  return { end: from + 1, block: null };
}

/** Sets a text. */
export function prose(text: string): Html {
  const lines = text.split("\n");
  const parts: Html[] = [];
  let plain: string[] = [];
  const flush = () => {
    const said = plain.join("\n").replace(/^\n+|\s+$/g, "");
    if (said !== "") parts.push(tag("div", { class: "plain" }, inline(said)));
    plain = [];
  };
  for (let at = 0; at < lines.length;) {
    const { end, block } = blockAt(lines, at);
    if (block === null) plain.push(lines[at] ?? "");
    else {
      flush();
      parts.push(block);
    }
    at = end;
  }
  flush();
  return joined(parts);
}
