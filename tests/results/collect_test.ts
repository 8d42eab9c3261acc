import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SLACK_CHARS } from "../../lib/results/characters.ts";
import { Collector } from "../../lib/results/collect.ts";
import { detectEncoding } from "../../lib/results/encoding.ts";
import { Patterns } from "../../lib/results/inspect.ts";
import { SpillStore } from "../../lib/results/spill.ts";
import { cleanTerminal } from "../../lib/results/terminal.ts";
import { repeatLine } from "../../lib/results/repeats.ts";
import { fakeResults, MemorySpills, NEVER, NO_SPILLS } from "../fakes.ts";
import { ALL, collected, cutAt, shown } from "./_collecting.ts";

const encoder = new TextEncoder();

/** What a shell's output is made of, good and bad. */
const PIECES = fc.constantFrom(
  ...["a", "b\n", "same\n", "same\nsame\nsame\nsame\nsame\n", "\r\n", "\r", "10%\r20%\r", "\n"],
  ...["\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b", "x\by", "中文日志\n", "😀", "e\u0301"],
  ...["ERROR 500 failed\n", "FATAL: out of memory\n", "password=hunter2hunter2\n", "\u009b1m"],
  ...[
    "AKIAIOSFODNN7EXAMPLE ",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "MIIEpAIBAAKCAQEA0000aaaa1111\n",
  ],
);

