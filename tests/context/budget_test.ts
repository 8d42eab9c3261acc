import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { answerTokens, budgetOf } from "../../lib/context/budget.ts";

const windowAndFixed = fc.tuple(
  fc.integer({ min: 2000, max: 1_000_000 }),
  fc.integer({ min: 0, max: 100_000 }),
);

Deno.test("answerTokens() is a tenth of the window, and up to a fifth of a small one", () => {
  assertEquals([2000, 8000, 16_000, 128_000, 1_000_000].map(answerTokens), [
    400,
    1600,
    2000,
    12_800,
    100_000,
  ]);
});

Deno.test("budgetOf() shares out 8,000 tokens", () => {
  assertEquals(budgetOf(8000, 1400), {
    window: 8000,
    most: 7200,
    highWater: 6400,
    lowWater: 4100,
    facts: 800,
    digests: 400,
    recent: 1500,
    round: 2000,
    progress: 400,
  });
});

Deno.test("budgetOf() leaves a tenth of any window for the answer, and room above the low water", () => {
  fc.assert(fc.property(windowAndFixed, ([window, fixed]) => {
    const { most, highWater, lowWater, facts, digests, recent, round } = budgetOf(window, fixed);
    assert(most <= 0.9 * window && highWater <= most && lowWater <= highWater);
    assert([facts, digests, recent, round].every((share) => share >= 0));
    const room = highWater - fixed;
    if (room > 0) assert(highWater - lowWater >= 0.45 * room - 4);
    if (fixed < most) assert(fixed + facts + digests + round <= most);
  }));
});

Deno.test("budgetOf() gives nothing away where the fixed part fills the window", () => {
  const { facts, digests, recent, round } = budgetOf(4000, 5000);
  assertEquals([facts, digests, recent, round], [0, 0, 0, 0]);
});
