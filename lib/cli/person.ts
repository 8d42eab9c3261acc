/**
 * The person's side of runs: what they see of them. Where nobody is at a terminal, little is needed,
 * and what terminals need is not loaded.
 *
 * @module
 */

import type { Ports, Terminal } from "../ports.ts";
import type { LiveStatus } from "./live_status.ts";
import { createReasoningWriter } from "./reasoning_writer.ts";
import { createRenderer, printersOf, type Reader } from "./render.ts";
import type { RunOptions } from "./run_options.ts";
import { StepWriter } from "./steps.ts";
import { type Ability, createStyles, type Styles } from "./styles.ts";

/** What a person sees runs with. */
export interface Person {
  readonly ability: Ability;
  /** Of stderr. */
  readonly styles: Styles;
  /** The terminal, where a status area is erased before anything is printed. */
  readonly terminal: Terminal;
  readonly steps: StepWriter;
  /** Who prints. */
  readonly readers: readonly Reader[];
  /** What goes on now; null where that can't be shown. */
  readonly live: LiveStatus | null;
}

/** How runs are to be shown. */
export type PersonOptions = Pick<RunOptions, "output" | "quiet" | "verbose" | "schema">;

/** What showing them takes. */
export type PersonPorts = Pick<Ports, "terminal" | "env" | "clock" | "say">;

/** Who prints, where it is shown as well what the model thinks. */
export function readersOf(
  { readers, terminal, styles }: Person,
  { reasoning }: { readonly reasoning: boolean },
): readonly Reader[] {
  // Thoughts end their line before anything else is written.
  return reasoning ? [createReasoningWriter(terminal, styles.enabled), ...readers] : readers;
}

/** Builds what a person sees runs with. */
export async function createPerson(options: PersonOptions, ports: PersonPorts): Promise<Person> {
  const { terminal, say } = ports;
  const { output, quiet, verbose = false, schema } = options;
  if (terminal.stdoutIsTerminal || terminal.stderrIsTerminal) {
    const { atTerminal } = await import("./at_terminal.ts");
    return atTerminal(options, ports);
  }
  const styles = createStyles(false);
  const steps = new StepWriter(terminal, quiet, { styles, fit: null, verbose, say });
  const readers = printersOf(
    output,
    createRenderer(output, terminal, { fitting: schema !== undefined }),
    (event) => steps.event(event),
  );
  const ability = { cursor: false, styles: false };
  return { ability, styles, terminal, steps, readers, live: null };
}
