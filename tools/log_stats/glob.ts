/**
 * Patterns of paths: `/var/log/nginx/*.log`, `**` for any number of
 * directories.
 *
 * @module
 */

/** A path as a directory that is there and the names below it that are looked for. */
export interface PathPattern {
  /** What stands before the first wildcard; `.` if nothing does. */
  readonly base: string;
  /** What each level below must be; empty if there is no wildcard. */
  readonly levels: readonly string[];
}

const WILDCARDS = /[*?[{]/;

/** Splits a path before its first wildcard. */
export function splitPattern(path: string): PathPattern {
  const parts = path.split("/");
  const first = parts.findIndex((part) => WILDCARDS.test(part));
  if (first < 0) return { base: path, levels: [] };
  const base = parts.slice(0, first).join("/");
  const rooted = path.startsWith("/") && base === "";
  return {
    base: rooted ? "/" : base === "" ? "." : base,
    levels: parts.slice(first)
      .filter((part) => part !== "" && part !== ".")
      // Several in a row mean no more than one, but would be walked again and again.
      .filter((part, at, all) => part !== "**" || all[at - 1] !== "**"),
  };
}

/**
 * Whether a name fits a pattern without slashes: `*`, `?`, `[a-z]`, `[!a]`,
 * `{one,two}`. A leading dot must be written. Takes time in proportion to both.
 */
export function matchesName(pattern: string, name: string): boolean {
  return expandBraces(pattern).some((plain) =>
    (name.startsWith(".") ? plain.startsWith(".") : true) && matchesPlain(plain, name)
  );
}

/** Alternatives that braces may stand for at the most; what is beyond is dropped. */
const MAX_ALTERNATIVES = 64;

function expandBraces(pattern: string): readonly string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (found === null) return [pattern];
  const [, before = "", inside = "", after = ""] = found;
  return inside.split(",")
    .slice(0, MAX_ALTERNATIVES)
    .flatMap((choice) => expandBraces(before + choice + after))
    .slice(0, MAX_ALTERNATIVES);
}

/** Remembers the last star and, where the rest does not fit, lets it take one more. */
function matchesPlain(pattern: string, name: string): boolean {
  let [p, n, star, taken] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      taken = n;
      continue;
    }
    const next = matchOne(pattern, p, name[n] ?? "");
    if (next > 0) {
      p = next;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++taken;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Where the pattern goes on behind what fits one character; 0 if that does not fit. */
function matchOne(pattern: string, at: number, char: string): number {
  const wanted = pattern[at];
  if (wanted === undefined) return 0;
  if (wanted === "?") return at + 1;
  const close = wanted === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (close < 0) return wanted === char ? at + 1 : 0;
  const negated = /[!^]/.test(pattern[at + 1] ?? "");
  const members = pattern.slice(negated ? at + 2 : at + 1, close);
  return isMember(members, char) !== negated ? close + 1 : 0;
}

function isMember(members: string, char: string): boolean {
  for (let i = 0; i < members.length; i++) {
    const last = members[i + 1] === "-" ? members[i + 2] : undefined;
    if (last === undefined) {
      if (members[i] === char) return true;
    } else {
      if (char >= (members[i] ?? "") && char <= last) return true;
      i += 2;
    }
  }
  return false;
}
