/**
 * Associative arrays: elements are kept in the state each under a name of its
 * own, `array[key]`, beside a list of the keys.
 *
 * @module
 */
import { ANY, isKnown } from "../marks.ts";
import type { Expansion } from "./expansion.ts";
import type { ShellState, Value } from "./state.ts";
import { pick, valueOf } from "./variables.ts";

function keysName(array: string): string {
  return `keys of ${array}`;
}

/** Every key that an associative array may have; null if it is none or not known. */
export function keysOf(array: string, state: ShellState): readonly string[] | null {
  const known = state.alternatives(keysName(array));
  if (known.length === 0) return null;
  const keys = [...new Set(known.flat())];
  return keys.includes(ANY) ? null : keys;
}

/** Makes a name an associative array, empty unless it is one. */
export function declareKeys(array: string, state: ShellState): void {
  if (state.alternatives(keysName(array)).length === 0) state.set(keysName(array), []);
}

/** Forgets what an array holds, as when it is changed in a way that isn't followed. */
export function forgetKeys(array: string, state: ShellState): void {
  if (state.alternatives(keysName(array)).length > 0) state.set(keysName(array), [ANY]);
}

/** Empties an associative array. */
export function clearKeys(array: string, state: ShellState): void {
  if (state.alternatives(keysName(array)).length > 0) state.set(keysName(array), []);
}

/** Sets one element; an unknown key may be any. */
export function setElement(
  array: string,
  [key, value]: readonly [key: string, value: string],
  state: ShellState,
): void {
  const keys = keysOf(array, state);
  if (keys === null) return;
  if (!isKnown(key)) return state.set(keysName(array), [ANY]);
  state.set(`${array}[${key}]`, [value]);
  if (!keys.includes(key)) state.set(keysName(array), [...keys, key]);
  const all = [...keys, ...keys.includes(key) ? [] : [key]];
  state.set(array, all.map((one) => state.alternatives(`${array}[${one}]`)[0]?.[0] ?? ""));
}

/** The value of one element, or null if the array isn't associative or not known. */
export function elementOf(array: string, key: string, run: Expansion): Value | null {
  const keys = keysOf(array, run.state);
  if (keys === null) return null;
  if (isKnown(key)) return keys.includes(key) ? valueOf(`${array}[${key}]`, run) : [""];
  const all = keys.flatMap((one) => run.state.alternatives(`${array}[${one}]`));
  return all.length === 0 ? [""] : pick(`element of ${array}`, all, run);
}

/** An element with its subscript, such as `[key]=value`; null if it has none. */
export function subscripted(element: string): readonly [key: string, value: string] | null {
  const found = /^\[([^\]]*)\]=(.*)$/s.exec(element);
  return found ? [found[1] ?? "", found[2] ?? ""] : null;
}

/** The elements of an array in the order of their subscripts, as far as these are numbers. */
export function placed(elements: readonly string[]): string[] | null {
  const all: string[] = [];
  for (const element of elements) {
    const pair = subscripted(element);
    if (pair === null) all.push(element);
    else if (!/^\d{1,3}$/.test(pair[0])) return null;
    else {
      const at = Number(pair[0]);
      while (all.length < at) all.push("");
      all[at] = pair[1];
    }
  }
  return all;
}
