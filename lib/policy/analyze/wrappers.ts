/**
 * Programs that run another program.
 *
 * @module
 */
import { ANY, isKnown, NAME, NETWORK, WORD, WORDS } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "../shell/call.ts";
import type { CommandExtra } from "../shell/scene.ts";

/** More arguments than these are not handed on one by one. */
const MAX_ITEMS = 256;

/** Runs what follows a wrapper's options and its own operands. */
export function analyzeWrapper(call: Call): string | null {
  const skip = call.spec?.runs ?? 0;
  const byProcess = call.has("-p", "--pid") ||
    call.program === "ionice" && call.has("-P", "-u");
  if (byProcess && BY_PROCESS.has(call.program)) {
    judgeByProcess(call);
    return null;
  }
  if (call.program === "flock") {
    const [, option, code] = call.parsed.operands;
    if (option === "-c" || option === "--command") return call.code(code ?? "");
  }
  return runFrom(call, call.parsed.operands.slice(skip));
}

/** Wrappers that can also look at, or change, what runs already. */
const BY_PROCESS: ReadonlySet<string> = new Set(["taskset", "chrt", "ionice", "prlimit"]);

/** With a process, one more word or a value changes it; without, it is shown. */
function judgeByProcess(call: Call): void {
  const { flags, operands } = call.parsed;
  const sets = call.program === "ionice"
    ? call.has("-c", "-n", "--class", "--classdata")
    : call.program === "prlimit"
    ? flags.some(({ name, value }) => value !== null && !/^(?:-p|--pid|-o|--output)$/.test(name))
    : operands.length > 1;
  if (sets) call.signal("data-change", call.args.join(" "));
}

/** `env` and `sudo`: assignments may stand in front of the command. */
export function analyzeEnvWrapper(call: Call): string | null {
  const { operands } = call.parsed;
  const first = operands.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  const inner = first < 0 ? [] : operands.slice(first);
  const env = first < 0 ? operands : operands.slice(0, first);
  for (const text of call.values("-S", "--split-string")) return call.code(text);
  if (call.program !== "env") call.signal("privileged", call.program);
  if (call.program === "sudoedit" || call.has("-e", "--edit")) {
    for (const file of operands) call.access("write", file);
    return null;
  }
  if (call.has("-s", "-i", "--shell", "--login") && call.program !== "env") {
    judgeSession(call, inner);
  }
  if (inner.length === 0) {
    if (call.program === "env" && env.length === 0) call.signal("secret-output", "environment");
    return null;
  }
  const chdir = call.values("-C", "--chdir", "-D")[0];
  const extra = chdir === undefined ? {} : { cwd: resolveWord(chdir, call.cwd) };
  return runFrom(call, inner, { env, ...extra });
}

/** A session's shell reads what it gets, or takes words as code. */
function judgeSession(call: Call, inner: readonly string[]): void {
  const { stdin } = call.scene;
  if (inner.length > 0) call.code(inner.join(" "), { hypothetical: true });
  else if (stdin !== null) call.code(stdin);
  else call.signal("unknown-code", "interactive shell");
}

function runFrom(
  call: Call,
  inner: readonly string[],
  extra: CommandExtra = {},
): string | null {
  const doubtful = call.parsed.flags.some(({ spec }) => spec === null);
  if (doubtful) tryEveryStart(call);
  if (inner.length === 0) return null;
  return call.run(inner, {}, extra);
}

/** With an option of unknown grammar, the command may begin at any word. */
function tryEveryStart(call: Call): void {
  call.signal("unknown-option", call.parsed.doubtful.join(" "));
  for (let at = 0; at < Math.min(call.args.length, 8); at += 1) {
    if (!call.walk.mayRepeat()) return call.signal("too-complex", call.program);
    const word = call.args[at] ?? "";
    if (isKnown(word) && /^[\w./-]+$/.test(word) && !word.startsWith("-")) {
      call.run(call.args.slice(at), { hypothetical: true });
    }
  }
}

/** `xargs`: what stdin carries becomes further words. */
export function analyzeXargs(call: Call): string | null {
  const inner = call.parsed.operands;
  const items = inputItems(call);
  const marker = call.values("-I", "-i", "--replace")[0] ??
    (call.has("-i", "--replace") ? "{}" : undefined);
  if (inner.length === 0) return null;
  if (marker === undefined) {
    // In portions each item may be the first one after the command.
    if (call.has("-n", "-L", "-l", "--max-args", "--max-lines")) {
      for (const item of tried(items, call)) call.run([...inner, item], { stdin: null });
    }
    return call.run([...inner, ...items], { stdin: null });
  }
  const target = marker === "" ? "{}" : marker;
  let output: string | null = null;
  const toShell = SHELLS.test(inner[0] ?? "");
  for (const found of tried(items, call)) {
    const item = toShell ? found.replaceAll(NAME, WORD) : found;
    output = call.run(inner.map((word) => word.replaceAll(target, () => item)), { stdin: null });
  }
  return output;
}