const BYTES = fc.oneof(
  { weight: 3, arbitrary: fc.array(PIECES, { maxLength: 60 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
).map((text) => encoder.encode(text));

const MALFORMED = fc.array(
  fc.oneof(BYTES, fc.uint8Array({ maxLength: 20 })),
  { maxLength: 6 },
).map((all) => new Uint8Array(all.flatMap((bytes) => [...bytes])));

const LIMIT = fc.record({
  head: fc.integer({ min: 0, max: 300 }),
  tail: fc.integer({ min: 0, max: 300 }),
  unit: fc.constantFrom("chars" as const, "lines" as const),
});

const PLACES = fc.array(fc.nat(5000), { maxLength: 20 });

Deno.test("a collector gives the same for output cut at any byte", () => {
  fc.assert(
    fc.property(MALFORMED, LIMIT, PLACES, (bytes, limit, places) => {
      assertEquals(collected(cutAt(bytes, places), { limit }), collected([bytes], { limit }));
    }),
    { numRuns: 300 },
  );
});

Deno.test("a collector gives Chinese whole when it is cut inside every character", () => {
  const bytes = encoder.encode("磁盘 /var 空间不足：已用 97%\n😀 e\u0301\n");
  const whole = collected([bytes]).text;
  for (let at = 0; at <= bytes.length; at++) {
    assertEquals(collected(cutAt(bytes, [at])).text, whole);
  }
  assertEquals(whole, "磁盘 /var 空间不足：已用 97%\n😀 e\u0301\n");
});

Deno.test("a collector gives well-formed text without codes for any bytes", () => {
  fc.assert(
    fc.property(MALFORMED, LIMIT, (bytes, limit) => {
      const { text } = collected([bytes], { limit });
      // deno-lint-ignore no-control-regex -- none may be left
      assertEquals([text.isWellFormed(), /[\x00-\x08\x0b-\x1f]/.test(text)], [true, false]);
    }),
    { numRuns: 300 },
  );
});

/** What the stages before the cut make of a text, line by line and in the plainest way. */
function plainly(text: string): string {
  const clean = cleanTerminal(text, { codeChars: 0, overwrittenChars: 0, overwrites: 0 });
  const lines = clean.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let made = "";
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    let next = at + 1;
    while (line.endsWith("\n") && lines[next] === line) next++;
    const times = next - at - 1;
    const said = repeatLine(times);
    made += line + (said.length < times * encoder.encode(line).length ? said : line.repeat(times));
    at = next;
  }
  return made;
}

const HARMLESS = fc.array(
  fc.constantFrom(...["a", "b\n", "same\n", "\r\n", "\r", "\n", "x\by", "中\n", "😀", "\x1b[1m"]),
  { maxLength: 80 },
).map((all) => all.join(""));

Deno.test("a collector does what the stages do one after the other", () => {
  fc.assert(fc.property(HARMLESS, (text) => {
    assertEquals(shown(text), plainly(text));
  }));
});

/** All numbers of notes, and the text without notes and excerpts. */
function counted(text: string): { omitted: number; rest: string } {
  const note = /\n?\[… ([\d,]+) characters(?: \([\d,]+ line ends\))? left out here …\]\n?/;
  const omitted = Number(note.exec(text)?.[1]?.replaceAll(",", "") ?? 0);
  return { omitted, rest: text.replace(note, "") };
}

Deno.test("a collector counts every character that it leaves out", () => {
  fc.assert(fc.property(HARMLESS, LIMIT, (output, { head, tail }) => {
    const whole = shown(output);
    const { text, truncated, totalLines } = collected([output], { limit: { head, tail } });
    const { omitted } = counted(text);
    assertEquals(
      totalLines,
      whole.split("\n").length - (whole.endsWith("\n") || whole === "" ? 1 : 0),
    );
    if (truncated.length === 0) return assertEquals(text, whole);
    const [cut] = truncated;
    assertEquals([cut?.total_chars, cut?.omitted_chars], [whole.length, omitted]);
    // The character in which the tail begins is kept whole.
    assert(whole.length - omitted <= head + tail + SLACK_CHARS);
  }));
});

Deno.test("a collector accounts for every character that came, over all stages", () => {
  const patterns = new Patterns([]);
  fc.assert(fc.property(BYTES, (bytes) => {
    const spills = new SpillStore(NO_SPILLS);
    const request = { field: "stdout", limit: { head: 10, tail: 10 }, raw: true };
    const collector = new Collector(request, { patterns, spills, readBack: null });
    collector.push(bytes);
    const { text, truncated: [cut] } = collector.finish();
    const came = new TextDecoder().decode(bytes);
    fc.pre(detectEncoding(bytes).kind === "text");
    const total = cut?.total_chars ?? text.length;
    assertEquals(total + collector.counts.removedChars, came.length);
  }));
});

Deno.test("a collector cuts lines of any length as if they were short", () => {
  const line = `${"word ".repeat(50_000)}end\n`;
  const output = `before\n${line}after\n`;
  assertEquals(shown(output), output);
  const unbroken = "中".repeat(100_000) + "\n";
  assertEquals(shown(unbroken), unbroken);
});

Deno.test("T1: the decisive line at the end survives a few very long ones", () => {
  const output = `${"x".repeat(90_000)}\n${"y".repeat(90_000)}\nerror: disk is full\n`;
  const { text } = collected([output], { limit: { head: 2000, tail: 2000 } });
  assertEquals(text.endsWith("yyy\nerror: disk is full\n"), true);
});

Deno.test("T2: one line of 300,000 characters shows its head and its tail", () => {
  const output = `BEGIN${"x".repeat(299_992)}END\n`;
  const { text, truncated, totalLines } = collected([output], { limit: { head: 8, tail: 8 } });
  assertEquals(text, "BEGINxxx\n[… 299,985 characters left out here …]\nxxxxEND\n");
  assertEquals([totalLines, truncated[0]?.total_chars], [1, 300_001]);
});

/** 1,400 lines of a log; 204 of them say ERROR of a request that went well. */
function log(): string[] {
  return Array.from({ length: 1400 }, (_, index) => {
    const time = `12:${String(index % 60).padStart(2, "0")}:07`;
    return index % 7 === 3 && index < 1424
      ? `${time} GET /search?q=ERROR&page=${index} 200 ${index * 3} bytes`
      : `${time} GET /index.html 200 ${index} bytes`;
  });
}

Deno.test("T3: one FATAL in the middle is kept, and look-alikes do not crowd it out", () => {
  const lines = log();
  const alike = lines.filter((line) => line.includes("ERROR")).length;
  lines[702] = "12:42:07 FATAL storage: journal is corrupt, cannot go on";
  const { text, truncated } = collected([lines.join("\n") + "\n"], {
    limit: { head: 2000, tail: 2000 },
  });
  assertEquals(
    text.includes("\n703: 12:42:07 FATAL storage: journal is corrupt, cannot go on\n"),
    true,
  );
  assertEquals(text.split("ERROR").length - 1 < 20, true);
  const kept = text.length -
    text.split("\n").filter((line) => line.startsWith("[…")).join("").length;
  assertEquals([kept <= 4200, truncated[0]?.total_chars], [true, lines.join("\n").length + 1]);
  assertEquals(text.includes(`"error" in ${alike}`), true);
});

Deno.test("T3: a line that stands out is kept out of many errors of another kind", () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `job ${at} failed: retry ${at * 7}`);
  lines[2500] = "job 2500 failed: certificate of db-3 has expired";
  const { text } = collected([lines.join("\n") + "\n"], { limit: { head: 2000, tail: 2000 } });
  assertEquals(text.includes("\n2501: job 2500 failed: certificate of db-3 has expired\n"), true);
});

