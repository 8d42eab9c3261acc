/**
 * What a person at a terminal sees of runs, by what the terminal can do.
 *
 * @module
 */

import stringWidth from "string-width";
import { LiveStatus } from "./live_status.ts";
import { createLiveText } from "./live_text.ts";
import type { Person, PersonOptions, PersonPorts } from "./person.ts";
import { createRenderer, printersOf, type Reader } from "./render.ts";
import { Screen } from "./screen.ts";
import { StepWriter } from "./steps.ts";
import { abilityOf, createStyles } from "./styles.ts";
import { cutToColumns } from "./text_table.ts";

/** Columns that what a call was keeps, however long its result is. */
const MIN_CALL_COLUMNS = 12;

/** Cuts what a call was, so that it stands on one line with what is beside it. */
export function fitCall(what: string, beside: string, columns: number): string {
  return cutToColumns(what, Math.max(MIN_CALL_COLUMNS, columns - 1 - stringWidth(beside)));
}

/** Builds what a person sees runs with; stdout or stderr is a terminal. */
export function atTerminal(
  { output, quiet, verbose = false, schema }: PersonOptions,
  { terminal, env, clock, say }: PersonPorts,
): Person {
  const { stdoutIsTerminal, stderrIsTerminal } = terminal;
  const ability = abilityOf(env);
  const screen = new Screen(terminal);
  const columns = () => screen.size()?.columns ?? 80;
  const fit = (what: string, beside: string) => fitCall(what, beside, columns());
  const styles = createStyles(ability.styles && stderrIsTerminal);
  const look = { styles, fit: stderrIsTerminal ? fit : null, verbose, say };
  const steps = new StepWriter(screen, quiet, look);
  const markdown = { styles: createStyles(ability.styles && stdoutIsTerminal), columns };
  const fitting = schema !== undefined;
  const render = output === "text" && stdoutIsTerminal && !fitting
    ? createLiveText(screen, markdown)
    : createRenderer(output, screen, { fitting });
  const isLive = stderrIsTerminal && ability.cursor && !quiet && output !== "jsonl";
  const live = isLive ? new LiveStatus({ screen, clock, styles, steps, say }) : null;
  const printers = printersOf(output, render, (event) => steps.event(event));
  const readers: readonly Reader[] = live === null
    ? printers
    : [(event) => live.event(event), ...printers];
  return { ability, styles, terminal: screen, steps, readers, live };
}
