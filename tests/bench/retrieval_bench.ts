/**
 * `deno run -P=tests tests/bench/retrieval_bench.ts`: how long it takes to index a text of 4 MB
 * and to search 100,000 passages, half of them Chinese. Indexing is told by the processor's time.
 *
 * @module
 */

import { cpuUsage } from "node:process";
import type { Database } from "../../lib/ports.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import type { Embedder } from "../../lib/retrieval/embed.ts";
import { Passages } from "../../lib/retrieval/passages.ts";
import { splitText } from "../../lib/retrieval/split.ts";
import { nearest } from "../../lib/retrieval/vectors.ts";
import { NEVER } from "../fakes.ts";
import { median } from "./_bench.ts";

const TEXT_CHARS = 4_000_000;
const PASSAGES = Number(Deno.args[0] ?? 100_000);
const RUNS = 5;

/** Numbers of a vector, as a small model has them, and passages that get one. */
const DIMENSIONS = 768;
const EMBEDDED = 20_000;

const ENGLISH = ("the service restarts when its configuration changes and writes a line to the " +
  "journal database connection pool timeout payment gateway order customer retry backup nightly " +
  "region cluster node memory disk usage alert threshold operator runbook deploy rollback").split(
    " ",
  );
const CHINESE =
  "数据库连接池超时支付网关订单客户重试备份每天凌晨区域集群节点内存磁盘使用率告警阈值运维" +
  "手册部署回滚版本发布服务重启配置变更日志写入主从复制延迟监控指标";

/** Numbers that look like chance and are the same in every run. */
function chances(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const next = chances();

function english(): string {
  const words = Array.from(
    { length: 130 },
    () => next(10) === 0 ? `w${next(50_000).toString(36)}` : ENGLISH[next(ENGLISH.length)],
  );
  return words.join(" ");
}

function chinese(): string {
  let text = "";
  while (text.length < 600) {
    const at = next(CHINESE.length - 4);
    text += CHINESE.slice(at, at + 2 + next(3));
    if (next(8) === 0) text += String.fromCharCode(0x4e00 + next(5000));
  }
  return text;
}

function log(chars: number): string {
  let text = "";
  while (text.length < chars) text += `2026-11-29T10:00:00Z INFO ${english().slice(0, 120)}\n`;
  return text;
}

/** By the processor's time, which a busy machine does not slow down as much. */
function inMs(work: () => void): number {
  const started = cpuUsage();
  work();
  const { user, system } = cpuUsage(started);
  return (user + system) / 1000;
}

function report(what: string, ms: number, more = ""): void {
  console.log(`${what.padEnd(52)}${ms.toFixed(1).padStart(9)} ms  ${more}`);
}

const embedder: Embedder = {
  model: "m",
  embed: (texts) =>
    Promise.resolve(
      texts.map(() => Float32Array.from({ length: DIMENSIONS }, () => next(1000) / 1000 - 0.5)),
    ),
};

async function search(database: Database, query: string, embedded = false): Promise<void> {
  const passages = new Passages(database, { embedder: embedded ? embedder : null });
  const times: number[] = [];
  let hits = 0;
  for (let run = 0; run <= RUNS; run++) {
    const startedMs = performance.now();
    ({ hits: { length: hits } } = await passages.search(query, 10, NEVER));
    if (run > 0) times.push(performance.now() - startedMs);
  }
  report(`search "${query}"${embedded ? " with vectors" : ""}`, median(times), `${hits} hits`);
}

async function withFile(work: (database: Database) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "rein-bench-" });
  const path = `${directory}/bench.db`;
  const database = await createDatabases(null).open(path);
  try {
    await work(database);
    const megabytes = (Deno.statSync(path).size / 1e6).toFixed(0);
    console.log(`the file has ${megabytes} MB, the process ${Deno.memoryUsage().rss / 1e6 | 0} MB`);
  } finally {
    database.close();
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) {
  const text = log(TEXT_CHARS);
  report("split 4 MB", inMs(() => void [...splitText(text)].length));
  await withFile((database) => {
    const passages = new Passages(database, { embedder: null });
    const pieces = [...splitText(text)].map((piece) => ({ source: "s", place: "p", ...piece }));
    const ms = inMs(() => database.transaction(() => passages.addPassages(pieces)));
    report("index 4 MB", ms, `${pieces.length} pieces`);
    return Promise.resolve();
  });
  await withFile(async (database) => {
    const passages = new Passages(database, { embedder: null });
    const all = function* () {
      for (let at = 0; at < PASSAGES; at++) {
        yield { source: `s${at % 500}`, place: `p${at}`, text: at % 2 ? english() : chinese() };
      }
    };
    report(
      `index ${PASSAGES}`,
      inMs(() => database.transaction(() => passages.addPassages(all()))),
    );
    for (
      const query of [
        ...["w1a2", "database", "database timeout payment", "how does the gateway retry a payment"],
        ...["datbase", "up", "qz", "数据库", "备份", "鼠标", "数据库的连接池为什么超时"],
      ]
    ) await search(database, query);
    const embedding = new Passages(database, { embedder });
    const startedMs = performance.now();
    await embedding.embed(EMBEDDED, NEVER);
    report(`keep ${EMBEDDED} vectors`, performance.now() - startedMs);
    const [vector] = await embedder.embed([""], NEVER);
    const near = () => void nearest(database, { model: "m", vector: vector!, limit: 30 });
    report(`compare ${EMBEDDED} vectors`, inMs(near));
    await search(database, "database timeout", true);
  });
}
