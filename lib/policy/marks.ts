/**
 * Words with holes. A word of a script is a string in which what can't be
 * known before it runs stands as a mark, one character that no text contains
 * (Unicode noncharacters). String operations then work on words as they are.
 *
 * @module
 */

/** Any text, perhaps empty; within one word. */
export const ANY = "\uFDD0";
/** Any text, perhaps empty, perhaps several words: unknown and unquoted. */
export const WORDS = "\uFDD1";
/** Any text that came over the network. */
export const NETWORK = "\uFDD2";
/** An active `*`: any characters but a slash, perhaps none. */
export const STAR = "\uFDD3";
/** An active `?` or `[…]`: one character but no slash. */
export const ONE = "\uFDD4";
/** Digits. */
export const NUMBER = "\uFDD5";
/** One word of any text: not empty, no space. */
export const WORD = "\uFDD7";
/** A name: not empty, no slash, no space, no dash in front. */
export const NAME = "\uFDD6";

const MARK = /[\uFDD0-\uFDEF]/;
const MARKS = /[\uFDD0-\uFDEF]/g;
const OPEN = /[\uFDD0-\uFDD2\uFDD7]/;
const OPENS = /[\uFDD0-\uFDD2]/g;

/** Whether nothing in the word is unknown. */
export function isKnown(word: string): boolean {
  return !MARK.test(word);
}

/** Whether the word holds text that may be anything, perhaps nothing. */
export function isOpen(word: string): boolean {
  return OPEN.test(word);
}

/** Whether the word may become another number of words. */
export function mayBeWords(word: string): boolean {
  return word.includes(WORDS);
}

/** Whether the word holds text from the network. */
export function isFromNetwork(word: string): boolean {
  return word.includes(NETWORK);
}

/** Whether the word holds an active glob. */
export function isGlob(word: string): boolean {
  return word.includes(STAR) || word.includes(ONE);
}

/** The word if every text that may be empty is empty. */
export function emptied(word: string): string {
  return word.replaceAll(OPENS, "");
}

/** The word's known beginning. */
export function knownPrefix(word: string): string {
  const at = word.search(MARK);
  return at < 0 ? word : word.slice(0, at);
}

/** What is left of a text that went through something that can't be followed. */
export function blurred(text: string): string {
  return isFromNetwork(text) ? NETWORK : ANY;
}

/** A value as its unquoted expansion: globs become active, the unknown splits. */
export function unquoted(text: string): string {
  return text.replaceAll("*", STAR).replaceAll("?", ONE).replaceAll(ANY, WORDS);
}

/** A word as its quoted expansion: one word. */
export function quoted(text: string): string {
  return text.replaceAll(WORDS, ANY);
}

/** A word as a variable keeps it: globs are text until they are used. */
export function inert(text: string): string {
  return text.replaceAll(WORDS, ANY).replaceAll(STAR, "*").replaceAll(ONE, "?");
}

/** A word for people: marks become what they would have been written as. */
export function readable(word: string): string {
  if (!MARK.test(word)) return word;
  return word.replaceAll(MARKS, (mark) => READABLE[mark] ?? "…");
}

const READABLE: Readonly<Record<string, string>> = {
  [STAR]: "*",
  [ONE]: "?",
};
