/**
 * The shell's own commands that change what the shell knows, or run code in it.
 *
 * @module
 */
import { isObeyedAssignment, isObeyedName } from "../environment.ts";
import { ANY, isKnown, NAME, readable, WORD } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import { programSpec } from "../programs/lookup.ts";
import { formatted } from "./outputs.ts";
import { applyOperands } from "./operands.ts";
import type { Call } from "./call.ts";
import { guessAssignment } from "./guess_values.ts";
import { CWD } from "./state.ts";
import { declareKeys, forgetKeys } from "./arrays.ts";
import { caseMark, inDeclaredCase, integerMark } from "./variables.ts";

/** No directory has a longer path. Source: PATH_MAX of Linux. */
const MAX_PATH_CHARS = 4096;

function boundedPath(path: string): string {
  return path.length > MAX_PATH_CHARS ? ANY : path;
}

/** Runs a builtin in the abstract; null if the call is none. */
export function runBuiltin(call: Call): string | null {
  const builtin = BUILTINS[call.program];
  if (builtin === undefined) return null;
  applyOperands(call);
  return builtin(call) ?? "";
}

type Builtin = (call: Call) => string | void;

const BUILTINS: Readonly<Record<string, Builtin | undefined>> = Object.assign(
  Object.create(null) as Record<string, Builtin>,
  {
    cd: changeDirectory,
    pushd: changeDirectory,
    popd: (call: Call) => call.scene.state.set(CWD, [ANY]),
    pwd: (call: Call) => `${call.cwd}\n`,
    export: declare,
    declare: declare,
    typeset: declare,
    local: declare,
    readonly: declare,
    read: readInput,
    mapfile: readInput,
    readarray: readInput,
    set: setParameters,
    shift: shift,
    unset: evaluateWords,
    let: evaluateWords,
    test: testWords,
    "[": testWords,
    eval: (call: Call) => {
      const first = call.args.findIndex((word) => word !== "eval");
      return call.walk.code(call.args.slice(Math.max(0, first)).join(" "), inPlace(call));
    },
    ".": source,
    source: source,
    trap: trap,
    exec: execute,
    command: execute,
    builtin: execute,
    alias: defineAliases,
    printf: print,
    hash: (call: Call) => {
      if (call.has("-p")) call.signal("rebound", call.args.join(" "));
    },
    enable: (call: Call) => {
      if (call.args.length > 0) call.signal("rebound", call.args.join(" "));
    },
    getopts: (call: Call) => {
      for (const word of call.args) visitSubscript(word, call);
      noteName(call.args[1] ?? "", call);
      call.scene.state.set(call.args[1] ?? "_", [NAME]);
      call.scene.state.set("OPTARG", [ANY]);
    },
    wait: evaluateWords,
    compgen: runLater,
    complete: runLater,
    bind: runLater,
  } satisfies Record<string, Builtin>,
);

function inPlace(call: Call): Call["scene"] {
  return { ...call.scene, outer: call.outer };
}

function changeDirectory(call: Call): void {
  const { state } = call.scene;
  const target = call.parsed.operands[0] ?? "~";
  const home = state.alternatives("HOME")[0]?.[0] ?? call.walk.world.home;
  const before = call.cwd;
  if (/^[+-]\d+$/.test(target)) return state.set(CWD, [ANY]);
  if (target === "-") state.setAlternatives(CWD, [state.alternatives("OLDPWD")[0] ?? [ANY]]);
  else if (target === "~") state.set(CWD, [home]);
  else state.set(CWD, [boundedPath(resolveWord(target, before))]);
  state.set("OLDPWD", [before]);
}

function declare(call: Call): string {
  setDeclared(call);
  const prints = call.parsed.operands.length === 0 || call.has("-p", "-f", "-F");
  return prints ? ANY : "";
}

