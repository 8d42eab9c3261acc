/**
 * Paths by meaning: made absolute, cleared of `.` and `..`, and compared with
 * the patterns of rules even where they hold globs or unknown pieces.
 *
 * @module
 */
import { starredSource } from "../patterns.ts";
import {
  ANY,
  emptied,
  isGlob,
  isKnown,
  isOpen,
  NAME,
  NETWORK,
  NUMBER,
  ONE,
  STAR,
  WORD,
  WORDS,
} from "./marks.ts";
import type { AccessKind } from "./facts.ts";

/** What resolving needs to know of the machine. */
export interface PathWorld {
  readonly home: string;
  /** The directory that commands start in. */
  readonly cwd: string;
  /** The path with links resolved, or null where it can't be known. */
  realPath(path: string): string | null;
}

/** A path in every form in which a rule should see it; never empty. */
export type PathForms = readonly string[];

/** The path that a word means in a directory; starts with a mark if that is unknown. */
export function resolveWord(word: string, cwd: string): string {
  const own = word.startsWith("/proc/") ? OWN_DIRECTORY.exec(word)?.[0] : undefined;
  if (own !== undefined && !cwd.startsWith("/proc/")) {
    return resolveWord(`.${word.slice(own.length)}`, cwd);
  }
  const joined = word.startsWith("/") || isOpen(word.slice(0, 1)) ? word : `${cwd}/${word}`;
  return normalizePath(joined);
}

const NEEDS_WORK = /\/(?:\/|\.{1,2}(?:\/|$))|.\/$|^\/proc\//;

/** Removes empty, `.` and `..` segments; keeps an unknown start. */
export function normalizePath(path: string): string {
  if (path.startsWith("/") && !NEEDS_WORK.test(path)) return path;
  const rooted = path.startsWith("/");
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      const last = kept.pop();
      if (last !== undefined && isOpen(last)) kept.push(last);
    } else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  const text = kept.join("/");
  return rooted ? throughProc(`/${text}`) : text;
}

/** A process, by its number, by `self`, or by a glob or an unknown number. */
const PROCESS =
  "\\/proc\\/(?:self|thread-self|\\d+|[^/]*[\\uFDD0-\\uFDEF][^/]*)\\/(?:task\\/[^/]+\\/)?";
/** The working directory of a process of which nothing is known is taken for the root. */
const DOORS = new RegExp(`^(?:${PROCESS}(?:root|cwd)(?=\\/|$))+`);
const OWN_DIRECTORY = /^\/proc\/(?:self|thread-self)\/(?:task\/[^/]+\/)?cwd(?=\/|$)/;

/** `/proc/self/root` and its like are doors to the same tree. */
function throughProc(path: string): string {
  return path.startsWith("/proc/") ? path.replace(DOORS, "") || "/" : path;
}

/** Every form of a path: as it stands, with links resolved, with unknowns empty. */
export function pathForms(path: string, kind: AccessKind, world: PathWorld): PathForms {
  const forms = new Set([path]);
  const real = realForm(path, world);
  if (real !== null) forms.add(normalizePath(real));
  addHidden(path, forms);
  if (kind === "destroy" || kind === "write") {
    if (isOpen(path)) forms.add(normalizePath(emptied(path)) || "/");
    for (const form of [...forms]) addParents(form, forms);
  }
  return [...forms];
}

/** Hidden folders that keep secrets. */
const HIDDEN = [".ssh", ".aws", ".gnupg", ".kube", ".azure", ".docker", ".config"];

/** A glob that a hidden folder matches may mean that folder. */
function addHidden(path: string, forms: Set<string>): void {
  const found = new RegExp(`/(\\.[^/]*[${STAR}${ONE}][^/]*)(?=/)`).exec(path);
  const name = found?.[1];
  if (found === null || name === undefined || name.length > 64 || WHOLLY_WILD.test(name)) return;
  const glob = globRegExp(name, false);
  for (const folder of HIDDEN.filter((one) => glob.test(one))) {
    forms.add(
      `${path.slice(0, found.index)}/${folder}${path.slice(found.index + found[0].length)}`,
    );
  }
}

const WHOLLY_WILD = new RegExp(
  `^[.${STAR}${ONE}${ANY}${WORDS}${WORD}]*[${STAR}${ONE}${ANY}${WORDS}${WORD}][.${STAR}${ONE}${ANY}${WORDS}${WORD}]*$`,
);

/** Parents beyond this many below the last known folder mean nothing that a rule names. */
const MAX_PARENTS = 32;

/** All that is in a directory is the directory, to one that destroys it. */
function addParents(path: string, forms: Set<string>): void {
  const segments = path.split("/");
  let known = segments.length;
  while (known > 1 && WHOLLY_WILD.test(segments[known - 1] ?? "")) known--;
  const most = Math.min(segments.length - 1, known + MAX_PARENTS);
  for (let end = most; end >= known; end--) forms.add(segments.slice(0, end).join("/") || "/");
}

