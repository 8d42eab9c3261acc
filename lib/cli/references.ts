/**
 * `@path` in a question: files that the person means.
 *
 * @module
 */

import { type Environment, FileError, type Files } from "../ports.ts";

/** What finding them needs. */
export interface ReferencePorts {
  readonly files: Pick<Files, "stat">;
  readonly env: Environment;
}

/** A question, and what it refers to. */
export interface Referring {
  /** As it was typed, but for `\@`, which is `@`. */
  readonly question: string;
  /** Paths of what is there, each once, in the order of the question. */
  readonly paths: readonly string[];
  /** Words that look like a reference and name nothing, with their `@`. */
  readonly missing: readonly string[];
}

/** What may follow a path in a sentence. */
const PUNCTUATION = /[.,;:!?'")\]}，。；：、！？）】」』”’]+$/u;

/** Whether a file or a directory is there, be it that it can't be looked at: reading it tells. */
async function isThere(path: string, { files }: ReferencePorts): Promise<boolean> {
  try {
    return (await files.stat(path)).kind !== "other";
  } catch (error) {
    return error instanceof FileError && error.code !== "not_found";
  }
}

function absolute(path: string, { env }: ReferencePorts): string {
  const home = env.get("HOME");
  return path.startsWith("~/") && home ? `${home}${path.slice(1)}` : path;
}

/** The path that a word names, with or without what follows it in a sentence, or null. */
async function pathOf(word: string, ports: ReferencePorts): Promise<string | null> {
  const named = absolute(word.slice(1), ports);
  for (const path of new Set([named, named.replace(PUNCTUATION, "")])) {
    if (path !== "" && await isThere(path, ports)) return path;
  }
  return null;
}

/**
 * Finds the references of a question: words that begin with `@` and name what is there. An
 * argument that is one reference as a whole may hold blanks.
 *
 * @param words The arguments of the command line.
 */
export async function findReferences(
  words: readonly string[],
  ports: ReferencePorts,
): Promise<Referring> {
  const paths: string[] = [];
  const missing: string[] = [];
  const told: string[] = [];
  for (const argument of words) {
    const whole = /^@.*\s/s.test(argument) &&
      await isThere(absolute(argument.slice(1), ports), ports);
    for (const word of whole ? [argument] : argument.split(/(\s+)/)) {
      told.push(word.startsWith("\\@") ? word.slice(1) : word);
      if (!/^@[^@]/.test(word)) continue;
      const path = await pathOf(word, ports);
      if (path === null) missing.push(word);
      else paths.push(path);
    }
    told.push(" ");
  }
  return { question: told.join("").trim(), paths: [...new Set(paths)], missing };
}
