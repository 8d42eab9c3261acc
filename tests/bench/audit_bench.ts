/**
 * The audit log: entries a second, beside plain appending in the same run; what verifying takes.
 * By itself: `deno run -P=tests tests/bench/audit_bench.ts [megabytes to verify]`.
 *
 * @module
 */

import { AuditLog } from "../../lib/audit/audit_log.ts";
import type { DraftEntry } from "../../lib/audit/entry.ts";
import { verifyLog } from "../../lib/audit/verify.ts";
import { realFiles } from "../../lib/real/files.ts";
import { realFolders } from "../../lib/real/folders.ts";
import { fakePorts, NEVER } from "../fakes.ts";

const ENTRIES = 5000;

const ACTOR = { host: "bench", user: { uid: 1000, name: "me" }, cwd: "/srv/app", pid: 4711 };

const PORTS = fakePorts({ files: realFiles, folders: realFolders });

/** An entry as most are: a call that was judged. */
function draftOf(number: number): DraftEntry {
  const command = `grep -c ' 50[0-9] ' /var/log/nginx/access.log.${number}`;
  const match = {
    rule: "reading.text",
    decision: "allow",
    reason: "This reads text and prints it",
    suggest: null,
    matched: "grep",
    span: { start: 0, end: 4 },
  } as const;
  const part = { text: command, span: null, decision: "allow", matches: [match] } as const;
  return {
    at: new Date(number * 1000).toISOString(),
    ...ACTOR,
    ...{ run_id: "4f2a9c81d03e", session: "4f2a9c81d03e", trace_id: "4f2a9c81d03e", step: 3 },
    kind: "call_judged",
    call_id: `call_${number}`,
    tool: "run_shell",
    arguments: { command },
    evaluation: { decision: "allow", parts: [part] },
  };
}

/** How often a second something is done. */
async function rateOf(count: number, work: (number: number) => Promise<void> | void) {
  const begun = performance.now();
  for (let number = 1; number <= count; number++) await work(number);
  return count / (performance.now() - begun) * 1000;
}

interface Rate {
  readonly what: string;
  readonly perSecond: number;
}

async function appending(directory: string): Promise<Rate[]> {
  const key = new TextEncoder().encode("a key of some length");
  const plain = await Deno.open(`${directory}/plain`, { append: true, create: true });
  const encoder = new TextEncoder();
  const line = (number: number) => encoder.encode(`${JSON.stringify(draftOf(number))}\n`);
  const log = (name: string, sealed: boolean) =>
    new AuditLog({ path: `${directory}/${name}`, key: sealed ? key : null, actor: ACTOR }, PORTS);
  const [chained, sealed, durable] = [log("chained", false), log("sealed", true), log("d", false)];
  const add = (to: AuditLog, onDisk: boolean) => async (number: number) =>
    void (await to.append([draftOf(number)], onDisk));
  const rates = [
    {
      what: "plain appending",
      perSecond: await rateOf(ENTRIES, (number) => void plain.writeSync(line(number))),
    },
    { what: "audit log", perSecond: await rateOf(ENTRIES, add(chained, false)) },
    { what: "audit log, sealed", perSecond: await rateOf(ENTRIES, add(sealed, false)) },
    {
      what: "plain appending, to the disk",
      perSecond: await rateOf(ENTRIES / 10, (number) => {
        plain.writeSync(line(number));
        plain.syncDataSync();
      }),
    },
    { what: "audit log, to the disk", perSecond: await rateOf(ENTRIES / 10, add(durable, true)) },
  ];
  plain.close();
  await Promise.all([chained, sealed, durable].map((one) => one.close()));
  return rates;
}

async function verifying(directory: string, megabytes: number): Promise<string> {
  const path = `${directory}/long`;
  const log = new AuditLog({ path, key: null, actor: ACTOR }, PORTS);
  let bytes = 0;
  for (let number = 1; bytes < megabytes * 1e6; number += 1000) {
    const lines = await log.append(
      Array.from({ length: 1000 }, (_, index) => draftOf(number + index)),
      false,
    );
    bytes += lines.reduce((sum, text) => sum + text.length + 1, 0);
  }
  await log.close();
  const before = Deno.memoryUsage().rss;
  const begun = performance.now();
  const verdict = await verifyLog({ path, alone: false, needsHead: true, key: null }, PORTS, NEVER);
  const seconds = (performance.now() - begun) / 1000;
  const grown = (Deno.memoryUsage().rss - before) / 1e6;
  if (verdict.faults.length > 0) throw new Error(JSON.stringify(verdict.faults));
  return `verifying ${megabytes} MB, ${verdict.entries} entries: ${seconds.toFixed(1)} s, ` +
    `${(megabytes / seconds).toFixed(0)} MB/s, ${grown.toFixed(0)} MB more memory`;
}

if (import.meta.main) {
  const megabytes = Number(Deno.args[0] ?? 100);
  const directory = await Deno.makeTempDir({ prefix: "rein-bench-" });
  try {
    const rates = await appending(directory);
    for (const [index, { what, perSecond }] of rates.entries()) {
      const plain = rates[index < 3 ? 0 : 3]!;
      const ratio = (plain.perSecond / perSecond).toFixed(1);
      console.log(`${what.padEnd(30)} ${perSecond.toFixed(0).padStart(8)}/s  ${ratio}×`);
    }
    console.log(await verifying(directory, megabytes));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
