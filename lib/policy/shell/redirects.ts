/**
 * Reads redirections: what they write, what they read, what stdin becomes.
 *
 * @module
 */
import type { HereDoc, Redirect, Redirection } from "unbash";
import type { Access, Signal } from "../facts.ts";
import { ANY } from "../marks.ts";
import { isFreePath, resolveWord } from "../paths.ts";
import { expandText, expandWord } from "./expand.ts";
import type { Expansion } from "./expansion.ts";
import type { Walk } from "./scene.ts";
import { CWD } from "./state.ts";
import { valueOf } from "./variables.ts";

/** What the redirections of one command come to. */
export interface Redirects {
  readonly accesses: readonly Access[];
  readonly signals: readonly Signal[];
  /** What stdin carries, or null where it is not redirected. */
  readonly stdin: string | null;
}

/** Expands and sorts redirections. */
export function readRedirects(
  redirects: readonly Redirection[],
  run: Expansion,
  walk: Walk,
): Redirects {
  const accesses: Access[] = [];
  const signals: Signal[] = [];
  let stdin: string | null = null;
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") stdin = hereDocument(redirect, run);
    else if (redirect.type === "HereString") {
      stdin = `${redirect.target ? expandText(redirect.target, run) : ""}\n`;
    } else if (!isDuplicate(redirect)) {
      const word = redirect.target ? expandWord(redirect.target, run).join(" ") : ANY;
      const access = accessOf(redirect, word, run);
      if (access.kind === "read") {
        stdin = access.path === "/dev/null"
          ? ""
          : walk.streams.get(word) ?? walk.files.get(access.path) ?? ANY;
      }
      if (/^\/dev\/(?:tcp|udp)\//.test(access.path)) {
        signals.push({ name: "reverse-shell", detail: word });
      } else if (!isFreePath(access.path)) accesses.push(access);
    }
  }
  return { accesses, signals, stdin };
}

function hereDocument(redirect: HereDoc, run: Expansion): string {
  const { body, delimiter } = redirect;
  const text = delimiter?.quoted || body.parts === undefined
    ? delimiter?.quoted ? body.text : body.text.replaceAll(/\\([$`\\])/g, "$1")
    : run.parts(body.parts);
  return redirect.operator === "<<-" ? text.replaceAll(/^\t+/gm, "") : text;
}

function isDuplicate(redirect: Redirect): boolean {
  return (redirect.operator === ">&" || redirect.operator === "<&") &&
    /^(?:\d+-?|-)$/.test(redirect.target?.text ?? "");
}

function accessOf(redirect: Redirect, word: string, run: Expansion): Access {
  const cwd = valueOf(CWD, run)?.[0] ?? ANY;
  const reads = redirect.operator === "<" || redirect.operator === "<&";
  return {
    kind: reads ? "read" : "write",
    word,
    path: resolveWord(word, cwd),
    recursive: false,
  };
}
