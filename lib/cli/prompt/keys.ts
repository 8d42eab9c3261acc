/**
 * What a terminal sends, as keys.
 *
 * @module
 */

/** Keys that do something. */
export type KeyName =
  | "enter"
  | "newline"
  | "tab"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "word_left"
  | "word_right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "cut_after"
  | "cut_before"
  | "cut_word"
  | "clear_screen"
  | "toggle_output"
  | "interrupt"
  | "end_of_input";

/** One key, or text that was typed or pasted. */
export type Key =
  | { readonly kind: "key"; readonly name: KeyName }
  | { readonly kind: "text"; readonly text: string };

/** Control characters. Source: what readline binds them to. */
const CONTROLS: { readonly [character: string]: KeyName } = {
  "\x01": "home",
  "\x02": "left",
  "\x03": "interrupt",
  "\x04": "end_of_input",
  "\x05": "end",
  "\x06": "right",
  "\x08": "backspace",
  "\t": "tab",
  "\n": "newline",
  "\x0b": "cut_after",
  "\x0c": "clear_screen",
  "\r": "enter",
  "\x0e": "down",
  "\x0f": "toggle_output",
  "\x10": "up",
  "\x15": "cut_before",
  "\x17": "cut_word",
  "\x7f": "backspace",
};

/** What follows `ESC [` or `ESC O`. Source: xterm's control sequences, and the Linux console. */
const SEQUENCES: { readonly [sequence: string]: KeyName } = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  "1~": "home",
  "7~": "home",
  "4~": "end",
  "8~": "end",
  "3~": "delete",
  "1;3C": "word_right",
  "1;5C": "word_right",
  "1;3D": "word_left",
  "1;5D": "word_left",
};

/** What follows `ESC`, with Alt held down. */
const ALT: { readonly [character: string]: KeyName } = {
  "\r": "newline",
  "\n": "newline",
  j: "newline",
  b: "word_left",
  f: "word_right",
  "\x7f": "cut_word",
  "\x08": "cut_word",
};

const PASTE_BEGINS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";

// deno-lint-ignore no-control-regex -- control characters are what this is about
const SEQUENCE = /^\x1b[[O][0-9;?]*[ -/]*[@-~]/;
// deno-lint-ignore no-control-regex -- control characters are what this is about
const UNFINISHED = /^\x1b(?:[[O][0-9;?]*[ -/]*)?$/;
// deno-lint-ignore no-control-regex -- control characters are what this is about
const PLAIN = /^[^\x00-\x1f\x7f\x80-\x9f]+/;

/** A pasted text: its line ends are line ends, and nothing in it is a key. */
function pasted(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  return text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}

/** Turns what is typed into keys, however it is cut into pieces. */
export class KeyParser {
  #rest = "";

  /** @returns The keys that are complete, in order. */
  push(piece: string): Key[] {
    this.#rest += piece;
    const keys: Key[] = [];
    while (this.#rest !== "") {
      const key = this.#next();
      if (key === null) break;
      if (key !== "none") keys.push(key);
    }
    return keys;
  }

  #take(chars: number): string {
    const taken = this.#rest.slice(0, chars);
    this.#rest = this.#rest.slice(chars);
    return taken;
  }

  /** The next key; `none`: something that is no key; null: its end has not come. */
  #next(): Key | "none" | null {
    const rest = this.#rest;
    const plain = PLAIN.exec(rest)?.[0];
    if (plain !== undefined) return { kind: "text", text: this.#take(plain.length) };
    if (!rest.startsWith("\x1b")) return named(CONTROLS[this.#take(1)]);
    if (rest.startsWith(PASTE_BEGINS)) return this.#paste();
    if (UNFINISHED.test(rest)) return null;
    const sequence = SEQUENCE.exec(rest)?.[0];
    if (sequence !== undefined) return named(SEQUENCES[this.#take(sequence.length).slice(2)]);
    // Escape by itself, or a key with Alt.
    return named(ALT[this.#take(2).slice(1)]);
  }

  #paste(): Key | null {
    const end = this.#rest.indexOf(PASTE_ENDS);
    if (end === -1) return null;
    const text = this.#take(end + PASTE_ENDS.length).slice(PASTE_BEGINS.length, end);
    return { kind: "text", text: pasted(text) };
  }
}

function named(name: KeyName | undefined): Key | "none" {
  return name === undefined ? "none" : { kind: "key", name };
}
