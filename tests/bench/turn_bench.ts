/**
 * Turns: the client's own time from the end of one response to the next
 * request, a trivial command included.
 *
 * @module
 */

import { type Bench, interleaved, median, type Row } from "./_bench.ts";
import { questionTo, runSession, type Script } from "./_session.ts";

const RUNS = 8;

const ROUNDS = 50;

/** Quicker than any model; long enough to get ready for the first call meanwhile. */
const THINK_MS = 100;

/** A part of a run: turns from one to another, counted from 1. */
type Part = readonly [name: string, from: number, to: number];

const PARTS: readonly Part[] = [
  [`1 to ${ROUNDS}`, 1, ROUNDS],
  ["1", 1, 1],
  ["2 to 11", 2, 11],
  [`${ROUNDS - 9} to ${ROUNDS}`, ROUNDS - 9, ROUNDS],
];

/** The turns of all runs of each program, a list a run. */
interface Turns {
  readonly rein: number[][];
  readonly bareLoop: number[][];
}

/** Of the quietest run: other work on the machine only ever adds. */
function rowsOf(turns: Turns, model: string): Row[] {
  const quietest = (runs: readonly number[][], [, from, to]: Part) =>
    Math.min(...runs.map((run) => median(run.slice(from - 1, to))));
  return PARTS.map((part) => ({
    what: `turn ${part[0]}, ${model}`,
    unit: "ms",
    value: quietest(turns.rein, part),
    reference: quietest(turns.bareLoop, part),
    aim: { of: "value", most: 5 },
  }));
}

/** Measures one kind of model. */
async function measure(
  programs: Parameters<Bench>[0],
  script: Script,
  runs: number,
): Promise<Turns> {
  const turns: Turns = { rein: [], bareLoop: [] };
  const session = async (name: keyof Turns, argsFor: (baseUrl: string) => string[]) => {
    const { turnsMs, totalMs } = await runSession(programs[name], argsFor, script);
    turns[name].push([...turnsMs]);
    return totalMs;
  };
  await interleaved(runs, {
    bareLoop: () => session("bareLoop", (baseUrl) => [baseUrl]),
    rein: () => session("rein", questionTo),
  });
  return turns;
}

/** Measures against the bare loop, with a model that answers at once and one that thinks. */
export const turnBench: Bench = async (programs) => {
  const atOnce = await measure(programs, { rounds: ROUNDS, thinkMs: 0 }, RUNS);
  const thinking = await measure(programs, { rounds: ROUNDS, thinkMs: THINK_MS }, 2);
  return [
    ...rowsOf(atOnce, "model answers at once"),
    ...rowsOf(thinking, `model thinks ${THINK_MS} ms`),
  ];
};
