/**
 * Measures `log_stats` against the fastest pipelines of grep, mawk and sort
 * that compute the same counts, on a generated access log, and holds it to
 * the bounds of its issue: twice the time, and 150 MB.
 *
 *     deno run -P=tests tests/bench/log_stats_bench.ts [megabytes] [--compiled]
 *
 * 100 MB if it is not said; the bound on the time holds from 500 MB on. Exits
 * with 1 if counts differ or a bound is missed.
 *
 * @module
 */

import { generateLog } from "../../demo/log.ts";
import type { LogStatsArgs } from "../../tools/log_stats/query.ts";

const MAX_RATIO = 2;
const MAX_PEAK_MB = 150;

/** With less, the time is that of compiling and not of counting: no ratio is held to its bound. */
const LEAST_MEGABYTES = 500;

/** Each is measured this often; the fastest counts, since others use the machine too. */
const RUNS = 3;

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1);
const ENDPOINT = String.raw`sub(/\?.*/,"",$7); gsub(/\/[0-9]+/,"/:id",$7); k=substr($6,2)" "$7`;
const PRINT = `END{for(k in c)print c[k]"\\t"k}`;

/** One question, and pipelines that answer it; `$LOG` is the file, `$DAY` its last day. */
interface Question {
  readonly name: string;
  readonly args: Omit<LogStatsArgs, "paths">;
  /** Each prints a count, a tab and a key a line. */
  readonly pipelines: readonly string[];
  /** Whether the counts are the same: awk normalises less, and takes malformed requests apart. */
  readonly compares: boolean;
  /** Whether the pipeline does as much, so that the bound holds. */
  readonly isBounded: boolean;
}

const QUESTIONS: readonly Question[] = [
  {
    name: "entries by status",
    args: { group_by: ["status"] },
    pipelines: [`mawk '{c[$9]++} ${PRINT}' $LOG`],
    compares: false,
    isBounded: true,
  },
  {
    name: "5xx by endpoint",
    args: { status: "5xx", group_by: ["endpoint"], normalize: true },
    pipelines: [
      `mawk '$9~/^5/ {${ENDPOINT}; c[k]++} ${PRINT}' $LOG`,
      `grep -E '" 5[0-9][0-9] ' $LOG | mawk '{${ENDPOINT}; c[k]++} ${PRINT}'`,
    ],
    compares: true,
    isBounded: true,
  },
  {
    name: "5xx by endpoint, last hour and the hour before",
    args: { status: "5xx", group_by: ["endpoint"], normalize: true, last: "1h" },
    pipelines: [
      `mawk -v d='[$DAY:' '$9~/^5/ && index($4,d)==1 && $4>d"12:41:59" {${ENDPOINT}; ` +
      `if($4>d"13:41:59")c[k]++;else b[k]++} ${PRINT}' $LOG`,
    ],
    compares: true,
    isBounded: true,
  },
  {
    name: "a text, by status class",
    args: { text: "checkout", group_by: ["status_class"] },
    pipelines: [`grep -i checkout $LOG | mawk '{c[substr($9,1,1)"xx"]++} ${PRINT}'`],
    compares: false,
    // grep sees only lines that match: it counts neither those read nor their times.
    isBounded: false,
  },
  {
    name: "all by endpoint",
    args: { group_by: ["endpoint"], normalize: true, top: 60 },
    pipelines: [`mawk '{${ENDPOINT}; c[k]++} ${PRINT}' $LOG`],
    compares: false,
    isBounded: true,
  },
  {
    name: "percentiles of the duration by endpoint",
    args: { group_by: ["endpoint"], normalize: true, percentiles_of: "duration" },
    pipelines: [
      `mawk '{${ENDPOINT}; print k"\\t"$NF}' $LOG | sort -t'\t' -k1,1 -k2,2n -S 200M | ` +
      `mawk -F'\t' 'function p(q){return v[int(q*n+0.999999)]} ` +
      `$1!=k{if(n)print n"\\t"k,p(.5),p(.9),p(.99); n=0; k=$1} {v[++n]=$2} ` +
      `END{print n"\\t"k,p(.5),p(.9),p(.99)}'`,
    ],
    compares: false,
    isBounded: true,
  },
];

/** The demo's log, again and again, each time on the next day; returns the last day. */
async function writeLog(path: string, bytes: number): Promise<string> {
  const demo = generateLog();
  const file = await Deno.open(path, { write: true, create: true });
  const writer = file.writable.getWriter();
  let day = "";
  for (let written = 0, days = 0; written < bytes; written += demo.length, days++) {
    const date = new Date(FIRST_DAY_MS + days * DAY_MS).toUTCString();
    day = date.slice(5, 16).replaceAll(" ", "/");
    await writer.write(new TextEncoder().encode(demo.replaceAll("10/Mar/2026", day)));
  }
  await writer.close();
  return day;
}

