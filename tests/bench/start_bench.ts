/**
 * Starting: the version, an answer without tools, the first request, memory.
 *
 * @module
 */

import { ended, type Program, start } from "../e2e/_program.ts";
import { type Bench, interleaved, median, type Programs, type Row } from "./_bench.ts";
import { peakMemory } from "./_memory.ts";
import { questionTo, runSession, startScript } from "./_session.ts";

const TIMED_RUNS = 25;

const MEMORY_RUNS = 5;

const AT_ONCE = { rounds: 0, thinkMs: 0 };

async function timed(program: Program, args: readonly string[]): Promise<number> {
  const startMs = performance.now();
  await ended(start(program, args));
  return performance.now() - startMs;
}

async function times({ rein, empty }: Programs): Promise<Row[]> {
  const first: number[] = [];
  const answer = async () => {
    const session = await runSession(rein, questionTo, AT_ONCE);
    first.push(session.firstRequestMs);
    return session.totalMs;
  };
  const kinds = {
    empty: () => timed(empty, []),
    version: () => timed(rein, ["--version"]),
    answer,
  };
  const values = await interleaved(TIMED_RUNS, kinds);
  const row = (what: string, of: readonly number[], most: number | null): Row[] => {
    const aim = most === null ? null : { of: "ratio", most } as const;
    const least = (ms: readonly number[]) => Math.min(...ms);
    return [
      {
        what: `${what}, median`,
        unit: "ms",
        value: median(of),
        reference: median(values.empty),
        aim,
      },
      {
        what: `${what}, minimum`,
        unit: "ms",
        value: least(of),
        reference: least(values.empty),
        aim,
      },
    ];
  };
  return [
    ...row("--version", values.version, 1.5),
    ...row("start to first request", first, 4),
    ...row("answer without tools", values.answer, null),
  ];
}

async function memory({ rein, empty }: Programs): Promise<Row[]> {
  const server = startScript(AT_ONCE);
  const values = await interleaved(MEMORY_RUNS, {
    empty: () => peakMemory(empty, []),
    version: () => peakMemory(rein, ["--version"]),
    answer: () => peakMemory(rein, questionTo(server.baseUrl)),
  });
  await server.close();
  const row = (what: string, of: readonly number[]): Row => ({
    what: `peak memory, ${what}`,
    unit: "MB",
    value: median(of),
    reference: median(values.empty),
    aim: { of: "ratio", most: 2 },
  });
  return [row("--version", values.version), row("answer without tools", values.answer)];
}

/** Measures against the empty program. */
export const startBench: Bench = async (programs) => [
  ...await times(programs),
  ...await memory(programs),
];
