/**
 * What a shell knows at one place in a script: variables, functions, aliases,
 * the working directory. Forking is cheap, and branches join to alternatives.
 *
 * @module
 */
import type { Function as FunctionNode } from "unbash";
import { ANY } from "../marks.ts";

/** A variable's value: the elements of an array, or one element. */
export type Value = readonly string[];

/** More alternatives than this are one unknown. */
const MAX_ALTERNATIVES = 8;

/** The name under which the state keeps the working directory; no variable is called so. */
export const CWD = "working directory";

/** What other shells take over as it is; the rest they have only if it was exported. */
const INHERITED: ReadonlySet<string> = new Set([CWD, "HOME"]);

/** A function's body, and the text that its positions refer to. */
export interface FunctionBody {
  readonly node: FunctionNode["body"];
  readonly source: Source;
  /** Whether it is defined in any case. */
  readonly certain: boolean;
}

/** A text that nodes were parsed from. */
export interface Source {
  readonly text: string;
  /** Whether its positions are positions of the judged text. */
  readonly original: boolean;
}

/** The state of a shell, as far as it is known. */
export class ShellState {
  readonly #parent: ShellState | null;
  readonly #variables = new Map<string, readonly Value[]>();
  readonly #functions = new Map<string, FunctionBody>();
  readonly #aliases = new Map<string, string>();
  /** Positional parameters; null where they are unknown. */
  positional: readonly string[] | null;

  private constructor(parent: ShellState | null, readonly isChild = false) {
    this.#parent = parent;
    this.positional = parent?.positional ?? null;
  }

  /** The state at the start of a script. */
  static initial(cwd: string): ShellState {
    const state = new ShellState(null);
    state.set(CWD, [cwd]);
    return state;
  }

  /** The state of another shell that this one starts. */
  child(): ShellState {
    return new ShellState(this, true);
  }

  /** A state that starts as this one and changes apart from it. */
  fork(): ShellState {
    return new ShellState(this);
  }

  /** Takes over what may have changed in the forks, of which at most one ran. */
  join(forks: readonly ShellState[], mayBeNone: boolean): void {
    const names = new Set(forks.flatMap((fork) => [...fork.#variables.keys()]));
    for (const name of names) {
      const known = this.alternatives(name);
      const before = known.length > 0 ? known : [[ANY]];
      const seen = forks.flatMap((fork) => fork.#variables.get(name) ?? before);
      this.#variables.set(name, distinct(mayBeNone ? [...seen, ...before] : seen));
    }
    for (const fork of forks) {
      for (const [name, body] of fork.#functions) {
        this.#functions.set(name, { ...body, certain: false });
      }
      for (const [name, text] of fork.#aliases) this.#aliases.set(name, text);
    }
  }

  /** Every value that a variable may have; empty if the script never set it. */
  alternatives(name: string): readonly Value[] {
    const own = this.#variables.get(name);
    if (own !== undefined || this.#parent === null) return own ?? [];
    const before = this.#parent.alternatives(name);
    if (!this.isChild || INHERITED.has(name) || before.length === 0) return before;
    return name === "IFS" ? [] : distinct([...before, [ANY]]);
  }

  /** Sets a variable to one known value. */
  set(name: string, value: Value): void {
    this.#variables.set(name, [value]);
  }

  /** Sets a variable to one of several values. */
  setAlternatives(name: string, values: readonly Value[]): void {
    this.#variables.set(name, distinct(values));
  }

  /** The body of a function, or null. */
  function(name: string): FunctionBody | null {
    return this.#functions.get(name) ??
      (this.isChild ? null : this.#parent?.function(name) ?? null);
  }

  /** Defines a function. */
  define(name: string, body: FunctionBody): void {
    this.#functions.set(name, body);
  }

  /** The text of an alias, or null. */
  alias(name: string): string | null {
    return this.#aliases.get(name) ?? (this.isChild ? null : this.#parent?.alias(name) ?? null);
  }

  /** Defines an alias. */
  setAlias(name: string, text: string): void {
    this.#aliases.set(name, text);
  }
}

function distinct(values: readonly Value[]): readonly Value[] {
  const seen = new Map(values.map((value) => [value.join("\u0000"), value]));
  return seen.size > MAX_ALTERNATIVES
    ? [...[...seen.values()].slice(0, 7), [ANY]]
    : [...seen.values()];
}
