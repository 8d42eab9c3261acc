/**
 * What a text consists of, as far as its number of tokens depends on it: words by length, digits,
 * punctuation, white space, scripts. One pass, no table of a tokenizer.
 *
 * Tokenizers of today's models first cut a text into words with one character before them, groups
 * of up to three digits, runs of punctuation and runs of white space, and then each of these into
 * tokens. The pass finds the same cuts and counts what stands between them.
 *
 * @module
 */

/** What is counted, with its place in a {@linkcode TextProfile}. */
export const Count = {
  /** Words behind white space or a line's start, and their letters beyond 4, 7 and 10. */
  words: 0,
  wordsOver4: 1,
  wordsOver7: 2,
  wordsOver10: 3,
  /** Words behind a run of marks of their own; the letters of all words that touch others. */
  gluedWords: 4,
  gluedWordsOver4: 5,
  gluedWordsOver7: 6,
  gluedWordsOver10: 7,
  /** Words with one mark right before them, which is counted with them. */
  markedWords: 8,
  /** Words that begin with a capital inside a name, as in `camelCase`. */
  innerWords: 9,
  /** Words all in capitals. */
  capitals: 10,
  capitalsOver2: 11,
  /** One or two letters beside digits, as in hashes; more of them; and those beyond 2. */
  shortMixed: 12,
  mixed: 13,
  mixedOver2: 14,
  /** Groups of up to three digits, and runs of digits behind a space. */
  digitGroups: 15,
  spacedDigits: 16,
  /** One mark, two, and more, with those beyond 3; not the one of a marked word. */
  singleMarks: 17,
  doubleMarks: 18,
  longMarks: 19,
  longMarksOver3: 20,
  /** Runs of three marks or more with a double quote, as between the parts of JSON. */
  quotedMarks: 21,
  quotedMarksOver3: 22,
  /** The same mark four times or more. */
  repeatedMarks: 23,
  repeatedMarksOver4: 24,
  /** Runs of more than one space or tab, and what is beyond 16 of them. */
  blanks: 25,
  blanksOver16: 26,
  /** Line ends behind marks, and behind anything else. */
  markedBreaks: 27,
  breaks: 28,
  hanRuns: 29,
  han: 30,
  kana: 31,
  hangul: 32,
  widePunctuation: 33,
  accents: 34,
  cyrillicWords: 35,
  cyrillic: 36,
  otherWords: 37,
  otherLetters: 38,
  symbols: 39,
  repeatedSymbols: 40,
  /** UTF-16 units of characters beyond the basic plane: emoji, rare Han. */
  surrogates: 41,
} as const;

/** Counts by place, see {@linkcode Count}. */
export type TextProfile = Float64Array;

const COUNTS = Object.keys(Count).length;

const BLANK = 0;
const BREAK = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
const MARK = 5;
const ACCENTED = 6;
const HAN = 7;
const KANA = 8;
const HANGUL = 9;
const WIDE = 10;
const CYRILLIC = 11;
const OTHER = 12;
const SYMBOL = 13;
const SURROGATE = 14;

function asciiClass(code: number): number {
  if (code === 10 || code === 13) return BREAK;
  if (code <= 32 || code === 127) return BLANK;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 97 && code <= 122 ? LOWER : MARK;
}

/** Where each class begins, by code unit. Source: the blocks of Unicode. */
const BLOCKS: readonly (readonly [from: number, kind: number])[] = [
  [0x80, SYMBOL],
  [0xc0, ACCENTED],
  [0x250, OTHER],
  [0x400, CYRILLIC],
  [0x530, OTHER],
  [0x1e00, ACCENTED],
  [0x1f00, OTHER],
  [0x2000, SYMBOL],
  [0x2c00, OTHER],
  [0x2e80, HAN],
  [0x3000, WIDE],
  [0x3040, KANA],
  [0x3100, HANGUL],
  [0x3190, HAN],
  [0xa000, OTHER],
  [0xac00, HANGUL],
  [0xd7b0, OTHER],
  [0xd800, SURROGATE],
  [0xe000, SYMBOL],
  [0xf900, HAN],
  [0xfb00, OTHER],
  [0xfe30, WIDE],
  [0xfe50, OTHER],
  [0xff00, WIDE],
];

