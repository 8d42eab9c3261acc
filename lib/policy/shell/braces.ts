/**
 * Brace expansion on the source text of a word, as bash does it: first of all,
 * and blind to everything but quoting.
 *
 * @module
 */

/** More words than this are not spelled out. */
const MAX_WORDS = 512;
/** Longer words are left as they are: looking for groups takes quadratic time. */
const MAX_CHARS = 2_000;
/** Sequences are spelled out up to this length; the rest looks the same. */
const MAX_SEQUENCE = 64;
/** More elements than this fill the memory of the shell that spells them out. */
const MAX_SHELL_SEQUENCE = 100_000;

/** The words that a word's braces stand for. */
export interface BraceWords {
  readonly words: readonly string[];
  /** Whether there are more than could be spelled out. */
  readonly cut: boolean;
}

/** Expands all braces of a word's source text. */
export function expandBraces(text: string): BraceWords {
  if (text.length > MAX_CHARS) return { words: [text], cut: true };
  const run = { left: MAX_WORDS, cut: false };
  const words = expand(text, run, 0);
  return { words, cut: run.cut };
}

interface Run {
  left: number;
  cut: boolean;
}

function expand(text: string, run: Run, depth: number): string[] {
  const group = depth > 64 ? null : findGroup(text, 0);
  if (group === null) return [text];
  if (group.huge) run.cut = true;
  const head = text.slice(0, group.start);
  const tails = expand(text.slice(group.end), run, depth + 1);
  const middles = group.items.flatMap((item) => expand(item, run, depth + 1));
  const words: string[] = [];
  for (const middle of middles) {
    for (const tail of tails) {
      if (run.left <= 0) {
        run.cut = true;
        return words.length === 0 ? [text] : words;
      }
      run.left -= 1;
      words.push(head + middle + tail);
    }
  }
  return words;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
  /** Whether it is a sequence that no shell should spell out. */
  readonly huge: boolean;
}

function findGroup(text: string, from: number): Group | null {
  for (let at = from; at < text.length; at += 1) {
    const next = skipQuoted(text, at);
    if (next > at) at = next - 1;
    else if (text[at] === "{") {
      const group = readGroup(text, at);
      if (group !== null) return group;
    }
  }
  return null;
}

function readGroup(text: string, start: number): Group | null {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const next = skipQuoted(text, at);
    if (next > at) at = next - 1;
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "," && depth === 1) commas.push(at);
    else if (text[at] === "}") {
      depth -= 1;
      if (depth === 0) return groupOf(text, start, { end: at + 1, commas });
    }
  }
  return null;
}

function groupOf(
  text: string,
  start: number,
  { end, commas }: { end: number; commas: readonly number[] },
): Group | null {
  if (commas.length === 0) {
    const body = text.slice(start + 1, end - 1);
    const items = sequence(body);
    return items === null ? null : { start, end, items, huge: isHuge(body) };
  }
  const edges = [start, ...commas, end - 1];
  const items = edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
  return { start, end, items, huge: false };
}

const NUMBERS = /^([-+]?\d{1,18})\.\.([-+]?\d{1,18})(?:\.\.([-+]?\d{1,18}))?$/;

function isHuge(body: string): boolean {
  const [, from, to, step] = NUMBERS.exec(body) ?? [];
  return countOf(Number(from ?? 0), Number(to ?? 0), step) > MAX_SHELL_SEQUENCE;
}

function sequence(body: string): string[] | null {
  const numbers = NUMBERS.exec(body);
  if (numbers) {
    return spread(Number(numbers[1]), Number(numbers[2]), numbers[3]).map(String);
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(body);
  if (!letters) return null;
  const codes = [letters[1] ?? "", letters[2] ?? ""].map((letter) => letter.charCodeAt(0));
  return spread(codes[0] ?? 0, codes[1] ?? 0, letters[3]).map((code) =>
    /[A-Za-z]/.test(String.fromCharCode(code))
      ? String.fromCharCode(code)
      : `\\${String.fromCharCode(code)}`
  );
}

function stepOf(text: string | undefined): number {
  return Math.max(1, Math.abs(Number(text ?? 1)));
}

function countOf(from: number, to: number, stepText: string | undefined): number {
  return Math.floor(Math.abs(to - from) / stepOf(stepText)) + 1;
}

function spread(from: number, to: number, stepText: string | undefined): number[] {
  const step = stepOf(stepText);
  const count = Math.min(MAX_SEQUENCE, countOf(from, to, stepText));
  const sign = to < from ? -step : step;
  const values = Array.from({ length: count }, (_, index) => from + index * sign);
  if (count === MAX_SEQUENCE) values.push(to);
  return values;
}

/** The place after a quoted or substituted piece that starts at `at`, else `at`. */
function skipQuoted(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'") return closing(text, at + 1, "'");
  if (char === '"') return closing(text, at + 1, '"');
  if (char === "`") return closing(text, at + 1, "`");
  if (char === "$" && (text[at + 1] === "(" || text[at + 1] === "{")) return balanced(text, at + 1);
  return at;
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\" && quote !== "'") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

function balanced(text: string, from: number): number {
  const open = text[from] ?? "";
  const close = open === "(" ? ")" : "}";
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "'") at = closing(text, at + 1, "'") - 1;
    else if (text[at] === open) depth += 1;
    else if (text[at] === close && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
