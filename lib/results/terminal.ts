/**
 * What a terminal would show of a text in the end: no codes, no progress that
 * was overwritten, no overstriking.
 *
 * @module
 */

/** What was taken out of a text, in characters (UTF-16 units). */
export interface TerminalCounts {
  /** Codes, control characters, and what backspaces took back. */
  codeChars: number;
  /** Text that a carriage return overwrote, the carriage returns included. */
  overwrittenChars: number;
  /** How often a line was overwritten. */
  overwrites: number;
}

/**
 * Terminal codes of ECMA-48, in 7-bit and 8-bit form: CSI; OSC and the other strings, which end at
 * the line's end at the latest; and the short ones. A code that is cut off counts as far as it goes.
 */
const CODES =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]?|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?/g;

/** Control characters that show nothing; not tab, LF, CR and backspace. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const CONTROLS = /[\x01-\x07\x0b\x0c\x0e-\x1f\x80-\x9f]/g;

/** The rest of a line once each backspace has taken the character before it. */
function withoutBackspaces(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character !== "\b") kept.push(character);
    else kept.pop();
  }
  return kept.join("");
}

/** The last state of a line that was overwritten; a CR before the line end is no overwriting. */
function lastState(line: string, counts: TerminalCounts): string {
  const trimmed = line.replace(/\r+$/, "");
  counts.codeChars += line.length - trimmed.length;
  const last = trimmed.slice(trimmed.lastIndexOf("\r") + 1);
  if (last.length === trimmed.length) return trimmed;
  counts.overwrittenChars += trimmed.length - last.length;
  counts.overwrites += trimmed.split("\r").length - 1;
  return last;
}

function eachLine(text: string, change: (line: string) => string): string {
  return text.split("\n").map(change).join("\n");
}

/**
 * Cleans whole lines, or a piece of one.
 *
 * @param text LF line ends; NUL, which separates names in some listings, becomes one.
 * @param counts Added to.
 */
export function cleanTerminal(text: string, counts: TerminalCounts): string {
  let cleaned = text.replaceAll("\0", "\n").replace(CODES, "").replace(CONTROLS, "");
  if (cleaned.includes("\b")) cleaned = eachLine(cleaned, withoutBackspaces);
  counts.codeChars += text.length - cleaned.length;
  if (cleaned.includes("\r")) cleaned = eachLine(cleaned, (line) => lastState(line, counts));
  return cleaned;
}