function setDeclared(call: Call): void {
  if (call.parsed.operands.length === 0 && call.program !== "local" && !call.has("-f", "-F")) {
    call.signal("secret-output", "variables");
  }
  const exports = call.program === "export" || call.has("-x");
  for (const word of call.parsed.operands) {
    visitSubscript(word, call);
    const equals = word.indexOf("=");
    markDeclared(word.replace(/[=[].*$/s, ""), call);
    if (equals < 0) continue;
    const name = word.slice(0, equals);
    const value = inDeclaredCase(name, word.slice(equals + 1), call.scene.state);
    if (call.has("-i")) visitNames(value, call);
    if (/^[A-Za-z_]\w*$/.test(name)) {
      const array = call.has("-a") && value.startsWith("(");
      call.scene.state.set(name, [array ? ANY : call.has("-n") ? ANY : value]);
    }
    guessAssignment(word, call);
    if (isObeyedAssignment(word) || exports && !isPrivateName(name)) {
      call.signal("environment", readable(word).slice(0, 80));
    }
  }
  if (call.has("-f") && exports) call.signal("environment", "exported function");
}

/** What `-i`, `-l`, `-u`, `-A` and `-n` make of a variable. */
function markDeclared(name: string, call: Call): void {
  const { state } = call.scene;
  if (call.has("-i")) state.set(integerMark(name), [""]);
  const changed = call.parsed.flags.findLast((flag) => /^-[lu]$/.test(flag.name))?.name;
  if (changed !== undefined) state.set(caseMark(name), [changed]);
  if (call.has("-A")) declareKeys(name, state);
  const target = call.has("-n") ? /=([A-Za-z_]\w*)/.exec(call.args.join(" "))?.[1] : undefined;
  if (target === undefined) return;
  // What is given to the other name from here on goes into this one.
  state.setAlternatives(target, [...state.alternatives(target), [ANY]]);
  forgetKeys(target, state);
}

/** Names that programs are not known to look at, by the custom of lower case. */
function isPrivateName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) || /^(?:LC_\w+|LANG|TZ|TERM|COLUMNS)$/.test(name);
}