/** The path with the links of its known part resolved, or null. */
function realForm(path: string, world: PathWorld): string | null {
  if (!path.startsWith("/") || path === "/") return null;
  const mark = path.search(/[\uFDD0-\uFDEF]/);
  if (mark < 0) {
    const whole = world.realPath(path);
    if (whole !== null) return whole;
  }
  const slash = path.lastIndexOf("/", mark < 0 ? undefined : mark);
  const parent = slash <= 0 ? null : world.realPath(path.slice(0, slash));
  return parent === null ? null : `${parent}${path.slice(slash)}`;
}

/** Patterns of paths, compiled together: `*` within a name, `**` across names, `!` excepts. */
export interface PathPatterns {
  readonly positive: RegExp;
  /** Null where nothing is excepted. */
  readonly negative: RegExp | null;
  /** For each pattern a path that it matches, for comparison with globs. */
  readonly samples: readonly string[];
}

/** Compiles patterns of paths; `~` stands for the home, `.` for the working directory. */
export function compilePathPatterns(
  texts: readonly string[],
  { home, cwd }: Pick<PathWorld, "home" | "cwd">,
): PathPatterns {
  const absolute = (text: string) =>
    /^~(?:\/|$)/.test(text)
      ? home + text.slice(1)
      : /^\.(?:\/|$)/.test(text)
      ? cwd + text.slice(1)
      : text;
  const positive = texts.filter((text) => !text.startsWith("!")).map(absolute);
  const negative = texts.filter((text) => text.startsWith("!")).map((text) =>
    absolute(text.slice(1))
  );
  return {
    positive: anyOf(positive),
    negative: negative.length === 0 ? null : anyOf(negative),
    samples: positive.map((text) => text.replaceAll("**/", "").replaceAll("*", "")),
  };
}

function anyOf(texts: readonly string[]): RegExp {
  let groups = 0;
  const sources = texts.map((text) => patternSource(text, () => ++groups));
  return new RegExp(`^(?:${sources.join("|")})$`, "s");
}

function patternSource(text: string, newGroup: () => number): string {
  return text.replaceAll(/[.+^${}()|[\]\\?]/g, "\\$&")
    .replaceAll("/**/", "\u0002").replaceAll("**/", "\u0003").replaceAll("/**", "\u0004")
    .replaceAll("**", "\u0004")
    .replaceAll(
      // deno-lint-ignore no-control-regex -- they stand for what goes across names
      /[^/\u0002-\u0004]+/g,
      (name) => starredSource(name.split("*"), "[^/]", newGroup),
    )
    .replaceAll("\u0002", "/(?:.*/)?").replaceAll("\u0003", "(?:.*/)?")
    .replaceAll("\u0004", "(?:/.*)?");
}

/** Whether one of a path's forms is, or may well be, what the patterns mean. */
export function matchesPatterns(
  forms: PathForms,
  patterns: PathPatterns,
  { kind, recursive }: { kind: AccessKind; recursive: boolean },
): boolean {
  return forms.some((form) => {
    if (mayMean(form, patterns, kind)) return true;
    return recursive && kind === "read" && mayMean(`${form}/\u0001`, patterns, kind);
  });
}

function mayMean(form: string, patterns: PathPatterns, kind: AccessKind): boolean {
  const plain = plainForm(form);
  if (patterns.negative?.test(plain)) return false;
  if (patterns.positive.test(plain)) return true;
  if (kind === "destroy" && isOpen(form.slice(0, 1))) return true;
  if (!isGlob(form) && !form.includes(WORD)) return false;
  const strict = kind === "read" || kind === "list";
  const glob = globRegExp(form, strict);
  return patterns.samples.some((sample) => glob.test(sample));
}

/** The path with each unknown as one strange character, or as nothing beside text. */
function plainForm(path: string): string {
  if (isKnown(path)) return path;
  return path.split("/").map((segment) =>
    WHOLLY_WILD.test(segment) ? "\u0001" : segment.replaceAll(/[\uFDD0-\uFDEF]/g, "")
  ).join("/");
}

const GLOB_SOURCE: Readonly<Record<string, string>> = {
  [STAR]: "[^/]*",
  [ONE]: "[^/]",
  [NAME]: "[^/]+",
  [NUMBER]: "\\d+",
  [ANY]: "[^/]*",
  [WORDS]: "[^/]*",
  [NETWORK]: "[^/]*",
  [WORD]: "[^/]+",
};

/** A glob as a regular expression; if strict, a wholly wild name matches no name. */
function globRegExp(path: string, strict: boolean): RegExp {
  const source = path.split("/").map((segment, index, all) => {
    if (strict && index === all.length - 1 && WHOLLY_WILD.test(segment)) return "\u0001";
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(new RegExp(`${STAR}+`, "g"), STAR)
      .replaceAll(/[\uFDD0-\uFDEF]/g, (mark) => GLOB_SOURCE[mark] ?? "[^/]*");
  }).join("/");
  return source.length > 2_000 ? /$^/ : new RegExp(`^${source}$`, "s");
}

const FREE = /^\/dev\/(?:null|zero|full|std(?:in|out|err)|tty|fd\/\d+)$/;

/** Whether reading or writing this path touches nothing that lasts. */
export function isFreePath(path: string): boolean {
  return FREE.test(path);
}
