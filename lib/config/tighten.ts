/**
 * Holds the file of a project to what it may do: lower limits, and nothing else. Whoever hands
 * a folder over must not be able to send questions elsewhere or let a run go on for longer.
 *
 * @module
 */

import { ConfigError } from "./config_error.ts";
import { type Found, type Joined, type Layer, originText } from "./origin.ts";
import { FIELDS, SETTINGS, type Values } from "./settings.ts";

function placeOf({ origin }: Found<unknown>) {
  return origin.kind === "file" ? origin.at : null;
}

/** Where people set what a project may not. */
function elsewhere(field: keyof Values): string {
  const { variables: [variable], flag } = SETTINGS[field];
  const places = ["~/.config/rein/config.yaml", variable, flag].filter((place) => place);
  const [last = ""] = places.splice(-1);
  return `Remove it, or set it in ${places.length === 0 ? "" : `${places.join(", ")} or `}${last}.`;
}

function forbidden(field: keyof Values, found: Found<unknown>): ConfigError {
  const message = `A project's file may only lower limits, not set "${SETTINGS[field].key}"`;
  return new ConfigError(message, elsewhere(field), placeOf(found));
}

/** The bound that a limit is; none is above all. */
function bound(value: unknown): number {
  return typeof value === "number" ? value : Infinity;
}

function shown<F extends keyof Values>(field: F, value: Values[F]): string {
  return String(SETTINGS[field].kind.toFile(value) ?? "none");
}

function checkField<F extends keyof Values>(field: F, earlier: Joined, project: Layer): void {
  const found = project.values[field];
  if (found === undefined) return;
  if (!SETTINGS[field].key.startsWith("limits.")) throw forbidden(field, found);
  const before = earlier.values[field];
  if (bound(found.value) <= bound(before.value)) return;
  const message = `A project's file may only lower limits, and ${shown(field, found.value)} of ` +
    `"${SETTINGS[field].key}" is more than ${shown(field, before.value)} ` +
    `(${originText(before.origin)})`;
  throw new ConfigError(message, elsewhere(field), placeOf(found));
}

/**
 * Checks what a project's file says against what holds without it.
 *
 * @throws {ConfigError} If it sets anything but limits, or raises one.
 */
export function checkProject(earlier: Joined, project: Layer): void {
  for (const field of FIELDS) checkField(field, earlier, project);
  for (const table of ["prices", "capabilities", "mcp"] as const) {
    const [found] = Object.values<Found<unknown>>(project[table]);
    if (found === undefined) continue;
    const message = `A project's file may only lower limits, not set "${table}"`;
    const hint = "Remove them, or set them in ~/.config/rein/config.yaml.";
    throw new ConfigError(message, hint, placeOf(found));
  }
}
