/**
 * Words that make a line of output worth keeping.
 *
 * @module
 */

/** A word of trouble. */
export interface ErrorWord {
  /** Lower case; matched case aside at the beginning of a word. */
  readonly word: string;
  /** 3: it ended something. 2: something failed. 1: it may matter. */
  readonly severity: 1 | 2 | 3;
}

const ENDED = [
  "fatal",
  "panic",
  "segfault",
  "segmentation fault",
  "out of memory",
  "oom-kill",
  "oomkilled",
  "core dumped",
  "no space left",
  "emerg",
  "critical",
  "crashloop",
  "crashed",
  "deadlock",
  "corrupt",
  "kernel bug",
  "killed process",
  "致命",
  "崩溃",
];

const FAILED = [
  "error",
  "exception",
  "traceback",
  "fail",
  "denied",
  "refused",
  "rejected",
  "timed out",
  "timeout",
  "unreachable",
  "unavailable",
  "not found",
  "cannot ",
  "unable to",
  "could not",
  "undefined ",
  "aborted",
  "assert",
  "invalid",
  "expired",
  "broken pipe",
  "reset by peer",
  "no such ",
  "错误",
  "失败",
  "异常",
  "超时",
  "拒绝",
];

const DOUBTFUL = ["warn", "deprecated", "retrying", "警告"];

/** Source: severities of syslog, Go, Java, Python, the kernel, and their usual words. */
export const ERROR_WORDS: readonly ErrorWord[] = [
  ...ENDED.map((word) => ({ word, severity: 3 as const })),
  ...FAILED.map((word) => ({ word, severity: 2 as const })),
  ...DOUBTFUL.map((word) => ({ word, severity: 1 as const })),
];

/** Lines that name trouble in order to say that there is none. */
export const NO_TROUBLE =
  /\b(?:no|0|zero|without|any) (?:\w+ )?(?:error|failure|exception|warning)s?\b|\b(?:error|failure|fail|failed|exception|warning|timeout)(?:s|_count|Count)?["']?\s?[:=]\s?["']?(?:0|false|none|null|no|"")(?![\w.])/i;
