/**
 * What variables hold: those that the script sets, and those of every shell.
 *
 * @module
 */
import { SECRET_NAME } from "../environment.ts";
import { ANY, NAME, NUMBER } from "../marks.ts";
import type { Expansion } from "./expansion.ts";
import { CWD, type ShellState, type Value } from "./state.ts";

const SPECIAL: Readonly<Record<string, string>> = {
  "?": NUMBER,
  "$": NUMBER,
  "!": NUMBER,
  "-": NAME,
  "#": NUMBER,
  RANDOM: NUMBER,
  SRANDOM: NUMBER,
  SECONDS: NUMBER,
  EPOCHSECONDS: NUMBER,
  EPOCHREALTIME: NUMBER,
  LINENO: NUMBER,
  BASHPID: NUMBER,
  PPID: NUMBER,
  UID: NUMBER,
  EUID: NUMBER,
  COLUMNS: NUMBER,
  LINES: NUMBER,
  SHLVL: NUMBER,
  BASH_VERSION: NAME,
  HOSTNAME: NAME,
  HOSTTYPE: NAME,
  OSTYPE: NAME,
  MACHTYPE: NAME,
  USER: NAME,
  LOGNAME: NAME,
  LANG: NAME,
  TERM: NAME,
  IFS: " \t\n",
  OPTIND: NUMBER,
};

/** The value of a variable, or null if the script doesn't set it and nothing is known of it. */
export function valueOf(name: string, run: Expansion): Value | null {
  const alternatives = run.state.alternatives(name);
  if (alternatives.length > 0) {
    return pick(name, alternatives, run);
  }
  if (name === "HOME") return [run.home];
  if (name === "PWD") return valueOf(CWD, run);
  if (name === "@" || name === "*") return run.state.positional ?? null;
  if (/^\d+$/.test(name)) return positional(Number(name), run);
  if (name === "#" && run.state.positional) return [String(run.state.positional.length)];
  const special = SPECIAL[name];
  if (special === undefined && SECRET_NAME.test(name)) run.hooks.secret(name);
  return special === undefined ? null : [special];
}

/** The alternative that this choice means; every combination is some choice. */
export function pick<T>(name: string, alternatives: readonly T[], run: Expansion): T | null {
  if (alternatives.length === 1) return alternatives[0] ?? null;
  let stride = run.picks.get(name);
  if (stride === undefined) {
    stride = run.width;
    run.picks.set(name, stride);
    run.width *= alternatives.length;
  }
  return alternatives[Math.floor(run.choice / stride) % alternatives.length] ?? null;
}

/** Where a script's parameters aren't known, most likely it has none. */
function positional(index: number, run: Expansion): Value | null {
  if (index === 0) return null;
  if (run.state.positional === null) return pick("parameters", [[""], [ANY]], run);
  return [run.state.positional[index - 1] ?? ""];
}

/** A string that bash evaluates once more may hold a substitution. */
export function visitEvaluated(text: string, run: Expansion): void {
  if (!text.includes("$(") && !text.includes("`")) return;
  run.hooks.evaluated(text.replaceAll(/\\([$`])/g, "$1"));
}

/** The name under which the state keeps that a variable changes the case of what it is given. */
export function caseMark(name: string): string {
  return `case ${name}`;
}

/** A value as a variable keeps it that was declared with `-l` or `-u`. */
export function inDeclaredCase(name: string, value: string, state: ShellState): string {
  const mark = state.alternatives(caseMark(name))[0]?.[0];
  if (mark === undefined) return value;
  return mark === "-l" ? value.toLowerCase() : value.toUpperCase();
}

/** The name under which the state keeps that a variable takes integers only. */
export function integerMark(name: string): string {
  return `integer ${name}`;
}