/** A variable that programs obey is set, by whatever builtin. */
function noteName(name: string, call: Call): void {
  forgetKeys(name.replace(/\[.*$/s, ""), call.scene.state);
  if (isObeyedName(name)) call.signal("environment", name);
}

/** Arithmetic evaluates the values of its names in turn. */
function visitNames(word: string, call: Call): void {
  for (const [name] of word.slice(0, 200).matchAll(/[A-Za-z_]\w*/g)) {
    visitSubscript(call.scene.state.alternatives(name)[0]?.[0] ?? "", call);
  }
}

/** A subscript is evaluated once more. */
function visitSubscript(word: string, call: Call): void {
  if (word.includes("$(") || word.includes("`")) {
    call.walk.hooks(inPlace(call)).evaluated(word);
  }
}

function evaluateWords(call: Call): void {
  for (const word of call.args) {
    visitSubscript(word, call);
    if (call.program === "let") visitNames(word, call);
    const name = /^([A-Za-z_]\w*)/.exec(word)?.[1];
    if (name !== undefined) forgetKeys(name, call.scene.state);
    if (name !== undefined) call.scene.state.set(name, call.program === "unset" ? [""] : [ANY]);
  }
}

function testWords(call: Call): void {
  const numeric = call.args.some((word) => /^-(?:eq|ne|lt|le|gt|ge|v|R)$/.test(word));
  if (numeric) { for (const word of call.args) visitSubscript(word, call); }
}

function readInput(call: Call): void {
  const text = call.scene.stdin;
  const names = call.parsed.operands.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  for (const word of call.parsed.operands) {
    visitSubscript(word, call);
    noteName(word, call);
  }
  const isArray = call.program !== "read" || call.has("-a");
  const first = text === null ? null : text.split("\n")[0] ?? "";
  const target = isArray ? call.values("-a")[0] ?? names[0] ?? "MAPFILE" : null;
  if (target !== null && isArray) {
    const items = first === null || !isKnown(text ?? ANY) ? [ANY] : first.split(/[ \t]+/);
    return call.scene.state.set(target, items);
  }
  if (names.length === 0) names.push("REPLY");
  const words = (first ?? ANY).replaceAll(ANY, WORD).trim().split(separatorsOf(call));
  names.forEach((name, index) => {
    const isLast = index === names.length - 1;
    const rest = isLast ? words.slice(index).join(" ") : words[index];
    const value = text === null || !isKnown(text) ? rest || WORD : rest ?? "";
    const many = text !== null && text.trim().includes("\n");
    call.scene.state.setAlternatives(name, many ? [[value], [WORD]] : [[value]]);
  });
}

/** What parts words in what is read. */
function separatorsOf(call: Call): RegExp {
  const given = (call.extra.env ?? []).find((assignment) => assignment.startsWith("IFS="))?.slice(
    4,
  );
  if (given === undefined) return /[ \t]+/;
  return given === "" ? /(?!)/ : new RegExp(`[${given.replaceAll(/[\\\]^-]/g, "\\$&")}]`);
}

function setParameters(call: Call): string {
  readParameters(call);
  return call.args.length === 0 ? ANY : "";
}

function readParameters(call: Call): void {
  if (call.args.length === 0) call.signal("secret-output", "variables");
  const dashes = call.args.indexOf("--");
  const first = call.args[0] ?? "";
  if (dashes >= 0) call.scene.state.positional = call.args.slice(dashes + 1);
  else if (first !== "" && !/^[-+]/.test(first)) call.scene.state.positional = call.args;
}

function shift(call: Call): void {
  const { state } = call.scene;
  const count = Number(call.args[0] ?? "1");
  state.positional = state.positional?.slice(Number.isInteger(count) ? count : 1) ?? null;
}

/** A file's text isn't visible; a stream's is, if what makes it is. */
function source(call: Call): string {
  const file = call.args[call.args[0] === "--" ? 1 : 0] ?? "";
  const text = call.textOf(file);
  if (text !== null) return call.walk.code(text, inPlace(call));
  call.signal("unknown-code", file);
  call.access("read", file);
  return ANY;
}

function trap(call: Call): void {
  const { operands } = call.parsed;
  if (operands.length < 2 || operands[0] === "-" || operands[0] === "") return;
  call.walk.code(operands[0] ?? "", { ...inPlace(call), state: call.scene.state.fork() });
}

/** `exec`, `command` and `builtin` run what follows their options. */
function execute(call: Call): string {
  if (call.program === "command" && call.has("-v", "-V")) {
    return `/usr/bin/${call.parsed.operands[0] ?? NAME}\n`;
  }
  const { operands } = call.parsed;
  if (operands.length === 0) return "";
  return call.run(operands, { state: call.scene.state });
}

/** Words that are code once something is completed or a key is pressed. */
function runLater(call: Call): void {
  for (const word of call.args) {
    visitSubscript(word, call);
    if (/\s/.test(word)) {
      call.code(word.replace(/^"[^"]*":\s*/, ""), { hypothetical: true });
    }
  }
}

function defineAliases(call: Call): void {
  for (const word of call.parsed.operands) {
    const equals = word.indexOf("=");
    if (equals > 0) {
      const name = word.slice(0, equals);
      const text = word.slice(equals + 1);
      call.scene.state.setAlias(name, text);
      const first = text.trim().split(/\s+/)[0] ?? "";
      // The program itself with more options is still that program.
      if (programSpec(name) !== null && first !== name) call.signal("rebound", name);
      if (!isKnown(word)) call.signal("unknown-code", word);
    }
  }
}

function print(call: Call): string {
  const variable = call.values("-v")[0];
  const text = formatted(call.parsed.operands);
  if (variable === undefined) return text;
  visitSubscript(variable, call);
  noteName(variable, call);
  guessAssignment(`${variable}=${text}`, call);
  if (/^[A-Za-z_]\w*$/.test(variable)) call.scene.state.set(variable, [text]);
  return "";
}
