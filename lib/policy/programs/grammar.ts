/**
 * How programs read their words: option grammars, written compactly.
 *
 * An option list is words apart by spaces. `-abc` are three short options,
 * `-k:` takes a value, `-i?` may take one that is glued to it, `-abk:` likewise for its last
 * letter; `--long`,
 * `--long=` and `--long?` likewise; `-#` is a number such as `-5`. What stands
 * after `:`, `=` or `?` is the value's role; `!` in front marks an option that
 * is known but not harmless; `*` admits every other option, `**` unknown ones too.
 *
 * @module
 */

/**
 * What a word is to a program: `r` a file that is read, `l` one of which names
 * or metadata are seen, `w` one that is written, `d` one that is destroyed,
 * `h` a host or address, `x` a shell command, `-` none of these.
 */
export type Role = "r" | "l" | "w" | "d" | "h" | "x" | "-";

/** How one option is written and what it does. */
export interface OptionSpec {
  readonly name: string;
  readonly value: "none" | "required" | "optional";
  readonly role: Role;
  readonly harmless: boolean;
}

/**
 * How options look: `gnu` mixes them with operands, `posix` ends them at the
 * first operand, `single` writes long names with one dash, `bare` may leave out
 * the first dash (`ps aux`), `none` has no options at all.
 */
export type OptionStyle = "gnu" | "posix" | "single" | "bare" | "none";

/** One program, or several that read their words alike. */
export interface ProgramSpec {
  /** Names apart by spaces. */
  readonly names: string;
  readonly style?: OptionStyle;
  readonly options?: string;
  /** Options that stand before the subcommand, where they mean other things. */
  readonly globals?: string;
  /** Roles of operands in order, the last repeated after `*`: `- r*`, `r* w`. */
  readonly operands?: string;
  /** Options that belong to a subcommand, which is its first operands. */
  readonly subcommands?: Readonly<Record<string, SubcommandSpec>>;
  /** Options that stand in for the first operand, such as `grep -e`. */
  readonly insteadOfFirst?: string;
  /** Whether directories are entered. */
  readonly recursive?: boolean;
  /** Whether words that look like commands never are. */
  readonly inert?: boolean;
  /** Whether a word may be code in a way that isn't known. */
  readonly opaque?: boolean;
  /** Names of further analyses, done in turn. */
  readonly analyze?: string;
  /** Operands before the command that it runs; not set if it runs none. */
  readonly runs?: number;
}

/** What a subcommand adds. */
export interface SubcommandSpec {
  readonly options?: string;
  readonly operands?: string;
}

/** The options of a grammar, by name. */
export type OptionTable = ReadonlyMap<string, OptionSpec>;

const cache = new Map<string, OptionTable>();

/** Reads an option list. */
export function optionTable(text: string, style: OptionStyle): OptionTable {
  const key = `${style} ${text}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const table = new Map<string, OptionSpec>();
  for (const token of text.split(/\s+/)) {
    for (const option of readToken(token, style)) table.set(option.name, option);
  }
  cache.set(key, table);
  return table;
}

const TOKEN = /^(!?)(-{0,2}[^:=?]*)([:=?]?)([rlwdhx-]?)$/;

function readToken(token: string, style: OptionStyle): OptionSpec[] {
  const found = TOKEN.exec(token);
  const name = found?.[2] ?? "";
  if (!found || name === "") return [];
  const harmless = found[1] === "";
  const mark = found[3] ?? "";
  const value = mark === "" ? "none" : mark === "?" ? "optional" : "required";
  const role = (found[4] || "-") as Role;
  const isCluster = name.startsWith("-") && !name.startsWith("--") && style !== "single";
  if (!isCluster) return [{ name, value, role, harmless }];
  const letters = [...name.slice(1)];
  return letters.map((letter, index) =>
    index === letters.length - 1
      ? { name: `-${letter}`, value, role, harmless }
      : { name: `-${letter}`, value: "none", role: "-", harmless }
  );
}
