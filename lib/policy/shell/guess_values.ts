/**
 * Guesses at values: what variables that programs obey and options of unknown
 * meaning hold may be run. Only denials of guesses count.
 *
 * @module
 */
import { isObeyedAssignment } from "../environment.ts";
import { isKnown } from "../marks.ts";
import type { Call } from "./call.ts";
import type { CommandExtra, Scene, Walk } from "./scene.ts";

/** Where a value is set. */
export interface ValuePlace {
  readonly scene: Scene;
  readonly extra: CommandExtra;
  readonly walk: Walk;
}

/** Tries what an assignment gives to programs that obey it, as the code that it may be. */
export function guessAssignment(assignment: string, place: ValuePlace, program = ""): void {
  if (!isObeyedAssignment(assignment) && !/^\w*(?:COMMAND|CMD)=/.test(assignment)) return;
  const equals = assignment.indexOf("=");
  const value = assignment.slice(equals + 1);
  const { scene, extra, walk } = place;
  const guess = { ...scene, outer: extra.span ?? scene.outer, hypothetical: true };
  if (/^PS\d/.test(assignment)) return walk.hooks(guess).evaluated(value);
  const edited = /EDITOR=|^VISUAL=/.test(assignment) ? EDITED[program] : undefined;
  if (edited !== undefined && isKnown(value)) walk.code(`${value} ${edited}`, guess);
  else if (isCode(value)) walk.code(bare(value), guess);
}

/** What some programs hand to the editor. */
const EDITED: Readonly<Record<string, string | undefined>> = {
  visudo: "/etc/sudoers",
  vipw: "/etc/passwd",
  vigr: "/etc/group",
  crontab: "/var/spool/cron/root",
  systemctl: "/etc/systemd/system/edited.service",
};

/** Whether a value is worth a guess: a command alone is judged with the call itself. */
function isCode(value: string): boolean {
  return /\s/.test(value) && isKnown(value);
}

/** A pager's filter starts with a bar, an alias of `git` with an exclamation mark. */
function bare(value: string): string {
  return value.replace(/^[\s|!-]+/, "");
}

/** Settings whose values are commands, in an option's value: `ProxyCommand=…`. */
const SETTING =
  /^[\w.-]*(?:command|program|pager|editor|exec|helper|hook|shell|opener|filter)[\w.-]*[= ]\s*(.+)$/is;
/** Options that by their names take a command. */
const RUNNING =
  /^--?[\w-]*(?:command|program|pager|editor|exec|hook|shell|opener|filter|preproc)[\w-]*$/i;

/** Tries the values of options whose meaning isn't known, or is known to be a command. */
export function guessOptionValues(call: Call): void {
  const values = new Set<string>();
  const { flags, doubtful } = call.parsed;
  for (const { name, value, spec } of flags) {
    if (value === null) continue;
    const setting = SETTING.exec(value)?.[1];
    if (setting !== undefined) values.add(setting);
    if (spec === null || !spec.harmless || RUNNING.test(name)) values.add(value);
  }
  if (doubtful.length > 0 || call.args.includes("-TT")) {
    for (const value of looseValues(call)) values.add(value);
  }
  for (const value of [...values].filter(isCode).slice(0, 16)) {
    if (!call.walk.mayRepeat()) return;
    call.code(bare(value), { hypothetical: true, stdin: null });
  }
}

/** What stands glued to options or behind them, whatever the grammar makes of it. */
function looseValues({ args, parsed }: Call): string[] {
  const isDoubtful = (word: string) =>
    word === "-TT" ||
    parsed.doubtful.some((name) => word.startsWith(name) || !word.startsWith("--"));
  return args.slice(0, 64).flatMap((word, index) => {
    if (!/^-[^-\s]|^--[^-\s]/.test(word) || !isDoubtful(word)) return [];
    const glued = /^(?:--[\w-]+=|-[^-])(.*)$/s.exec(word)?.[1] ?? "";
    const next = args[index + 1] ?? "";
    return [glued, next.startsWith("-") ? "" : next];
  });
}