Deno.test("T3: lines that say that there was no error are not kept for it", () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `batch ${at} done, 0 errors, failed: 0`);
  lines[1500] = "batch 1500 done, 12 errors, failed: 12";
  const { text } = collected([lines.join("\n") + "\n"], { limit: { head: 500, tail: 500 } });
  assertEquals(
    text.split("\n").filter((line) => /^\d+: /.test(line)),
    ["1501: batch 1500 done, 12 errors, failed: 12"],
  );
});

Deno.test("T4: memory stays bounded and counts exact over 50 MB", () => {
  const collector = fakeResults({ spills: NO_SPILLS })
    .collect({ field: "stdout", limit: { head: 100, tail: 100 }, raw: true });
  const line = encoder.encode(`${"0123456789".repeat(10)}中\n`);
  const other = encoder.encode("something else\n");
  for (let count = 0; count < 480_000; count++) {
    collector.push(line);
    collector.push(other);
  }
  const { truncated, totalLines } = collector.finish();
  const [cut] = truncated;
  const totalChars = 480_000 * (102 + 15);
  assertEquals([totalLines, cut?.total_chars], [960_000, totalChars]);
  assertEquals(totalChars - (cut?.omitted_chars ?? 0) <= 200, true);
});

Deno.test("T5: the note names read_output only where the run has it", () => {
  const output = "line\n".repeat(30) + "other\n".repeat(3);
  const request = { limit: { head: 10, tail: 10 }, raw: false };
  const ways = [new MemorySpills(), NO_SPILLS].map((spills) =>
    collected([output], request, { spills }).truncated[0]?.read_on
  );
  const own = collected([output], { ...request, readOn: "Ask for less." }).truncated[0]?.read_on;
  assertEquals([...ways, own], [
    'read_output with id "out1" reads all of it.',
    "The rest is gone: this run can't keep it. Ask for less at once.",
    "Ask for less.",
  ]);
});

Deno.test("T6: a cut parts no character, pair, sequence or code", () => {
  const units = ["中", "😀", "e\u0301", "👩\u200d👩\u200d👧", "\x1b[1;31mX\x1b[0m"];
  for (const unit of units) {
    const output = unit.repeat(400);
    for (let head = 20; head < 40; head++) {
      const { text } = collected([output], { limit: { head, tail: 33 } });
      const clean = unit.replaceAll("\x1b[1;31m", "").replaceAll("\x1b[0m", "");
      const [first = "", last = ""] = text.split(/\n\[….*…\]\n/);
      assertEquals(first, clean.repeat(first.length / clean.length));
      assertEquals(last, clean.repeat(last.length / clean.length));
    }
  }
});

Deno.test("T7: what is no text is described", () => {
  const elf = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, ...new Uint8Array(9000)]);
  assertEquals(collected([elf]), {
    text: "[ELF executable or library, 9,008 bytes, beginning " +
      "7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00]",
    totalLines: 0,
    truncated: [],
    notes: [],
  });
});

Deno.test("T7: a lone byte is shown as malformed, with a note", () => {
  assertEquals(collected([new Uint8Array([0xf0])]), {
    text: "\ufffd",
    totalLines: 1,
    truncated: [],
    notes: ["1 malformed sequence"],
  });
});

Deno.test("T7: an ISO-8859-1 file is decoded, with a note", () => {
  const bytes = new Uint8Array([...encoder.encode("r"), 0xe9, ...encoder.encode("sum"), 0xe9, 10]);
  assertEquals(collected([bytes]), {
    text: "résumé\n",
    totalLines: 1,
    truncated: [],
    notes: ["not UTF-8; decoded as ISO-8859-1, a guess"],
  });
});

