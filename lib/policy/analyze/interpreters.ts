/**
 * Interpreters of other languages: their code is not understood, but what is
 * plain in it is found: shell commands in strings, secrets, reverse shells.
 *
 * @module
 */
import { ANY, isFromNetwork, NETWORK, readable } from "../marks.ts";
import type { Call } from "../shell/call.ts";
import { guessCode } from "../shell/guess.ts";
import { downloads, judgeNativeCalls } from "./native_calls.ts";

const CODE_OPTIONS = [
  "-c",
  "-e",
  "-E",
  "-r",
  "-p",
  "--eval",
  "--command",
  "--execute",
  "--print",
  "-n",
];

/** Options that only check a file's syntax. */
const CHECKING: Readonly<Record<string, readonly string[] | undefined>> = {
  php: ["-l"],
  ruby: ["-c"],
  node: ["--check", "-c"],
};

/** Judges what an interpreter is given to run. */
export function analyzeInterpreter(call: Call): string | null {
  const codes = call.parsed.flags.filter(({ name, value }) =>
    CODE_OPTIONS.includes(name) && value !== null
  ).map(({ value }) => value ?? "");
  for (const code of codes) judgeForeignCode(code, call);
  if (codes.length > 0) return codes.some(downloads) ? NETWORK : ANY;
  const [file, target] = call.parsed.operands;
  if (call.values("-m")[0] === "json.tool" && /^py/.test(call.program)) {
    if (file !== undefined && file !== "-") call.access("read", file);
    if (target !== undefined) call.access("write", target);
    return ANY;
  }
  const check = CHECKING[call.program];
  if (check !== undefined && call.has(...check) && file !== undefined) {
    call.access("read", file);
    return "";
  }
  if (file === undefined || file === "-" || file === "/dev/stdin") return judgeStdin(call);
  const stream = call.textOf(file);
  if (stream !== null) judgeForeignCode(stream, call);
  else {
    call.access("read", file);
    call.signal("unknown-code", readable(file));
  }
  return ANY;
}

function judgeStdin(call: Call): string | null {
  const { stdin } = call.scene;
  if (call.has("--version", "-V", "-v", "--help", "-h", "-version")) return null;
  if (call.has("-m")) {
    call.signal("foreign-code", `module ${call.values("-m")[0] ?? ""}`);
    return ANY;
  }
  if (stdin === null) call.signal("unknown-code", "interactive interpreter");
  else judgeForeignCode(stdin, call);
  return ANY;
}

const SHELL_CALL =
  /(?:\bsystem|\bpopen\d?|\bexec\w*|\bspawn\w*|\bcall|\bcheck_output|\bcheck_call|\brun|\bshell_exec|\bpassthru|\bproc_open|%x|qx|os\.execute|getoutput|\bcapture)\s*[({[\s]*(["'])((?:(?!\1)[^\\]|\\.)*)\1/g;
const BACKTICKS = /`([^`]+)`/g;
const STRING = /(["'])((?:(?!\1)[^\\\n]|\\.){1,400})\1/g;
const DESTROYS =
  /rmtree|rm_r|rmSync|rmdirSync|remove_tree|unlink|\.remove\(|os\.remove|File\.delete|deleteSync|rimraf|removeSync|delete_dir/;

/** Finds what is plain in code of another language. */
export function judgeForeignCode(code: string, call: Call): void {
  if (isFromNetwork(code)) call.signal("network-code", readable(code).slice(0, 80));
  call.signal("foreign-code", readable(code).slice(0, 80));
  if (
    /socket|TCPSocket|fsockopen|net\.connect|\/inet\//i.test(code) &&
    /dup2|pty\.spawn|\/bin\/(?:ba|da|z)?sh|exec\(|subprocess|popen|spawn|open\(STD|fdopen|system/i
      .test(code)
  ) {
    call.signal("reverse-shell", readable(code).slice(0, 80));
  }
  if (/\bfork\b[^;]*\bwhile\b|\bwhile\b[^;]*\bfork\b|\bfork\(\)[^;]*\bfork\(\)/.test(code)) {
    call.signal("fork-bomb", readable(code).slice(0, 80));
  }
  for (const [, , text = ""] of code.matchAll(SHELL_CALL)) call.code(plain(text));
  for (const [, text = ""] of code.matchAll(BACKTICKS)) call.code(plain(text));
  for (const [, text = ""] of code.matchAll(/(?:\bqx|%x|\be?syscmd)\s*[({[]([^)}\]]*)/g)) {
    call.code(plain(text));
  }
  guessCode(code, call);
  judgeNativeCalls(code, call);
  judgeLists(code, call);
  const destroys = DESTROYS.test(code);
  for (const [, , text = ""] of code.slice(0, 20_000).matchAll(STRING)) {
    const path = plain(text);
    if (!/^(?:\/|~\/)[^\s"'`;]*$/.test(path)) continue;
    const word = path.startsWith("~/") ? call.walk.world.home + path.slice(1) : path;
    call.access(destroys ? "destroy" : "read", word, destroys);
  }
}

/** Words in a list or in a row: `["rm", "-rf", "/"]`, `exec "rm","-rf","/"`. */
function judgeLists(code: string, call: Call): void {
  const list = /(?:["'][^"'\n]*["']\s*,\s*){1,}["'][^"'\n]*["']/g;
  for (const [text] of code.slice(0, 20_000).matchAll(list)) {
    const words = [...text.matchAll(/["']([^"'\n]*)["']/g)].map(([, word = ""]) => word);
    if (/^[\w./-]+$/.test(words[0] ?? "")) call.run(words);
  }
}

function plain(text: string): string {
  return text.replaceAll(/\\(["'`\\/])/g, "$1");
}

/** A program whose first operand is code of another language. */
export function analyzeForeign(call: Call): string | null {
  judgeForeignCode(call.parsed.operands[0] ?? "", call);
  return ANY;
}
