/**
 * Paths by meaning: absolute, without `.` and `..`, with links resolved.
 *
 * @module
 */

/** The path that a word means in a directory, links resolved where they exist. */
export function resolvePath(
  word: string,
  world: { cwd: string; home: string | null; realPath(path: string): string | null },
): string {
  const home = world.home ?? "/root";
  const expanded = word === "~" || word.startsWith("~/") ? home + word.slice(1) : word;
  const clean = normalizePath(expanded.startsWith("/") ? expanded : `${world.cwd}/${expanded}`);
  return world.realPath(clean) ?? clean;
}

/** Removes empty, `.` and `..` segments of an absolute path. */
export function normalizePath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** Whether a path matches one of the patterns; `**` crosses directories. */
export function matchesAny(
  path: string,
  patterns: readonly string[],
  world: { home: string | null },
): boolean {
  return patterns.some((pattern) => {
    const absolute = pattern.startsWith("~") ? (world.home ?? "/root") + pattern.slice(1) : pattern;
    if (path === absolute) return true;
    const source = absolute.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("**/", "\u0000").replaceAll("*", "[^/]*").replaceAll("\u0000", "(?:.*/)?");
    return new RegExp(`^${source}$`).test(path);
  });
}
