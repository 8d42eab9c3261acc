/**
 * Texts of five kinds, in pieces of the size of a message: one set that the weights of the token
 * estimate were fitted on, and one that they have never seen.
 *
 * @module
 */

import { generateLog } from "../../demo/log.ts";
import { GENERATED_JSON, GENERATED_LOGS } from "./_generated.ts";

/** The kinds that the estimate has to be good at. */
export const KINDS = ["english", "chinese", "json", "logs", "code"] as const;

/** One of {@linkcode KINDS}. */
export type Kind = (typeof KINDS)[number];

/** Pieces of text by kind. */
export type Corpora = Readonly<Record<Kind, readonly string[]>>;

const ROOT = new URL("../../", import.meta.url);

/** A piece ends with the line that reaches this length. */
const PIECE_CHARS = 1_500;

/** A shorter rest is left out. */
const LEAST_CHARS = 400;

/** Of one text, so that no long one outweighs the others. */
const PIECES_EACH = 8;

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** A file's texts, divided by lines of `====`. */
function own(name: string): string[] {
  return read(`tests/context/corpora/${name}.txt`).split("====\n");
}

function sources(directory: string): string[] {
  const names = [...Deno.readDirSync(new URL(directory, ROOT))].map(({ name }) => name).toSorted();
  return names.filter((name) => name.endsWith(".ts")).map((name) => read(directory + name));
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const line of text.split(/(?<=\n)/)) {
    piece += line;
    if (piece.length < PIECE_CHARS) continue;
    pieces.push(piece);
    piece = "";
  }
  if (piece.length >= LEAST_CHARS || pieces.length === 0) pieces.push(piece);
  return pieces.slice(0, PIECES_EACH);
}

function inPieces(texts: Readonly<Record<Kind, readonly string[]>>): Corpora {
  const entries = KINDS.map((kind) => [kind, texts[kind].flatMap(piecesOf)]);
  return Object.fromEntries(entries) as Record<Kind, string[]>;
}

const demoLog = generateLog();

/** What the weights were fitted on, beside texts of one machine that are not in the repository. */
export const CALIBRATION: Corpora = inPieces({
  english: [...own("english_calibration"), read("README.md")],
  chinese: own("chinese_calibration"),
  json: [
    ...GENERATED_JSON.calibration,
    read("policies/built_in/baseline.json"),
    read("tests/policy/corpus/dangerous.jsonl"),
  ],
  logs: [...GENERATED_LOGS.calibration, demoLog],
  code: [...own("code_calibration"), ...sources("lib/results/")],
});

/** What they have never seen. */
export const HELD_OUT: Corpora = inPieces({
  english: [
    ...own("english_held_out"),
    read("docs/architecture.md"),
    read("docs/policies.md"),
    read("CHANGELOG.md"),
  ],
  chinese: own("chinese_held_out"),
  json: [
    ...GENERATED_JSON.heldOut,
    read("policies/built_in/ops.json"),
    read("policies/schema.json"),
    read("tests/policy/corpus/reading.jsonl"),
  ],
  logs: GENERATED_LOGS.heldOut,
  code: [...own("code_held_out"), ...sources("tools/")],
});
