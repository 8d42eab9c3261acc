/**
 * How large a model's window is, as far as its name tells.
 *
 * @module
 */

import { KNOWN_WINDOWS } from "./known_windows.ts";

/** For models that nobody here knows. Source: the table of defaults of the design. */
export const DEFAULT_WINDOW = 128_000;

/** Names of less than this many characters are found at the beginning only: `o1`, not `marco-o1`. */
const SHORT_NAME_CHARS = 3;

/** A window in the name: `moonshot-v1-128k`, `phi-3-mini-4k-instruct`; in thousands of tokens. */
const NAMED_WINDOW = /[-_:](\d{1,4})k(?![a-z\d])/;

/** Makes one of the spellings of a name: `Llama-3.1` and `llama3.1`, `gpt_4o` and `gpt-4o`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "-").replace(/(?<=[a-z])-(?=\d)/g, "");
}

const KNOWN: readonly (readonly [name: string, window: number])[] = Object.entries(KNOWN_WINDOWS)
  .map(([name, window]) => [plain(name), window] as const)
  .sort(([one], [other]) => other.length - one.length);

/** Whether a known name stands in another, as a whole: not `gpt-4` in `gpt-40`. */
function stands(known: string, name: string): boolean {
  for (let at = name.indexOf(known); at >= 0; at = name.indexOf(known, at + 1)) {
    const begins = at === 0 || (known.length >= SHORT_NAME_CHARS && !isWord(name[at - 1]!));
    if (begins && !(isDigit(known.at(-1)) && isDigit(name[at + known.length]))) return true;
  }
  return false;
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

function isWord(char: string): boolean {
  return isDigit(char) || (char >= "a" && char <= "z");
}

/**
 * The window of a model, in tokens, for request and answer together.
 *
 * @param modelName As a server knows it, also with a vendor before it (`openai/gpt-4o`) and a size,
 *   a date or a quantisation behind it (`qwen3:8b-q4_K_M`).
 * @returns {@linkcode DEFAULT_WINDOW} where the name is not known. A server may have been started
 *   with less; what it says when it refuses a request is better.
 */
export function contextWindowOf(modelName: string): number {
  const name = plain(modelName.slice(modelName.lastIndexOf("/") + 1));
  const found = KNOWN.find(([known]) => stands(known, name))?.[1];
  const named = Number(NAMED_WINDOW.exec(modelName.toLowerCase())?.[1] ?? 0) * 1_000;
  if (named >= 1_000 && !(found !== undefined && isNear(found, named))) return named;
  return found ?? DEFAULT_WINDOW;
}

/** Whether both are the same in round figures: 8,192 is `8k`, 131,072 is `128k`. */
function isNear(window: number, named: number): boolean {
  return window >= named && window <= 1.05 * named;
}