/** To these, a file's name is code if it stands within code. */
const SHELLS = /(?:^|\/)(?:ba|da|z|k|c|tc|fi)?sh$/;

/** Commands made of one item each are judged up to this many; of more, that is said. */
const MAX_TRIED = 32;

function tried(items: readonly string[], call: Call): readonly string[] {
  if (items.length <= MAX_TRIED) return items;
  call.signal("too-complex", "items");
  return items.slice(0, MAX_TRIED);
}

function inputItems(call: Call): string[] {
  const { stdin } = call.scene;
  if (call.has("-a", "--arg-file") || stdin === null) return [WORDS];
  if (stdin === NETWORK) return [NETWORK];
  const text = call.has("-0", "--null") ? stdin.replaceAll("\u0000", "\n") : stdin;
  const separator = call.values("-d", "--delimiter")[0];
  const lines = call.has("-I", "-i", "--replace", "-L");
  const pieces = separator === undefined || separator === "\\n" || separator === "\\0"
    ? text.split(lines || separator !== undefined ? /\n+/ : /\s+/)
    : text.trim().split(separator);
  const items = pieces.map((piece) => piece.replaceAll(/^(['"])(.*)\1$/g, "$2"))
    .map((piece) => piece === ANY ? WORDS : piece)
    .filter((piece) => piece !== "");
  if (items.length <= MAX_ITEMS) return items.length === 0 ? [WORDS] : items;
  call.signal("too-complex", "xargs");
  return [...items.slice(0, MAX_ITEMS), WORDS];
}

/** `parallel`: the command is shell code in which `{}` is an argument. */
export function analyzeParallel(call: Call): string | null {
  const { operands } = call.parsed;
  if (call.args.length === 1 && call.has("--version", "--help")) return null;
  const at = operands.findIndex((word) => /^:{3,4}\+?$/.test(word));
  const command = at < 0 ? operands : operands.slice(0, at);
  const items = at < 0 ? [WORDS] : operands.slice(at + 1).filter((word) => !/^:{3,4}/.test(word));
  if (command.length === 0) {
    for (const item of at < 0 ? [call.scene.stdin ?? ANY] : items) call.code(item);
    return null;
  }
  const text = command.join(" ");
  for (const item of tried(items, call)) {
    if (/\{[^}\s]*\}/.test(text)) {
      call.run(text.split(/\s+/).map((word) => word.replaceAll(/\{[^}\s]*\}/g, () => item)));
    } else call.run([...text.split(/\s+/), item]);
  }
  call.code(text);
  return null;
}

/** `su`: the code of `-c`, else a session. */
export function analyzeSu(call: Call): string | null {
  const codes = call.values("-c", "--command", "--session-command");
  call.signal("privileged", call.program);
  for (const code of codes) call.code(code);
  const inner = call.parsed.operands.filter((word) => word !== "-");
  if (codes.length > 0) return null;
  const command = call.program === "runuser" ? call.args.indexOf("--") : -1;
  if (call.has("-u", "--user") || command >= 0) {
    return call.run(command >= 0 ? call.args.slice(command + 1) : inner);
  }
  if (call.scene.stdin !== null) return call.code(call.scene.stdin);
  call.signal("unknown-code", "session");
  return null;
}

/** `setarch`: an architecture may stand before the command. */
export function analyzeSetarch(call: Call): string | null {
  const { operands } = call.parsed;
  const named = call.program === "setarch" &&
    /^(?:\uFDD6|x86_64|i\d86|linux(?:32|64)|aarch64|arm\w*|uname26|ppc\w*|s390x?)$/.test(
      operands[0] ?? "",
    );
  return runFrom(call, named ? operands.slice(1) : operands);
}

/** `watch`: words joined are shell code, unless they are run as they are. */
export function analyzeWatch(call: Call): string | null {
  const { operands } = call.parsed;
  if (operands.length === 0) return null;
  if (call.has("-x", "--exec")) return call.run(operands);
  return call.code(operands.join(" "));
}

/** `script`: the code of `-c`, and a file that is written. */
export function analyzeScript(call: Call): string | null {
  const codes = call.values("-c", "--command");
  for (const code of codes) call.code(code);
  if (codes.length === 0) call.signal("unknown-code", "session");
  const file = call.parsed.operands[0] ?? "typescript";
  call.access("write", file);
  return null;
}

/** A wrapper of unknown grammar: any of its words may begin the command. */
export function analyzeOpaque(call: Call): string | null {
  call.signal("unknown-option", call.program);
  call.args.slice(0, 16).forEach((word, index) => {
    if (!call.walk.mayRepeat()) call.signal("too-complex", call.program);
    else if (/^[\w./-]+$/.test(word) && !word.startsWith("-")) {
      call.run(call.args.slice(index), { hypothetical: true });
    } else if (word.includes(" ") && isKnown(word)) call.code(word, { hypothetical: true });
  });
  return null;
}