/** The class of every code unit: one look each is what makes the pass fast. */
const CLASSES = new Uint8Array(0x10000);
for (let code = 0; code < 0x80; code++) CLASSES[code] = asciiClass(code);
for (const [index, [from, kind]] of BLOCKS.entries()) {
  CLASSES.fill(kind, from, BLOCKS[index + 1]?.[0] ?? 0x10000);
}

/** The class of the unit at a place; a blank beyond either end. */
function classAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? CLASSES[text.charCodeAt(at)]! : BLANK;
}

function add(profile: TextProfile, count: number, by: number): void {
  profile[count]! += by;
}

function over(length: number, limit: number): number {
  return length > limit ? length - limit : 0;
}

function runEnd(text: string, from: number, kind: number): number {
  let at = from;
  while (at < text.length && CLASSES[text.charCodeAt(at)] === kind) at++;
  return at;
}

/** Capitals, then small letters; a capital behind a small letter begins another word. */
function countWord(text: string, from: number, profile: TextProfile): number {
  let at = runEnd(text, from, UPPER);
  const capitals = at - from;
  let accents = 0;
  for (let kind = classAt(text, at); kind === LOWER || kind === ACCENTED;) {
    if (kind === ACCENTED) accents++;
    kind = classAt(text, ++at);
  }
  const length = at - from;
  const before = classAt(text, from - 1);
  if (accents > 0) add(profile, Count.accents, accents);
  if (before === DIGIT || classAt(text, at) === DIGIT) {
    add(profile, length > 2 ? Count.mixed : Count.shortMixed, 1);
    add(profile, Count.mixedOver2, over(length, 2));
  } else if (capitals === length && length > 1) {
    add(profile, Count.capitals, 1);
    add(profile, Count.capitalsOver2, length - 2);
  } else {
    add(profile, wordCount(text, from), 1);
    if (length > 4) countLetters(length, before <= BREAK ? Count.words : Count.gluedWords, profile);
  }
  return contractionEnd(text, at);
}

/** Where a word is counted, by what stands before it. */
function wordCount(text: string, from: number): number {
  const before = classAt(text, from - 1);
  if (before <= BREAK) return Count.words;
  if (before !== MARK) return Count.innerWords;
  return standsAlone(text, from - 1) ? Count.markedWords : Count.gluedWords;
}

/** Whether a mark takes the word behind it along: not if marks or a blank stand before it. */
function standsAlone(text: string, at: number): boolean {
  const before = classAt(text, at - 1);
  return before !== MARK && (at === 0 || before !== BLANK);
}

function countLetters(length: number, base: number, profile: TextProfile): void {
  add(profile, base + 1, length - 4);
  add(profile, base + 2, over(length, 7));
  add(profile, base + 3, over(length, 10));
}

/** The end of `'s`, `'re` and the like: they belong to their word. */
function contractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 39) return at;
  const end = runEnd(text, at + 1, LOWER);
  return end > at + 1 && end <= at + 3 ? end : at;
}

function countDigits(text: string, from: number, profile: TextProfile): number {
  const end = runEnd(text, from, DIGIT);
  add(profile, Count.digitGroups, Math.ceil((end - from) / 3));
  if (from > 0 && classAt(text, from - 1) === BLANK) add(profile, Count.spacedDigits, 1);
  return end;
}

