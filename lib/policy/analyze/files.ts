/**
 * Programs that copy, destroy, archive and open up files.
 *
 * @module
 */
import { isKnown, NETWORK } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "../shell/call.ts";

/** `rm`, `shred`, `unlink` and the like: every operand is gone afterwards. */
export function analyzeDestroy(call: Call): string | null {
  const recursive =
    call.program !== "rm" && call.program !== "rmdir" && call.program !== "unlink" ||
    call.has("-r", "-R", "--recursive");
  for (const word of call.parsed.operands) call.access("destroy", word, recursive);
  return "";
}

/** `cp`, `mv`, `ln`, `install`, `rsync`: sources are read, the target is written. */
export function analyzeCopy(call: Call): string | null {
  const operands = [...call.parsed.operands];
  const given = call.values("-t", "--target-directory");
  const target = given[0] ?? (operands.length > 1 ? operands.pop() : undefined);
  for (const command of call.values("--rsync-path")) call.code(command);
  if (call.program === "rsync" && call.has("-n", "--dry-run", "--list-only")) {
    for (const word of call.parsed.operands) {
      if (isRemotePath(word)) call.host(hostOf(word));
      else call.access("list", word);
    }
    return null;
  }
  const recursive = call.has("-r", "-R", "-a", "--recursive", "--archive") || call.program !== "cp";
  for (const word of operands) {
    if (call.program === "ln") call.access("read", word);
    else if (!isRemotePath(word)) call.access("read", word, recursive);
    if (call.program === "mv") call.access("destroy", word);
    rememberCopy(word, target, call);
  }
  if (call.has("--remove-source-files")) {
    for (const word of operands) {
      call.access("destroy", word);
    }
  }
  if (target === undefined) return null;
  noteTarget(target, operands, call);
  return null;
}

function noteTarget(target: string, sources: readonly string[], call: Call): void {
  const remote = [target, ...sources].filter(isRemotePath);
  for (const word of remote) call.host(hostOf(word));
  if (isRemotePath(target)) {
    call.signal("sends-data", target);
    const path = target.slice(target.indexOf(":") + 1).replace(/^~\//, "");
    if (!path.startsWith("//")) {
      call.access("write", path.startsWith("/") ? path : `${call.walk.world.home}/${path}`);
    }
    return;
  }
  if (call.program === "mv" && target === "/dev/null") {
    for (const word of sources) call.access("destroy", word, true);
  }
  const deletes = call.parsed.flags.some(({ name }) => name.startsWith("--del"));
  if (deletes) call.access("destroy", target, true);
  call.access("write", target);
}

/** Whether an operand of `scp` or `rsync` is on another machine. */
function isRemotePath(word: string): boolean {
  return /^(?:[^/:\s]+@)?[^/:\s]+:/.test(word) || /^(?:rsync|scp|sftp):\/\//.test(word);
}

function hostOf(word: string): string {
  return word.replace(/^\w+:\/\//, "").replace(/^[^@/]*@/, "").replace(/[:/].*$/s, "");
}

/** A copy of a program is that program, under whatever name. */
function rememberCopy(source: string, target: string | undefined, call: Call): void {
  if (target === undefined || !isKnown(source) || !isKnown(target)) return;
  const base = source.slice(source.lastIndexOf("/") + 1);
  const path = resolveWord(target, call.cwd);
  const text = call.textOf(source);
  if (text !== null) call.writes(target, text);
  call.walk.copies.set(path, base);
  call.walk.copies.set(`${path}/${base}`, base);
}

/** `dd`: its operands are settings, two of which are paths. */
export function analyzeDd(call: Call): string | null {
  for (const word of call.args) {
    const equals = word.indexOf("=");
    const value = word.slice(equals + 1);
    if (word.startsWith("if=")) call.access("read", value);
    else if (word.startsWith("of=")) {
      call.access("write", value);
      if (!isKnown(value)) call.access("destroy", value, true);
    }
  }
  return null;
}

/** `chmod`, `chown`, `chgrp`: wide permissions, whole trees, set-user-id. */
export function analyzeMode(call: Call): string | null {
  const operands = [...call.parsed.operands];
  const symbolic = call.args.find((word) => /^-[rwxst]+$/.test(word) && !/^-R/.test(word));
  const given = call.has("--reference") || call.program === "setfacl" || symbolic !== undefined;
  const mode = given ? symbolic ?? "" : operands.shift() ?? "";
  const recursive = call.has("-R", "--recursive");
  for (const word of operands) {
    call.access("write", word);
    if (recursive) call.access("destroy", word, true);
  }
  if (call.program !== "chmod") return null;
  if (
    /^0?[0-7]?[0-7]?[2367]$/.test(mode) || /(?:^|,)(?:[ug]*[oa][ugoa]*|)[+=][rwxX]*w/.test(mode)
  ) {
    call.signal("world-writable", mode);
  }
  if (/^[0-7]?[4-7][0-7]{3}$/.test(mode) || /[+=][rwx]*s/.test(mode)) {
    call.signal("back-door", mode);
  }
  return null;
}

/** `tar`: reading lists, creating reads and writes, extracting writes. */
export function analyzeTar(call: Call): string | null {
  const files = call.values("-f", "--file");
  const { operands } = call.parsed;
  if (call.has("-t", "--list") || call.has("-d", "--diff", "--compare")) {
    for (const file of files) if (file !== "-") call.access("read", file);
    return null;
  }
  if (call.has("-x", "--extract", "--get")) {
    for (const file of files) if (file !== "-") call.access("read", file);
    if (call.has("-O", "--to-stdout")) return null;
    call.access("write", call.values("-C", "--directory")[0] ?? ".");
    return null;
  }
  for (const file of files) {
    if (/^[\w.@-]+:/.test(file)) call.host(file.replace(/:.*$/s, ""));
    else if (file !== "-") call.access("write", file);
  }
  const folder = call.values("-C", "--directory")[0];
  for (const word of operands) {
    const inside = folder !== undefined && !/^[/~]/.test(word);
    const path = inside ? `${folder}/${word}` : word;
    call.access("read", path, true);
    if (call.has("--remove-files")) call.access("destroy", path, true);
  }
  return null;
}

/** `zip -m`, `7z -sdel`: what goes into the archive is gone afterwards. */
export function analyzeArchive(call: Call): string | null {
  const moves = call.has("-m", "--move") || call.args.includes("-sdel");
  const from = /^7z|^p7/.test(call.program) ? 2 : 1;
  const sources = call.parsed.operands.filter((word) => !word.startsWith("-")).slice(from);
  if (moves) { for (const word of sources) call.access("destroy", word, true); }
  return null;
}

/** Programs that carry what another machine sends. */
const SOCKETS = /\b(?:nc|ncat|netcat|socat|telnet|openssl)\b|\/dev\/(?:tcp|udp)\//;

/** `mkfifo`, `mknod NAME p`: what is read from a pipe beside a socket may be what that sends. */
export function analyzeFifo(call: Call): string | null {
  const { operands } = call.parsed;
  const names = call.program === "mkfifo" ? operands : operands.slice(0, 1);
  for (const name of names) {
    call.access("write", name);
    if (SOCKETS.test(call.scene.source.text)) call.writes(name, NETWORK);
  }
  return "";
}
