/**
 * Arguments of a call as Python writes them: keywords with literals.
 *
 * @module
 */

import type { Json } from "../types.ts";

/** Literals that are words. */
const WORDS: { readonly [word: string]: Json } = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

/** Escapes in strings that stand for something else than the character itself. */
const ESCAPES: { readonly [char: string]: string } = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** It ends in the middle, or it is something else. */
class Fault extends Error {
  readonly cut: boolean;

  constructor(cut: boolean) {
    super("No arguments");
    this.cut = cut;
  }
}

/** Reads literals one after another. */
class Literals {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.#text);
    if (found !== null) this.at = sticky.lastIndex;
    return found;
  }

  fault(): Fault {
    this.#match(/\s*/y);
    return new Fault(this.at >= this.#text.length);
  }

  eat(mark: string): boolean {
    this.#match(/\s*/y);
    const found = this.#text.startsWith(mark, this.at);
    if (found) this.at += mark.length;
    return found;
  }

  keyword(): string {
    const name = this.#match(/\s*([A-Za-z_]\w{0,63})\s*=/y)?.[1];
    if (name === undefined) {
      throw new Fault(/^\s*\w*\s*$/.test(this.#text.slice(this.at)));
    }
    return name;
  }

  value(): Json {
    if (this.eat("[")) return this.#items("]", () => this.value());
    if (this.eat("{")) return Object.fromEntries(this.#items("}", () => this.#entry()));
    const quote = this.#match(/["']/y)?.[0];
    if (quote !== undefined) return this.#string(quote);
    const word = this.#match(/-?\d[\w.+-]*|[A-Za-z]+/y)?.[0] ?? "";
    if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
    if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word);
    throw this.fault();
  }

  #entry(): readonly [string, Json] {
    const key = this.value();
    if (typeof key !== "string" || !this.eat(":")) throw this.fault();
    return [key, this.value()];
  }

  /** Values up to a mark, with commas between them and perhaps behind the last. */
  #items<T>(end: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.eat(end)) {
      items.push(read());
      if (!this.eat(",")) {
        if (this.eat(end)) return items;
        throw this.fault();
      }
    }
    return items;
  }

  #string(quote: string): string {
    let value = "";
    for (let char = this.#text[this.at++]; char !== quote; char = this.#text[this.at++]) {
      if (char === undefined) throw new Fault(true);
      const escaped = char === "\\" ? this.#text[this.at++] : undefined;
      value += escaped === undefined ? char : ESCAPES[escaped] ?? escaped;
    }
    return value;
  }
}

/**
 * Reads arguments, from the bracket that opens them.
 *
 * @returns Where they end, or `cut` where the text ends first; null if they are something else.
 */
export function pythonArguments(
  text: string,
  at: number,
): { readonly args: { readonly [name: string]: Json }; readonly end: number } | "cut" | null {
  const literals = new Literals(text, at);
  try {
    if (!literals.eat("(")) throw literals.fault();
    const args: [string, Json][] = [];
    while (!literals.eat(")")) {
      args.push([literals.keyword(), literals.value()]);
      if (literals.eat(",")) continue;
      if (literals.eat(")")) break;
      throw literals.fault();
    }
    return { args: Object.fromEntries(args), end: literals.at };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.cut ? "cut" : null;
  }
}
