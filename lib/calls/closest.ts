/**
 * Which known names someone may have meant.
 *
 * @module
 */

import { distance } from "fastest-levenshtein";

/**
 * The names that are most like a wrong one.
 *
 * @returns At most three, the closest first: those that differ in half of their letters at the
 * most, or of which one holds the other. None for an empty name.
 */
export function closest(wrong: string, names: readonly string[]): string[] {
  if (wrong === "") return [];
  const folded = wrong.toLowerCase();
  const near = (name: string) => distance(folded, name.toLowerCase()) / Math.max(1, name.length);
  return names
    .map((name) => ({ name, far: near(name) }))
    .filter(({ name, far }) => far <= 0.5 || folded.includes(name) || name.includes(folded))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}
