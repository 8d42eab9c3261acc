/**
 * Shell patterns as regular expressions, and the operators that use them.
 *
 * @module
 */
import { ONE, STAR } from "../marks.ts";

/** Longer patterns or texts are not matched; they become unknown. */
const MAX_MATCH_CHARS = 2_000;

/** Compiles a pattern word, in which only marks are active, or null if it can't be. */
function compilePattern(pattern: string, greedy: boolean): string | null {
  if (pattern.length > MAX_MATCH_CHARS) return null;
  if ((pattern.match(new RegExp(`${STAR}+`, "g"))?.length ?? 0) > 3) return null;
  return pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(new RegExp(`${STAR}+`, "g"), greedy ? "[^]*" : "[^]*?").replaceAll(ONE, "[^]");
}

/** `${value#pattern}` and its three siblings; null if it can't be computed. */
export function removeAffix(value: string, pattern: string, operator: string): string | null {
  const source = compilePattern(pattern, operator.length === 2);
  if (source === null || value.length > MAX_MATCH_CHARS) return null;
  if (operator.startsWith("#")) return value.replace(new RegExp(`^${source}`), "");
  return operator === "%%"
    ? value.replace(new RegExp(`${source}$`), "")
    : removeShortestSuffix(value, new RegExp(`^${source}$`));
}

function removeShortestSuffix(value: string, whole: RegExp): string {
  for (let at = value.length; at >= 0; at -= 1) {
    if (whole.test(value.slice(at))) return value.slice(0, at);
  }
  return value;
}

/** `${value/pattern/replacement}` and its siblings; null if it can't be computed. */
export function replacePattern(
  value: string,
  { pattern, replacement, operator }: { pattern: string; replacement: string; operator: string },
): string | null {
  const source = compilePattern(pattern, true);
  if (source === null || value.length > MAX_MATCH_CHARS) return null;
  if (source === "") return value;
  const anchored = operator === "/#" ? `^${source}` : operator === "/%" ? `${source}$` : source;
  return value.replace(new RegExp(anchored, operator === "//" ? "g" : ""), () => replacement);
}
