/**
 * Turns a program's options and operands into what it touches, by its grammar.
 *
 * @module
 */
import { isKnown, readable } from "../marks.ts";
import type { ProgramSpec, Role } from "../programs/grammar.ts";
import type { Call } from "./call.ts";

/** Notes everything that a call's options and operands say it touches. */
export function applyOperands(call: Call): void {
  const { spec, parsed } = call;
  if (spec === null) return;
  for (const { spec: option, value } of parsed.flags) {
    if (option !== null && value !== null) applyRole(option.role, value, call);
  }
  const [text, operands] = rolesFor(spec, parsed.operands);
  const roles = readRoles(firstIsGiven(call) ? text.replace(/^- /, "") : text);
  operands.forEach((word, index) => {
    applyRole(roleOf(roles, index, operands.length), word, call);
  });
}

function rolesFor(spec: ProgramSpec, operands: readonly string[]): [string, readonly string[]] {
  for (const [words, own] of Object.entries(spec.subcommands ?? {})) {
    const length = words.split(" ").length;
    if (own.operands !== undefined && operands.slice(0, length).join(" ") === words) {
      return [own.operands, operands.slice(length)];
    }
  }
  return [spec.operands ?? "", operands];
}

/** Whether an option took the place of the first operand. */
function firstIsGiven({ spec, parsed }: Call): boolean {
  const names = spec?.insteadOfFirst?.split(" ") ?? [];
  return parsed.flags.some(({ name }) => names.includes(name));
}

interface Roles {
  readonly first: readonly Role[];
  readonly repeated: Role;
  readonly last: Role | null;
}

const rolesCache = new Map<string, Roles>();

function readRoles(text: string): Roles {
  const known = rolesCache.get(text);
  if (known !== undefined) return known;
  const first: Role[] = [];
  let repeated: Role | null = null;
  let last: Role | null = null;
  for (const token of text.split(" ").filter((one) => one !== "")) {
    const role = (token[0] ?? "-") as Role;
    if (token.endsWith("*")) repeated = role;
    else if (repeated === null) first.push(role);
    else last = role;
  }
  const roles = { first, repeated: repeated ?? first.at(-1) ?? "-", last };
  rolesCache.set(text, roles);
  return roles;
}

function roleOf(roles: Roles, index: number, count: number): Role {
  if (roles.last !== null && index === count - 1 && count > roles.first.length) return roles.last;
  return roles.first[index] ?? roles.repeated;
}

/** Notes what one word means in a role. */
export function applyRole(role: Role, word: string, call: Call): void {
  const recursive = call.spec?.recursive ?? false;
  switch (role) {
    case "-":
      return;
    case "r":
      if (word !== "-") call.access("read", word, recursive);
      return;
    case "l":
      return call.access("list", word, recursive);
    case "w":
      if (word !== "-") call.access("write", word);
      return;
    case "d":
      return call.access("destroy", word, true);
    case "h":
      return noteHost(word, call);
    case "x":
      // An action of tar names its kind first.
      call.code(word.replace(/^(?:exec|sleep)=/, ""));
  }
}

/** A name that data gives is a name; data inside a name may be on its way out. */
function noteHost(word: string, call: Call): void {
  if (/^[+@-]/.test(word) && !word.startsWith("@")) return;
  if (isKnown(word)) call.host(word.replace(/^@/, ""));
  else if (word.length > 1) call.signal("network-target", readable(word));
}
