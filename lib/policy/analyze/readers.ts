/**
 * Readers whose words need a second look.
 *
 * @module
 */
import { ANY, isOpen, unquoted } from "../marks.ts";
import type { Call } from "../shell/call.ts";
import { outputOf } from "../shell/outputs.ts";

/** `grep -r` without files reads the working directory. */
export function analyzeGrep(call: Call): string | null {
  const recursive = call.has("-r", "-R", "--recursive", "--dereference-recursive") ||
    /^(?:rg|ripgrep|ag|ack)$/.test(call.program);
  for (const name of recursive ? call.values("--include", "-g", "--glob") : []) {
    for (const root of call.parsed.operands.slice(1)) {
      call.access("read", `${root}/${unquoted(name)}`);
    }
  }
  if (
    recursive && !call.accesses.some(({ kind }) => kind === "read") && call.scene.stdin === null
  ) {
    call.access("read", ".", true);
  }
  return outputOf(call);
}

const HARMLESS_START = /^\+{1,2}(?:[GFgp]|\d+[gGp%]?|[/?&].*|p?\d+)?$/s;

/** `less`: what stands after a plus is a command of its own. */
export function analyzePager(call: Call): string | null {
  for (const word of call.parsed.operands) {
    if (!word.startsWith("+")) call.access("read", word);
    else if (!HARMLESS_START.test(word)) {
      call.signal("unknown-code", word);
      const code = /!(.*)$/s.exec(word)?.[1];
      if (code !== undefined) call.code(code);
    }
  }
  return outputOf(call);
}

/** `jq`: two of its options take a name and a file. */
export function analyzeJq(call: Call): string | null {
  if (/(?:^|[|(,\s])(?:env|\$ENV)\b(?!\.\w)/.test(call.parsed.operands[0] ?? "")) {
    call.signal("secret-output", "environment");
  }
  call.args.forEach((word, index) => {
    const file = call.args[index + 2];
    if (/^--(?:rawfile|slurpfile|argfile)$/.test(word) && file !== undefined) {
      call.access("read", file);
    }
  });
  return outputOf(call);
}

/** `ps`: an `e` without a dash shows the environment of processes. */
export function analyzePs(call: Call): string | null {
  const [first = ""] = call.args;
  if (/^[a-zA-Z]*e[a-zA-Z]*$/.test(first)) call.signal("secret-output", first);
  return outputOf(call);
}

/** `man`: a name with a slash is a file. */
export function analyzeManual(call: Call): string | null {
  for (const word of call.parsed.operands) if (word.includes("/")) call.access("read", word);
  return outputOf(call);
}

/** `pdftotext`: the text goes into a file beside, unless a dash says otherwise. */
export function analyzePdftotext(call: Call): string | null {
  const [source, target] = call.parsed.operands;
  if (source !== undefined && source !== "-") call.access("read", source);
  if (target !== "-" && source !== undefined) call.access("write", target ?? `${source}.txt`);
  return outputOf(call);
}

/** `dc`: an exclamation mark runs a program, a question mark runs what is read. */
export function analyzeCalculator(call: Call): string | null {
  const texts = call.values("-e", "--expression");
  if (texts.length === 0 && call.parsed.operands.length === 0) texts.push(call.scene.stdin ?? ANY);
  for (const text of texts) {
    const code = /!(?![<>=])(.*)$/s.exec(text)?.[1];
    if (code !== undefined) call.code(code);
    if (code !== undefined || isOpen(text) || /[?!]/.test(text)) call.signal("unknown-code", "dc");
  }
  if (call.has("-f", "--file") || call.parsed.operands.length > 0) {
    call.signal("unknown-code", "dc");
  }
  return outputOf(call);
}
