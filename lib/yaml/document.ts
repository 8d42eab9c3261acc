/**
 * Reads YAML that people wrote, and knows where everything stands in it.
 *
 * @module
 */

import { type Document, isMap, isNode, LineCounter, parseDocument } from "yaml";

/** The way to a value: keys and indices from the outermost on. */
export type Path = readonly (string | number)[];

/** A place in a file; line and column from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Makes the error that a file has a fault. */
export type Fault = (message: string, at: FilePlace) => Error;

/** What a text says, with the places of it. */
export interface YamlContent {
  /** Plain data; an empty text is an empty object. */
  readonly content: unknown;
  /** The place of a value, or of the nearest one around it. */
  placeOf(path: Path): FilePlace;
  /** The place of a key in the map at a path. */
  placeOfKey(path: Path, key: string): FilePlace;
}

/** A value as it is shown in a message: one line, at most 60 characters. */
export function shownValue(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? "nothing";
}

function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffsetOf(document: Document.Parsed, path: Path, key: string): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(node) ? node.items.find((item) => String(item.key) === key) : undefined;
  const range = isNode(pair?.key) ? pair.key.range : undefined;
  return range ? range[0] : offsetOf(document, path);
}

/**
 * Reads one text.
 *
 * @param file What people know the text as.
 * @throws What `fault` makes, if it is not YAML, or unfolds into too much.
 */
export function readDocument(text: string, file: string, fault: Fault): YamlContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [first] = document.errors;
  if (first !== undefined) {
    throw fault(first.message.split("\n")[0]?.replace(/ at line.*$/, "") ?? "", at(first.pos[0]));
  }
  return {
    content: plainOf(document, (message) => fault(message, at(0))),
    placeOf: (path) => at(offsetOf(document, path)),
    placeOfKey: (path, key) => at(keyOffsetOf(document, path, key)),
  };
}

/** Aliases of aliases can grow a few lines into gigabytes; the parser refuses that. */
function plainOf(document: Document.Parsed, fault: (message: string) => Error): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error));
  }
}
