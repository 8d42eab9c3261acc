/**
 * The person's side of runs: what they see of them, by what their terminal can do.
 *
 * @module
 */

import type { Ports, Terminal } from "../ports.ts";
import { LiveStatus } from "./live_status.ts";
import { createReasoningWriter } from "./reasoning_writer.ts";
import { createRenderer, type Reader } from "./render.ts";
import type { RunOptions } from "./run_options.ts";
import { Screen } from "./screen.ts";
import { StepWriter } from "./steps.ts";
import { type Ability, abilityOf, createStyles, type Styles } from "./styles.ts";

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

/** Who prints, where it is shown as well what the model thinks. */
export function readersOf(
  { readers, terminal, styles }: Person,
  { reasoning }: { readonly reasoning: boolean },
): readonly Reader[] {
  // Thoughts end their line before anything else is written.
  return reasoning ? [createReasoningWriter(terminal, styles.enabled), ...readers] : readers;
}

/** Builds what a person sees runs with. */
export function createPerson(
  { output, quiet, verbose = false }: Pick<RunOptions, "output" | "quiet" | "verbose">,
  ports: Pick<Ports, "terminal" | "env" | "clock">,
): Person {
  const { terminal, env, clock } = ports;
  const { stdoutIsTerminal, stderrIsTerminal } = terminal;
  const ability = stderrIsTerminal || stdoutIsTerminal
    ? abilityOf(env)
    : { cursor: false, styles: false };
  const screen = new Screen(terminal);
  const columns = () => screen.size()?.columns ?? 80;
  const styles = createStyles(ability.styles && stderrIsTerminal);
  const look = { styles, columns: stderrIsTerminal ? columns : null, verbose };
  const steps = new StepWriter(screen, quiet, look);
  const markdown = { styles: createStyles(ability.styles && stdoutIsTerminal), columns };
  const render = createRenderer(output, screen, markdown);
  const isLive = stderrIsTerminal && ability.cursor && !quiet && output !== "jsonl";
  const live = isLive ? new LiveStatus({ screen, clock, styles }) : null;
  // With JSON lines the events themselves tell of the steps.
  const telling: Reader = (event) => steps.event(event);
  const printing = output === "jsonl" ? [render] : [render, telling];
  const readers: Reader[] = live === null ? printing : [(event) => live.event(event), ...printing];
  return { ability, styles, terminal: screen, steps, readers, live };
}
