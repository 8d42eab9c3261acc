/**
 * `deno run -P=tests tests/bench/results_bench.ts`: how fast outputs go
 * through the result pipeline, and how much memory that takes.
 *
 * Each kind of output is made once, 8 MB of it, and pushed again and again in
 * pieces as pipes bring them; nothing of the whole is held.
 *
 * @module
 */

import { cpuUsage } from "node:process";
import { realSpills } from "../../lib/real/spills.ts";
import { createResults } from "../../lib/results/results.ts";

/** Bytes of one kind of output. Source: issue 4 for plain text; the others are only compared. */
const PLAIN_BYTES = 5_000_000_000;
const OTHER_BYTES = 500_000_000;

/** What a pipe brings at once. */
const PIECE_BYTES = 64 * 1024;

const SAMPLE_BYTES = 8 * 1024 * 1024;

/** What it should come to. Source: issue 4. */
const AIM_MB_PER_S = 300;
const AIM_RSS_MB = 150;

function time(index: number): string {
  return new Date(1.76e12 + index * 37).toISOString();
}

/** One line of each kind of output, for its number. */
const KINDS: Readonly<Record<string, (index: number) => string>> = {
  "plain log": (index) =>
    `${time(index)} INFO worker-${index % 16} handled order ${index * 31 % 99991} of shop ` +
    `${index % 7} in ${index * 17 % 900} ms, queue length ${index % 40}, cache hit`,
  "access log with URLs": (index) =>
    `10.0.${index % 256}.7 - - [${time(index)}] "GET /api/orders/${index * 31 % 99991} HTTP/1.1" ` +
    `200 ${index * 17 % 5000} "https://shop.example/cart" "Mozilla/5.0 (X11; Linux x86_64)"`,
  "short lines": (index) => `${index * 7919 % 1000}`,
  "Chinese log": (index) =>
    `${time(index)} 信息 工作进程 ${index % 16} 已处理订单 ${index}，用时 ${index % 900} 毫秒`,
  "colours": (index) => `\x1b[32m${time(index)}\x1b[0m \x1b[1mINFO\x1b[0m handled order ${index}`,
  "an error in every line": (index) =>
    `${time(index)} ERROR order ${index} failed: timeout after 3 s`,
  "a secret in every line": (index) =>
    `${time(index)} login of ${index} with password=hunter${index}`,
};

/** Written piece by piece into one buffer, so that making it leaves no garbage to be measured. */
function sampleOf(line: (index: number) => string): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  const encoder = new TextEncoder();
  let bytes = 0;
  for (let index = 0; bytes < SAMPLE_BYTES - 1024; index++) {
    bytes += encoder.encodeInto(`${line(index)}\n`, sample.subarray(bytes)).written;
  }
  return sample.subarray(0, bytes);
}

interface Measured {
  readonly mbPerS: number;
  /** The same by the processor's time, which a busy machine does not slow down as much. */
  readonly cpuMbPerS: number;
  /** The most that the process held at any time, sample and runtime included. */
  readonly rssMb: number;
}

function measure(sample: Uint8Array, totalBytes: number): Measured {
  const results = createResults({ spills: realSpills, secrets: ["a literal secret"] });
  const limit = { head: 2000, tail: 2000 };
  const collector = results.collect({ field: "stdout", limit, raw: true });
  const startedMs = performance.now();
  const startedCpu = cpuUsage();
  let rss = 0;
  let bytes = 0;
  while (bytes < totalBytes) {
    for (let at = 0; at < sample.length; at += PIECE_BYTES) {
      const piece = sample.subarray(at, at + PIECE_BYTES);
      collector.push(piece);
      bytes += piece.length;
    }
    rss = Math.max(rss, Deno.memoryUsage().rss);
  }
  const { truncated: [cut] } = collector.finish();
  const ms = performance.now() - startedMs;
  const { user, system } = cpuUsage(startedCpu);
  results.end();
  if (cut === undefined) throw new Error("The output was not cut");
  return { mbPerS: bytes / 1000 / ms, cpuMbPerS: bytes / (user + system), rssMb: rss / 1e6 };
}

if (import.meta.main) {
  for (const [kind, line] of Object.entries(KINDS)) {
    const sample = sampleOf(line);
    measure(sample, 100_000_000);
    const plain = kind === "plain log";
    const { mbPerS, cpuMbPerS, rssMb } = measure(sample, plain ? PLAIN_BYTES : OTHER_BYTES);
    const aim = plain ? `  aim: ≥ ${AIM_MB_PER_S} MB/s, ≤ ${AIM_RSS_MB} MB` : "";
    const [wall, cpu, rss] = [mbPerS, cpuMbPerS, rssMb].map((value) =>
      value.toFixed(0).padStart(4)
    );
    console.log(`${kind.padEnd(24)}${wall} MB/s  ${cpu} MB/s of CPU time  ${rss} MB${aim}`);
  }
}
