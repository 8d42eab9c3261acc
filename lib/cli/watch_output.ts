/**
 * Seeing what a program prints while it runs.
 *
 * @module
 */

import type { Results } from "../results/results.ts";

/**
 * Wraps the results of a run.
 *
 * @param onOutput Is told every piece that a program printed, as it comes and as it is.
 */
export function watchOutput(
  results: Results,
  onOutput: (piece: Uint8Array | string) => void,
): Results {
  return {
    ...results,
    collect: (request) => {
      const collector = results.collect(request);
      if (!request.raw) return collector;
      return {
        push: (piece) => {
          onOutput(piece);
          collector.push(piece);
        },
        finish: () => collector.finish(),
      };
    },
  };
}
