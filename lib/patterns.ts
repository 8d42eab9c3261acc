/**
 * Patterns of names, as people write them in the configuration.
 *
 * @module
 */

/** Whether a pattern fits a whole name; `*` stands for any characters, also none. */
export function fits(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return first === name;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
