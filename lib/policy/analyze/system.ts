/**
 * Programs that deal with processes, the environment and keys.
 *
 * @module
 */
import { isKnown, isOpen } from "../marks.ts";
import { SECRET_NAME } from "../environment.ts";
import type { Call } from "../shell/call.ts";

/** `kill`: process -1 is every process, 1 is the first. */
export function analyzeKill(call: Call): string | null {
  if (call.program === "kill") {
    const words = call.args.filter((word) => word !== "--");
    const targets = /^-(?:\d+|[A-Za-z]+\d*)$/.test(words[0] ?? "") ? words.slice(1) : words;
    if (targets.includes("-1")) call.signal("kill-everything", "-1");
    return "";
  }
  const pattern = call.parsed.operands.at(-1);
  const inverted = call.program === "pkill" && call.has("-v", "--inverse");
  const everything = inverted || call.program === "killall5" ||
    /^(?:\.|\.\*|\^|)$/.test(pattern ?? "x");
  if (everything && call.program !== "pgrep") call.signal("kill-everything", pattern ?? "");
  return null;
}

/** `printenv`: one name may be a secret's, no name is every name. */
export function analyzePrintenv(call: Call): string | null {
  const names = call.parsed.operands;
  if (names.length === 0) call.signal("secret-output", "environment");
  else if (names.some((name) => SECRET_NAME.test(name))) {
    call.signal("secret-output", names.join(" "));
  }
  return null;
}

/** `openssl`: what reads a private key shows it. */
export function analyzeOpenssl(call: Call): string | null {
  const { args } = call;
  args.forEach((word, index) => {
    const value = args[index + 1];
    if (value === undefined) return;
    if (/^-(?:in|CAfile|cert|key|inkey|signature|verify|CA|inform)$/.test(word)) {
      call.access("read", value);
    }
    if (/^-(?:out|keyout|writerand)$/.test(word)) call.access("write", value);
    if (/^-(?:connect|host|proxy)$/.test(word)) call.host(value.replace(/:\d+$/, ""));
    if (/^-(?:pass|passin|passout|k)$/.test(word) && !/^(?:env|file|fd|stdin)/.test(value)) {
      call.signal("literal-secret", word);
    }
  });
  if (/^(?:rsa|ec|pkey|dsa|pkcs12)$/.test(args[0] ?? "") && !args.includes("-pubin")) {
    call.signal("secret-output", "private key");
  }
  const { stdin } = call.scene;
  if (args[0] === "s_client" && stdin !== null && isOpen(stdin)) call.signal("sends-data", "stdin");
  const last = args.at(-1) ?? "";
  if (args.length > 1 && !last.startsWith("-") && /^(?:dgst|sha\w*|md5)$/.test(args[0] ?? "")) {
    call.access("read", last);
  }
  return null;
}

/** `crontab FILE`: every line is shell code for later, behind its times. */
export function analyzeCrontab(call: Call): string | null {
  if (call.has("-l", "-r", "-e", "-V", "-T")) return null;
  for (const file of call.parsed.operands) {
    if (file !== "-") call.access("read", file);
    const text = file === "-" ? call.scene.stdin : call.textOf(file);
    for (const line of (text ?? "").split("\n").slice(0, 256)) {
      call.code(line.trim().replace(/^(?:@\w+|(?:[\w*,/-]+\s+){4}[\w*,/-]+)\s+/, ""));
    }
  }
  return null;
}

/** `at`: standard input is shell code for later. */
export function analyzeAt(call: Call): string | null {
  const lists = call.has("-l", "-q", "-c", "-V") || call.program === "atq";
  if (lists || call.program === "atrm" || call.has("-f")) return null;
  const { stdin } = call.scene;
  if (stdin === null) call.signal("unknown-code", "at");
  else call.code(stdin);
  return null;
}

/** `sysctl`: an equals sign writes. */
export function analyzeSysctl(call: Call): string | null {
  const writes = call.has("-w", "--write", "-p", "-f", "--load", "--system") ||
    call.args.some((word) => word.includes("="));
  if (writes) call.signal("data-change", call.args.join(" "));
  return null;
}

/** `ssh-keygen`: only some of its ways leave keys as they are. */
export function analyzeSshKeygen(call: Call): string | null {
  const files = call.values("-f");
  if (call.has("-l", "-F", "-B", "-L", "-H", "-Q")) return null;
  for (const file of files) call.access(call.has("-y", "-e") ? "read" : "write", file);
  call.signal("data-change", "keys");
  return null;
}

/** `date`: a word that is no format sets the clock. */
export function analyzeDate(call: Call): string | null {
  const sets = call.parsed.operands.find((word) => isKnown(word) && !word.startsWith("+"));
  if (sets !== undefined && !call.has("-f", "-j")) call.signal("data-change", sets);
  return null;
}
