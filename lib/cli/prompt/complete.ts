/**
 * What Tab does at a prompt: slash commands and paths.
 *
 * @module
 */

import { english, type Say } from "../../messages/messages.ts";
import { FileError, type Ports } from "../../ports.ts";
import { printable } from "../printable.ts";
import { type Editor, replaceBetween } from "./editor.ts";

/** Names that are listed at the most. */
const MAX_LISTED = 40;

/** Entries of a directory that are looked at; more are more than anyone chooses from. */
const MAX_ENTRIES = 5000;

/** What stands at the cursor could become. */
interface Candidates {
  /** Where the part begins that they replace. */
  readonly from: number;
  /** Whole replacements, with what follows them: a blank, or `/` of a directory. */
  readonly texts: readonly string[];
}

/** The longest beginning that all texts share. */
function sharedBeginning(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let end = first.length;
  for (const text of others) {
    while (!text.startsWith(first.slice(0, end))) end--;
  }
  // Half of a surrogate pair is no text.
  return first.slice(0, end).replace(/[\ud800-\udbff]$/, "");
}

function completed(editor: Editor, { from, texts }: Candidates, say: Say): Editor {
  if (texts.length === 0) return editor;
  const shared = sharedBeginning(texts);
  const written = editor.text.slice(from, editor.cursor);
  if (shared.length > written.length) return replaceBetween(editor, from, editor.cursor, shared);
  const listed = texts.slice(0, MAX_LISTED).map((text) => printable(text.trimEnd()));
  const more = texts.length > MAX_LISTED
    ? [say("session.more", { count: texts.length - MAX_LISTED })]
    : [];
  return texts.length === 1 ? editor : { ...editor, hint: [[...listed, ...more].join("  ")] };
}

/** Names in a directory; none where it can't be read. */
async function namesIn(directory: string, { files }: Pick<Ports, "files">) {
  const names: { name: string; isDirectory: boolean }[] = [];
  try {
    for await (const { name, kind } of files.readDir(directory)) {
      if (names.push({ name, isDirectory: kind === "directory" }) >= MAX_ENTRIES) break;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return names;
}

async function pathCandidates(
  { text, cursor }: Editor,
  ports: Pick<Ports, "files" | "env">,
): Promise<Candidates> {
  const [word = ""] = /\S*$/.exec(text.slice(0, cursor)) ?? [];
  // Quotation marks and `@` stand before paths.
  const [mark = ""] = /^["'`(@“「]*/.exec(word) ?? [];
  const path = word.slice(mark.length);
  const from = cursor - path.length;
  if (path === "") return { from, texts: [] };
  const slash = path.lastIndexOf("/") + 1;
  const [directory, beginning] = [path.slice(0, slash), path.slice(slash)];
  const home = ports.env.get("HOME") ?? "~";
  const names = await namesIn(directory.replace(/^~(?=\/)/, home) || ".", ports);
  const texts = names
    .filter(({ name }) => name.startsWith(beginning) && !/\s/.test(name))
    .filter(({ name }) => !name.startsWith(".") || beginning.startsWith("."))
    .map(({ name, isDirectory }) => `${directory}${name}${isDirectory ? "/" : " "}`)
    .toSorted();
  return { from, texts };
}

/**
 * Completes what stands before the cursor as far as that is clear; else the hint lists what it may
 * become.
 *
 * @param commands Names with their slash.
 */
export async function complete(
  editor: Editor,
  commands: readonly string[],
  ports: Pick<Ports, "files" | "env"> & { readonly say?: Say },
): Promise<Editor> {
  const { say = english } = ports;
  const before = editor.text.slice(0, editor.cursor);
  if (/^\/[\w-]*$/.test(before)) {
    const texts = commands.filter((name) => name.startsWith(before)).map((name) => `${name} `);
    if (texts.length > 0) return completed(editor, { from: 0, texts }, say);
  }
  return completed(editor, await pathCandidates(editor, ports), say);
}
