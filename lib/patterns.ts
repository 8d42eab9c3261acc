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

/**
 * Texts with a star between each and the next, as the source of a regular expression that takes no
 * longer however many stars there are: each text but the last is taken where it comes first, once
 * and for all, since what follows begins with a star.
 *
 * @param texts Sources of regular expressions; each stands for texts of one length.
 * @param any What a star stands for, such as `.`, any number of times.
 * @param newGroup The number of a group that the expression does not have yet.
 */
export function starredSource(
  texts: readonly string[],
  any: string,
  newGroup: () => number,
): string {
  const [first = "", ...rest] = texts;
  const last = rest.pop();
  if (last === undefined) return first;
  const between = rest.filter((text) => text !== "")
    .map((text) => `(?=(${any}*?${text}))\\${newGroup()}(?:)`);
  return `${first}${between.join("")}${any}*${last}`;
}
