/**
 * Joins what several sources say: rules add up, defaults only tighten.
 *
 * @module
 */
import type { TextLimits } from "../results/text_limits.ts";
import type { Decision, Effect } from "../types.ts";
import { joinAudit } from "./audit.ts";
import type { SourceContent } from "./read_source.ts";
import { joinWalls } from "./walls.ts";
import { type Default, type Layer, LAYERS, type Policy } from "./types.ts";

const ORDER: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two decisions. */
export function stricter(first: Decision, second: Decision): Decision {
  return ORDER[first] >= ORDER[second] ? first : second;
}

/** Compares decisions, strictest first. */
export function byStrictness(first: Decision, second: Decision): number {
  return ORDER[second] - ORDER[first];
}

/** Whether the word of a layer overrides something that an earlier layer said. */
export function mayLoosen(
  layer: Layer,
  target: { readonly layer: Layer; readonly loosenedBy: readonly Layer[] },
): boolean {
  // Whoever can put a file into the working directory is not thereby trusted.
  return layer !== "project" && target.loosenedBy.includes(layer);
}

/** Whether a layer comes after another. */
export function isLater(layer: Layer, other: Layer): boolean {
  return LAYERS.indexOf(layer) > LAYERS.indexOf(other);
}

const EFFECTS: readonly Effect[] = ["read", "write", "execute", "network", "delegate"];
const CLOSED: Default = { decision: "ask", loosenedBy: [], source: "rein", layer: "built-in" };

/** Joins sources in the order of their layers. */
export function joinPolicies(contents: readonly SourceContent[]): Policy {
  const defaults = Object.fromEntries(
    EFFECTS.map((effect) => [effect, joinDefault(effect, contents)]),
  ) as Record<Effect, Default>;
  const walls = joinWalls(contents.map((content) => content.walls));
  const limits = contents.reduce<TextLimits>((sum, content) => joinLimits(sum, content.limits), {});
  const audit = joinAudit(
    contents.map(({ source: { layer }, audit }) => ({ layer, terms: audit })),
  );
  return { rules: contents.flatMap(({ rules }) => rules), defaults, walls, limits, audit };
}

/** The later word on a field holds: how much is shown is a matter of taste, not of safety. */
function joinLimits(first: TextLimits, second: TextLimits): TextLimits {
  const tools = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...tools].map((tool) => [tool, { ...first[tool], ...second[tool] }]));
}

function joinDefault(effect: Effect, contents: readonly SourceContent[]): Default {
  let joined: Default | null = null;
  for (const { source, defaults, loosenedBy } of contents) {
    const decision = defaults[effect];
    if (decision === undefined) continue;
    const next: Default = { decision, loosenedBy, source: source.name, layer: source.layer };
    const stays = joined !== null && stricter(joined.decision, decision) === joined.decision &&
      !mayLoosen(source.layer, joined);
    if (!stays) joined = next;
  }
  return joined ?? CLOSED;
}