/** A run of marks; the same one again and again is counted apart, as it makes few tokens. */
function countMarks(text: string, from: number, profile: TextProfile): number {
  let at = from;
  let others = 0;
  let quoted = false;
  while (classAt(text, at) === MARK) {
    const mark = text.charCodeAt(at);
    const start = at;
    while (text.charCodeAt(at) === mark) at++;
    const length = at - start;
    if (length < 4) {
      others += length;
      quoted ||= mark === 34;
    } else {
      add(profile, Count.repeatedMarks, 1);
      add(profile, Count.repeatedMarksOver4, length - 4);
    }
  }
  if (others > 2) {
    add(profile, quoted ? Count.quotedMarks : Count.longMarks, 1);
    add(profile, quoted ? Count.quotedMarksOver3 : Count.longMarksOver3, others - 3);
  } else if (others === 2) {
    add(profile, Count.doubleMarks, 1);
  } else if (others === 1 && !beginsMarkedWord(text, from, at)) {
    add(profile, Count.singleMarks, 1);
  }
  return at;
}

function beginsMarkedWord(text: string, from: number, end: number): boolean {
  const next = classAt(text, end);
  return end === from + 1 && (next === LOWER || next === UPPER) && standsAlone(text, from);
}

/** Blanks; a single one belongs to what follows it. */
function countBlanks(text: string, from: number, profile: TextProfile): number {
  const end = runEnd(text, from, BLANK);
  const length = end - from;
  const joined = length === 1 && (from === 0 || classAt(text, end) !== BREAK);
  if (!joined) {
    add(profile, Count.blanks, 1);
    add(profile, Count.blanksOver16, over(length, 16));
  }
  return end;
}

function countBreaks(text: string, from: number, profile: TextProfile): number {
  const before = classAt(text, from - 1);
  add(profile, before === MARK || before === WIDE ? Count.markedBreaks : Count.breaks, 1);
  return runEnd(text, from, BREAK);
}

function countSymbols(text: string, from: number, profile: TextProfile): number {
  const symbol = text.charCodeAt(from);
  let at = from;
  while (text.charCodeAt(at) === symbol) at++;
  add(profile, Count.symbols, 1);
  add(profile, Count.repeatedSymbols, at - from - 1);
  return at;
}

/** Where the runs and the letters of a script are counted; -1: runs are not. */
function scriptCounts(kind: number): readonly [runs: number, letters: number] {
  switch (kind) {
    case HAN:
      return [Count.hanRuns, Count.han];
    case KANA:
      return [-1, Count.kana];
    case HANGUL:
      return [-1, Count.hangul];
    case WIDE:
      return [-1, Count.widePunctuation];
    case CYRILLIC:
      return [Count.cyrillicWords, Count.cyrillic];
    case SURROGATE:
      return [-1, Count.surrogates];
    default:
      return [Count.otherWords, Count.otherLetters];
  }
}

function countScript(text: string, from: number, kind: number, profile: TextProfile): number {
  const end = runEnd(text, from, kind);
  const [runs, letters] = scriptCounts(kind);
  if (runs >= 0) add(profile, runs, 1);
  add(profile, letters, end - from);
  return end;
}

function countRun(text: string, at: number, profile: TextProfile): number {
  const kind = classAt(text, at);
  switch (kind) {
    case BLANK:
      return countBlanks(text, at, profile);
    case BREAK:
      return countBreaks(text, at, profile);
    case LOWER:
    case UPPER:
    case ACCENTED:
      return countWord(text, at, profile);
    case DIGIT:
      return countDigits(text, at, profile);
    case MARK:
      return countMarks(text, at, profile);
    case SYMBOL:
      return countSymbols(text, at, profile);
    default:
      return countScript(text, at, kind, profile);
  }
}

/**
 * Counts what a text consists of, in one pass.
 *
 * @param text Of any length, also empty or with lone surrogates.
 */
export function profileText(text: string): TextProfile {
  const profile = new Float64Array(COUNTS);
  for (let at = 0; at < text.length;) at = countRun(text, at, profile);
  return profile;
}
