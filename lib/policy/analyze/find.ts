/**
 * `find`: an expression in which some words run programs or change files.
 *
 * @module
 */
import { ANY, knownPrefix, NAME, unquoted, WORD } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "../shell/call.ts";

/** Tests and actions that only look, with the number of their words. */
const HARMLESS: Readonly<Record<string, number | undefined>> = Object.assign(
  Object.create(null) as Record<string, number>,
  counted(
    0,
    "-a -and -o -or -not ! ( ) , -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev -x -follow -daystart -noleaf -nouser -nogroup -empty -readable -writable -executable -ignore_readdir_race -noignore_readdir_race -warn -nowarn -H -L -P -E -X -s -help --help -version --version",
  ),
  counted(
    1,
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -fstype -maxdepth -mindepth -used -printf -regextype -context -flags -depth -D -files0-from -newermt -newerat -newerct -newermm -newerac -neweram -newerBt -newerBm -newerma -newermc -newerca -newercm -newercc -neweraa",
  ),
);

function counted(count: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name) => [name, count]));
}

const SELECTIVE =
  /^-(?:i?name|i?path|i?wholename|i?regex|lname|[mac]time|[mac]min|newer.*|size|user|group|empty|nouser|nogroup|perm)$/;

/** Commands are judged for this many starting points. */
const MAX_ROOTS = 128;

/** Judges an expression: what it runs, writes and deletes. */
export function analyzeFind(call: Call): string | null {
  const { args } = call;
  const start = args.findIndex((word, index) => isExpression(word, args[index - 1]));
  const words = start < 0 ? [] : args.slice(start);
  const roots = (start < 0 ? args : args.slice(0, start)).filter((word) => !word.startsWith("-"));
  if (roots.length === 0) roots.push(".");
  for (const root of roots) call.access("list", root, true);
  const selective = words.some((word, index) =>
    SELECTIVE.test(word) && !/^(?:\*|\*\.\*|\.\*|\/?\*)$/.test(words[index + 1] ?? "")
  );
  const expression: Expression = { call, roots, selective, name: foundName(words) };
  for (let at = 0; at < words.length;) at += readTerm(words, at, expression);
  return `${roots.flatMap((root) => foundPaths(root, expression.name)).join("\n")}\n`;
}

/** What a path that is found may look like: right below the root, or deeper. */
function foundPaths(root: string, name: string): string[] {
  const base = root.replace(/\/+$/, "");
  return name === NAME ? [`${base}/${ANY}`] : [`${base}/${name}`, `${base}/${WORD}/${name}`];
}

/** What a found path ends in: the name that is looked for, or any. */
function foundName(words: readonly string[]): string {
  const at = words.findIndex((word) => /^-i?name$/.test(word));
  const name = at < 0 ? undefined : words[at + 1];
  return name === undefined ? NAME : unquoted(name);
}

function isExpression(word: string, before: string | undefined): boolean {
  if (/^(?:-[HLPEXdsx]|-O\d?)$/.test(word) || before === "-D") return false;
  return /^[-(!,]/.test(word) && word !== "-";
}

interface Expression {
  readonly call: Call;
  readonly roots: readonly string[];
  readonly selective: boolean;
  /** The name that is looked for, or a mark. */
  readonly name: string;
}

/** Reads one test or action; returns how many words it took. */
function readTerm(words: readonly string[], at: number, expression: Expression): number {
  const word = words[at] ?? "";
  const { call } = expression;
  if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) return runCommand(words, at, expression);
  if (word === "-delete") {
    destroyRoots(expression);
    return 1;
  }
  if (/^-(?:fprint0?|fls|fprintf)$/.test(word)) {
    call.access("write", words[at + 1] ?? ANY);
    return word === "-fprintf" ? 3 : 2;
  }
  const count = HARMLESS[word];
  if (count !== undefined) {
    if (word === "-files0-from") call.access("read", words[at + 1] ?? ANY);
    return 1 + count;
  }
  if (/^-O\d$/.test(word)) return 1;
  // A root may follow an unknown word, so nothing more is concluded from it.
  if (word.startsWith("-") || knownPrefix(word) === "") call.signal("unknown-option", word);
  else call.access("list", word, true);
  return 1;
}

function destroyRoots({ call, roots, selective }: Expression): void {
  for (const root of roots) {
    const below = `${root.replace(/\/+$/, "")}/selected`;
    const everywhere = resolveWord(root, call.cwd) === "/";
    call.access("destroy", selective && !everywhere ? below : root, true);
  }
}

/** What reads a file it is given, and does no harm to a directory. */
const READING: ReadonlySet<string> = new Set([
  ...["cat", "head", "tail", "less", "more", "grep", "sed", "awk", "sort", "cut", "nl", "tac"],
  ...["base64", "xxd", "od", "hexdump", "strings", "cp"],
]);

function runCommand(words: readonly string[], at: number, expression: Expression): number {
  const { call, roots, selective, name } = expression;
  const end = words.findIndex((word, index) =>
    index > at && (word === ";" || word === "+" && words[index - 1] === "{}")
  );
  const inner = words.slice(at + 1, end < 0 ? undefined : end);
  if (roots.length > MAX_ROOTS) call.signal("too-complex", "roots");
  for (const root of roots.slice(0, MAX_ROOTS)) {
    const base = root.replace(/\/+$/, "");
    const found = selective ? `${base}/${name}` : inner[0] === "rm" ? root : `${base}/${NAME}`;
    call.run(filled(inner, found), { stdin: null });
    // A starting point is found, too, and may be a file.
    if (!selective || READING.has(inner[0] ?? "")) {
      call.run(filled(inner, root), { stdin: null, hypothetical: true });
    }
    if (name !== NAME) {
      call.run(filled(inner, `${base}/${WORD}/${name}`), { stdin: null, hypothetical: true });
    }
    if (selective && resolveWord(root, call.cwd) === "/") {
      call.run(filled(inner, root), { stdin: null, hypothetical: true });
    }
  }
  return (end < 0 ? words.length : end + 1) - at;
}

function filled(inner: readonly string[], found: string): string[] {
  return inner.map((word) => word.replaceAll("{}", () => found));
}

/** `fd`: a pattern, starting points, and perhaps a command for what is found. */
export function analyzeFd(call: Call): string | null {
  const at = call.args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word));
  const words = (at < 0 ? call.args : call.args.slice(0, at)).filter((word) =>
    !word.startsWith("-")
  );
  const roots = words.slice(1);
  if (roots.length === 0) roots.push(".");
  for (const root of roots) call.access("list", root, true);
  if (at >= 0) {
    const inner = call.args.slice(at + 1);
    for (const root of roots.slice(0, MAX_ROOTS)) {
      const found = words[0] === undefined || /^\.?\*?$/.test(words[0]) ? root : `${root}/${NAME}`;
      const filled = inner.map((word) => word.replaceAll(/\{[/.]*\}/g, () => found));
      call.run(inner.some((word) => word.includes("{")) ? filled : [...inner, found], {
        stdin: null,
      });
    }
  }
  return `${roots.map((root) => `${root}/${ANY}`).join("\n")}\n`;
}