async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const command = new Deno.Command(program, { args: [...args], env, stderr: "inherit" });
  const started = performance.now();
  const { stdout, success } = await command.output();
  if (!success) throw new Error(`${program} ${args.join(" ")} failed`);
  return { ms: performance.now() - started, text: new TextDecoder().decode(stdout) };
}

interface Measured {
  readonly ms: number;
  readonly peakMb: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** How the tool is started: by the runtime, or compiled. */
type Start = readonly [program: string, ...args: string[]];

const ONCE = new URL("./_log_stats_once.ts", import.meta.url).pathname;

async function compile(directory: string): Promise<Start> {
  const output = `${directory}/log_stats_once`;
  const flags = ["--quiet", "-A", "--bundle", "--minify", "--output", output];
  await run(Deno.execPath(), ["compile", ...flags, ONCE]);
  return [output];
}

async function measureTool([program, ...first]: Start, args: LogStatsArgs): Promise<Measured> {
  const { text } = await run(program, [...first, JSON.stringify(args)]);
  const { ms, peakMb, outcome } = JSON.parse(text);
  const keys = args.group_by?.length ?? 0;
  const rows: readonly (readonly (string | number)[])[] = outcome.data.rows;
  const counts = rows.map((row) => [row.slice(0, keys).join(" "), Number(row[keys])] as const);
  return { ms, peakMb, counts: new Map(counts) };
}

async function measurePipeline(pipeline: string, env: Record<string, string>): Promise<Measured> {
  const shell = pipeline.replaceAll("$DAY", env["DAY"] ?? "");
  const { ms, text } = await run("sh", ["-c", shell], { ...env, LC_ALL: "C" });
  const lines = text.trimEnd().split("\n").map((line) => line.split("\t"));
  return { ms, peakMb: NaN, counts: new Map(lines.map(([n, key]) => [key ?? "", Number(n)])) };
}

async function fastest(measure: () => Promise<Measured>): Promise<Measured> {
  let best = await measure();
  for (let i = 1; i < RUNS; i++) {
    const next = await measure();
    const peakMb = Math.max(best.peakMb, next.peakMb);
    best = { ...(next.ms < best.ms ? next : best), peakMb };
  }
  return best;
}

function sameCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  const sorted = (counts: ReadonlyMap<string, number>) =>
    JSON.stringify([...counts].toSorted(([x], [y]) => x < y ? -1 : 1));
  return sorted(a) === sorted(b);
}

/** Measures one question and prints a line; returns what is wrong. */
async function ask(question: Question, start: Start, env: Record<string, string>) {
  const isLarge = Number(env["MEGABYTES"]) >= LEAST_MEGABYTES;
  const { name, args, pipelines, compares, isBounded } = question;
  const tool = await fastest(() => measureTool(start, { paths: [env["LOG"] ?? ""], ...args }));
  const others = [];
  for (const pipeline of pipelines) {
    others.push(await fastest(() => measurePipeline(pipeline, env)));
  }
  const other = others.toSorted((a, b) => a.ms - b.ms)[0] ?? tool;
  const ratio = tool.ms / other.ms;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`.padStart(8);
  const peak = `${tool.peakMb.toFixed(0)} MB`.padStart(7);
  console.log(`${seconds(tool.ms)} ${peak} ${seconds(other.ms)} ${ratio.toFixed(2)}  ${name}`);
  return [
    ...(compares && !sameCounts(tool.counts, other.counts) ? [`${name}: counts differ`] : []),
    ...(isBounded && isLarge && ratio > MAX_RATIO
      ? [`${name}: ${ratio.toFixed(2)} times the pipeline's time`]
      : []),
    ...(tool.peakMb > MAX_PEAK_MB ? [`${name}: ${tool.peakMb.toFixed(0)} MB`] : []),
  ];
}

async function main(): Promise<number> {
  const megabytes = Number(Deno.args.find((arg) => /^\d+$/.test(arg)) ?? 100);
  const directory = await Deno.makeTempDir({ prefix: "rein-bench-" });
  try {
    const log = `${directory}/access.log`;
    const day = await writeLog(log, megabytes * 1e6);
    const start: Start = Deno.args.includes("--compiled")
      ? await compile(directory)
      : [Deno.execPath(), "run", "--quiet", "-A", ONCE];
    console.log(`${megabytes} MB\n    tool  memory pipeline ratio`);
    const env = { LOG: log, DAY: day, MEGABYTES: String(megabytes) };
    const wrong = [];
    for (const question of QUESTIONS) {
      wrong.push(...await ask(question, start, env));
    }
    for (const line of wrong) console.error(line);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main());
