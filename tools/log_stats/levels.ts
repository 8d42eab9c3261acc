/**
 * Levels of severity, whatever a program calls them.
 *
 * @module
 */

/** rein's own levels, mildest first; `fatal` is also critical, alert and emergency. */
export const LEVELS = ["trace", "debug", "info", "notice", "warn", "error", "fatal"] as const;

/** One of {@linkcode LEVELS}. */
export type Level = (typeof LEVELS)[number];

const OTHER_NAMES: Readonly<Record<string, Level>> = {
  information: "info",
  warning: "warn",
  err: "error",
  severe: "error",
  crit: "fatal",
  critical: "fatal",
  alert: "fatal",
  emerg: "fatal",
  emergency: "fatal",
  panic: "fatal",
};

/** Source: RFC 5424, 6.2.1. */
const SYSLOG: readonly Level[] = [
  "fatal",
  "fatal",
  "fatal",
  "error",
  "warn",
  "notice",
  "info",
  "debug",
];

/** Source: the loggers pino and bunyan. */
const TENS: readonly Level[] = ["trace", "trace", "debug", "info", "warn", "error", "fatal"];

function levelOf(text: string): Level | undefined {
  const name = text.toLowerCase();
  const own = LEVELS.find((level) => level === name) ?? OTHER_NAMES[name];
  if (own !== undefined) return own;
  if (/^[0-7]$/.test(name)) return SYSLOG[Number(name)];
  return /^[1-6]0$/.test(name) ? TENS[Number(name) / 10] : undefined;
}

/** rein's own name of a level; what is no level is only written in lower case. */
export function levelName(text: string): string {
  return levelOf(text) ?? text.toLowerCase();
}

/** The place of a level in {@linkcode LEVELS}; -1 for what is no level. */
export function levelRank(text: string): number {
  const level = levelOf(text);
  return level === undefined ? -1 : LEVELS.indexOf(level);
}
