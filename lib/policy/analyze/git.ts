/**
 * `git`: configuration on the command line can run programs.
 *
 * @module
 */
import { NETWORK } from "../marks.ts";
import type { Call } from "../shell/call.ts";

/** Keys that change looks only. */
const HARMLESS_KEYS =
  /^(?:color\.[\w.]+|core\.(?:quotepath|abbrev|precomposeunicode|autocrlf|filemode|longpaths)|log\.\w+|diff\.(?:renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|wordregex|colormoved)|column\.\w+|status\.\w+|advice\.\w+|format\.pretty|grep\.\w+|blame\.\w+|branch\.sort|tag\.sort|versionsort\.\w+|user\.(?:name|email)|safe\.directory|i18n\.\w+|pager\.\w+)$/i;

/** Judges the global options of a call of `git`. */
export function analyzeGit(call: Call): string | null {
  for (const setting of call.values("-c", "--config-env")) {
    if (setting !== "") judgeSetting(setting, call);
  }
  const [subcommand, ...rest] = call.parsed.operands;
  if (subcommand === "diff" && call.has("--no-index")) {
    for (const word of rest) call.access("read", word);
  }
  if (subcommand === "blame" && rest[0]) call.access("read", rest.at(-1) ?? "");
  if (subcommand === "bisect" && rest[0] === "run") call.run(rest.slice(1));
  if (subcommand === "submodule" && rest[0] === "foreach") call.code(rest.slice(1).join(" "));
  for (const command of call.values("--exec", "--upload-pack", "--receive-pack")) {
    call.code(command);
  }
  for (const word of rest) {
    const command = /^ext::(.*)$/s.exec(word)?.[1];
    if (command === undefined) continue;
    call.signal("unknown-code", word);
    call.code(command);
  }
  return subcommand === "archive" && call.has("--remote") ? NETWORK : null;
}

function judgeSetting(setting: string, call: Call): void {
  const equals = setting.indexOf("=");
  const key = equals < 0 ? setting : setting.slice(0, equals);
  const value = equals < 0 ? "" : setting.slice(equals + 1);
  if (/^core\.pager$/i.test(key) && /^(?:|cat|less|less -[A-Za-z]+)$/.test(value)) return;
  if (
    HARMLESS_KEYS.test(key) && (!/^pager\./i.test(key) || /^(?:|true|false|cat|less)$/.test(value))
  ) {
    return;
  }
  call.signal("environment", setting);
  call.code(value.replace(/^!/, ""));
}
