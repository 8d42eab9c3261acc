/**
 * What the walk over a script finds: one finding for each simple command, with
 * everything that rules may ask about it.
 *
 * @module
 */
import type { Span } from "../types.ts";

/** What is done to a path. `list` sees names and metadata, not contents. */
export type AccessKind = "list" | "read" | "write" | "destroy";

/** A path that a command touches. */
export interface Access {
  readonly kind: AccessKind;
  /** As the command has it; may hold marks. */
  readonly word: string;
  /** Absolute and without `..`; may hold marks. */
  readonly path: string;
  /** Whether what lies below is meant too. */
  readonly recursive: boolean;
}

/** Something that the engine recognised, by the names that rules may use. */
export type SignalName =
  | "unknown-program"
  | "unknown-code"
  | "unknown-option"
  | "foreign-code"
  | "network-code"
  | "network-target"
  | "reverse-shell"
  | "fork-bomb"
  | "kill-everything"
  | "world-writable"
  | "environment"
  | "look-alike"
  | "rebound"
  | "privileged"
  | "remote"
  | "back-door"
  | "data-change"
  | "data-destroy"
  | "secret-output"
  | "literal-secret"
  | "sends-data"
  | "disk-write"
  | "syntax-error"
  | "too-complex"
  | "listens";

/** A recognised fact with the piece that shows it. */
export interface Signal {
  readonly name: SignalName;
  readonly detail: string;
}

/** An option as it was given. */
export interface Flag {
  /** As the grammar spells it: `--force`, `-f`. */
  readonly name: string;
  /** Null where it has none. */
  readonly value: string | null;
}

/** One simple command, as far as it is understood. */
export interface Finding {
  /** The command as people should see it. */
  readonly text: string;
  readonly span: Span | null;
  /** The program's base name, or null if there is none or it is unknown. */
  readonly program: string | null;
  /** Whether the program is written plainly, so that an allowance may apply. */
  readonly plain: boolean;
  readonly flags: readonly Flag[];
  /** Options that the grammar doesn't know or marks as not harmless. */
  readonly doubtful: readonly string[];
  /** Words that are neither options nor their values. */
  readonly operands: readonly string[];
  readonly accesses: readonly Access[];
  readonly hosts: readonly string[];
  readonly signals: readonly Signal[];
  /** Whether it may not run at all, so that only a denial of it counts. */
  readonly hypothetical: boolean;
}

/** A finding without anything in it, to be filled. */
export function bareFinding(text: string, span: Span | null, hypothetical = false): Finding {
  return {
    text,
    span,
    program: null,
    plain: true,
    flags: [],
    doubtful: [],
    operands: [],
    accesses: [],
    hosts: [],
    signals: [],
    hypothetical,
  };
}
