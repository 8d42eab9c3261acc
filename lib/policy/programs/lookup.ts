/**
 * Finds the grammar of a program by its name.
 *
 * @module
 */
import type { ProgramSpec } from "./grammar.ts";
import { PURE } from "./pure.ts";
import { CLOUD } from "./tables/cloud.ts";
import { CONTAINERS } from "./tables/containers.ts";
import { DATA } from "./tables/data.ts";
import { DEVELOPMENT } from "./tables/development.ts";
import { FILES } from "./tables/files.ts";
import { GIT } from "./tables/git.ts";
import { NETWORK } from "./tables/network.ts";
import { PACKAGES } from "./tables/packages.ts";
import { PROCESSES } from "./tables/processes.ts";
import { SHELL } from "./tables/shell.ts";
import { SYSTEM } from "./tables/system.ts";
import { TEXT } from "./tables/text.ts";
import { WRAPPERS } from "./tables/wrappers.ts";

/** Programs whose words are texts, patterns and files, never commands. */
const INERT: readonly (readonly ProgramSpec[])[] = [SHELL, TEXT, FILES];
/** Programs that may run code given in one of their words. */
const OPAQUE: readonly (readonly ProgramSpec[])[] = [DEVELOPMENT, PACKAGES, CLOUD];
const OTHERS: readonly (readonly ProgramSpec[])[] = [
  ...[PROCESSES, SYSTEM, NETWORK, WRAPPERS, GIT, CONTAINERS, DATA],
];

let index: ReadonlyMap<string, ProgramSpec> | null = null;

function specs(): ReadonlyMap<string, ProgramSpec> {
  index ??= new Map([
    ...INERT.flat().map((spec) => ({ inert: true, ...spec })),
    ...OPAQUE.flat().map((spec) => ({ opaque: true, ...spec })),
    ...OTHERS.flat(),
  ].flatMap((spec) => spec.names.split(" ").map((name) => [name, admitPure(name, spec)] as const)));
  return index;
}

function admitPure(name: string, spec: ProgramSpec): ProgramSpec {
  return PURE.has(name) ? { ...spec, options: `${spec.options ?? ""} * **` } : spec;
}

/** Versioned names such as `python3.12` are read as the program itself. */
const VERSION = /^(python|pypy|perl|ruby|php|node|lua|gcc|g\+\+|clang|java|mkfs|fsck)[-.\d]*\d$/;

/** The grammar of a program by its base name, or null if there is none. */
export function programSpec(name: string): ProgramSpec | null {
  const known = specs().get(name);
  if (known !== undefined) return known;
  const family = VERSION.exec(name)?.[1] ?? /^(mkfs|fsck)\./.exec(name)?.[1];
  return family === undefined ? null : specs().get(family) ?? null;
}

/** Every name that has a grammar, with it. */
export function programNames(): ReadonlyMap<string, ProgramSpec> {
  return specs();
}