Deno.test("T7: a declared charset and a byte-order mark are followed", () => {
  const gbk = new Uint8Array([0xb4, 0xc5, 0xc5, 0xcc, 10]);
  const utf16 = new Uint8Array([0xff, 0xfe, 0x78, 0x4e, 0x0a, 0x00]);
  const utf8 = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
  const texts = [
    collected([gbk], { charset: "GBK" }),
    collected([gbk]),
    collected([utf16]),
    collected([utf8]),
  ].map(({ text, notes }) => [text, ...notes]);
  assertEquals(texts, [
    ["磁盘\n", "decoded from gbk"],
    ["磁盘\n", "not UTF-8; decoded as GB18030, a guess"],
    ["乸\n", "decoded from UTF-16"],
    ["a"],
  ]);
});

Deno.test("T7: malformed bytes after the first thousands are counted exactly", () => {
  const text = encoder.encode(`good ${"x".repeat(60)}\n`.repeat(200) + "中\ufffd文\n");
  const bytes = new Uint8Array([...text, 0xff, 0x61, 0xc3, 0x0a, 0xfe, 0x0a]);
  const { text: made, notes } = collected([bytes]);
  assertEquals([made.slice(-9), notes], ["中\ufffd文\n\ufffda\ufffd\n\ufffd\n".slice(-9), [
    "3 malformed sequences",
  ]]);
});

Deno.test("T9: a progress bar is its last state, the same line many times is said once", () => {
  const states = Array.from(
    { length: 40_000 },
    (_, at) => `\r${at} of 40000 [${"#".repeat(at / 800)}]`,
  );
  const bar = collected([encoder.encode(`start\n${states.join("")}\r\ndone\n`)]);
  assertEquals(bar, {
    text: `start\n39999 of 40000 [${"#".repeat(49)}]\ndone\n`,
    totalLines: 3,
    truncated: [],
    notes: ["40,000 overwritten lines"],
  });
  assertEquals(
    shown("again\n".repeat(3000) + "done\n"),
    "again\n[repeated 2,999 more times]\ndone\n",
  );
});

Deno.test("a collector in lines keeps the first and last ones, and cuts long ones inside", () => {
  const lines = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`);
  const limit = { head: 2, tail: 1, unit: "lines" as const };
  const { text, truncated, totalLines } = collected([lines.join("")], { limit });
  assertEquals(text, "line 1\nline 2\n[… 49 characters (7 line ends) left out here …]\nline 10\n");
  assertEquals([totalLines, truncated[0]?.omitted_chars, truncated[0]?.omitted_lines], [10, 49, 7]);
  const long = collected([`${"x".repeat(1000)}\nshort\n`], { limit });
  assertEquals(
    long.text,
    `${"x".repeat(300)} [… 600 characters left out here …] ${"x".repeat(100)}\nshort\n`,
  );
});

Deno.test("what is kept is what is shown, without its cut, and goes at the end of the run", async () => {
  const spills = new MemorySpills();
  const results = fakeResults({ spills });
  const collector = results.collect({ field: "stdout", limit: { head: 20, tail: 20 }, raw: true });
  for (let at = 0; at < 300; at++) {
    collector.push(`\x1b[1mline\x1b[0m ${at} password=hunter${at}\n`);
  }
  collector.finish();
  const kept = results.outputs.get("out1");
  const pieces = kept ? await Array.fromAsync(kept.read(NEVER)) : [];
  const text = pieces.map((bytes) => new TextDecoder().decode(bytes)).join("");
  const expected = Array.from(
    { length: 300 },
    (_, at) => `line ${at} password=[redacted: password]\n`,
  );
  assertEquals([text, kept?.complete, spills.opened], [expected.join(""), true, 1]);
  results.end();
  assertEquals([spills.opened, results.outputs.get("out1")], [0, null]);
});

Deno.test("what fits is kept nowhere", () => {
  const spills = new MemorySpills();
  collected(["short\n"], { limit: ALL }, { spills });
  assertEquals(spills.opened, 0);
});

Deno.test("a full disk leaves the output cut and says that the rest is gone", () => {
  const spills = new MemorySpills(() => true);
  const { truncated } = collected(["x\ny\n".repeat(100)], { limit: { head: 5, tail: 5 } }, {
    spills,
  });
  assertEquals(
    truncated[0]?.read_on,
    "The rest is gone: this run can't keep it. Ask for less at once.",
  );
});
