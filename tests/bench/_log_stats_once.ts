/**
 * One call of `log_stats` on real files, in a process of its own, so that its
 * memory can be measured. Takes the arguments as JSON; prints one line of JSON.
 *
 * @module
 */

import { realFiles } from "../../lib/real/files.ts";
import { createLogStats } from "../../tools/log_stats.ts";
import { CONTEXT } from "../fakes.ts";

const args = JSON.parse(Deno.args[0] ?? "{}");
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
const started = performance.now();
const outcome = await createLogStats({ files: realFiles, clock }).run(args, CONTEXT);
const ms = performance.now() - started;
const peak = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"));
console.log(JSON.stringify({ ms, peakMb: Number(peak?.[1]) / 1024, outcome }));
