/**
 * Cutting texts between characters, never inside one.
 *
 * @module
 */

/** Characters around a cut that are looked at to find a whole one. */
export const SLACK_CHARS = 64;

/** Made at the first cut: it takes 8 ms, and most runs cut nothing. */
let segmenter: Intl.Segmenter | undefined;

/** A pair is kept whole even inside a sequence that is longer than anyone can see. */
function wholePair(text: string, cut: number): number {
  const parted = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(cut - 1, cut + 1));
  return parted ? cut - 1 : cut;
}

/**
 * Moves a cut back to the beginning of the character that it would part.
 *
 * @param cut An offset in UTF-16 units; one outside the text is moved to its nearest end.
 */
export function wholeCharacter(text: string, cut: number): number {
  if (cut <= 0 || cut >= text.length) return Math.max(0, Math.min(cut, text.length));
  const from = Math.max(0, cut - SLACK_CHARS);
  const window = text.slice(from, cut + SLACK_CHARS);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const segment = segmenter.segment(window).containing(cut - from);
  // A sequence that begins with the window may have begun before it.
  const whole = segment !== undefined && (segment.index > 0 || from === 0);
  return whole ? from + segment.index : wholePair(text, cut);
}

/**
 * The beginning of a text, with an ellipsis where something is missing.
 *
 * @param maxChars UTF-16 units at the most, the ellipsis included; at least 1.
 */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, wholeCharacter(text, maxChars - 1))}…`;
}
