import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ChainChecker, type Fault, type FoundLine } from "../../lib/audit/chain_checker.ts";
import { lineHashes, LineReader } from "../../lib/audit/found_lines.ts";
import { readHead } from "../../lib/audit/head.ts";
import { verifyLog } from "../../lib/audit/verify.ts";
import { NEVER } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";
import { PORTS, writeLog } from "./_logs.ts";

const ENTRIES = 10_000;

/** A log of so many entries, written once; its lines were read once. */
const { bytes, lines, starts, head, hashes } = await inTempDir({}, async (directory) => {
  const path = `${directory}/audit.jsonl`;
  await writeLog(path, ENTRIES);
  const bytes = await Deno.readFile(path);
  const hashes = await lineHashes(null);
  const lines = [...readLines(bytes, hashes)];
  const starts = [0];
  bytes.forEach((byte, at) => byte === 0x0a && starts.push(at + 1));
  const text = await Deno.readTextFile(`${path}.head`);
  const head = await readHead(text, { hashes: PORTS.hashes, key: null });
  return { bytes, lines, starts, head, hashes };
});

function* readLines(
  text: Uint8Array,
  hashes: Awaited<ReturnType<typeof lineHashes>>,
): Generator<FoundLine> {
  const reader = new LineReader("audit.jsonl", hashes);
  yield* reader.push(text);
  yield* reader.end();
}

/** Something that somebody did to a log. */
type Tampering =
  | { readonly how: "change"; readonly at: number; readonly byte: number }
  | { readonly how: "delete"; readonly at: number; readonly length: number }
  | { readonly how: "delete lines"; readonly line: number; readonly count: number }
  | { readonly how: "swap"; readonly one: number; readonly other: number }
  | { readonly how: "truncate"; readonly length: number };

/** The line in which a byte stands, from 1. */
function lineAt(offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The text of a line with its end, from 1. */
function textOf(line: number): Uint8Array {
  return bytes.subarray(starts[line - 1], starts[line]);
}

/** The bytes from `from` on, up to `to`, are others now. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: Uint8Array;
}

function editOf(tampering: Tampering): Edit {
  switch (tampering.how) {
    case "change": {
      const { at, byte } = tampering;
      return { from: at, to: at + 1, by: new Uint8Array([byte]) };
    }
    case "delete":
      return { from: tampering.at, to: tampering.at + tampering.length, by: new Uint8Array(0) };
    case "delete lines": {
      const { line, count } = tampering;
      return { from: starts[line - 1]!, to: starts[line - 1 + count]!, by: new Uint8Array(0) };
    }
    case "swap": {
      const { one, other } = tampering;
      const between = bytes.subarray(starts[one], starts[other - 1]);
      const by = joined(textOf(other), between, textOf(one));
      return { from: starts[one - 1]!, to: starts[other]!, by };
    }
    case "truncate":
      return { from: tampering.length, to: bytes.length, by: new Uint8Array(0) };
  }
}

/** The lines of the log after some tampering: only those that it touches are read again. */
function linesAfter(tampering: Tampering): FoundLine[] {
  if (tampering.how === "swap") {
    const { one, other } = tampering;
    const at = (line: number, from: number) => ({ ...lines[from - 1]!, line });
    return lines.with(one - 1, at(one, other)).with(other - 1, at(other, one));
  }
  const { from, to, by } = editOf(tampering);
  const first = lineAt(from);
  const last = Math.min(lineAt(Math.max(from, to - 1)) + 1, lines.length);
  const region = joined(
    bytes.subarray(starts[first - 1], from),
    by,
    bytes.subarray(to, starts[last]),
  );
  const read = [...readLines(region, hashes)].map((line) => ({
    ...line,
    line: line.line + first - 1,
  }));
  const shift = read.length - (last - first + 1);
  const rest = lines.slice(last);
  return [
    ...lines.slice(0, first - 1),
    ...read,
    ...(shift === 0 ? rest : rest.map((line) => ({ ...line, line: line.line + shift }))),
  ];
}

function faultsOf(found: readonly FoundLine[]): readonly Fault[] {
  const checker = new ChainChecker(head, { file: "audit.jsonl", needsHead: true });
  for (const line of found) checker.take(line);
  return checker.end().faults;
}

/** Where the log differs first: what stands behind the deleted bytes may be the same. */
function firstOther({ at, length }: { readonly at: number; readonly length: number }): number {
  let first = at;
  while (first + length < bytes.length && bytes[first] === bytes[first + length]) first++;
  return first;
}

/** The line and the kinds of which the first fault must be. */
function expectedOf(
  tampering: Tampering,
  found: Fault | undefined,
): { line: number; kinds: readonly Fault["kind"][] } {
  switch (tampering.how) {
    case "change":
      return { line: lineAt(tampering.at), kinds: ["changed", "cut_off"] };
    case "delete": {
      const line = lineAt(firstOther(tampering));
      // What is right before a gap may have been cut, too: no entry is left that would vouch for it.
      const after = found?.kind === "missing" && found.line === line + 1 ? line + 1 : line;
      return { line: after, kinds: ["changed", "missing", "cut_off"] };
    }
    case "delete lines":
      return { line: tampering.line, kinds: ["missing", "cut_off"] };
    case "swap":
      return { line: tampering.one, kinds: ["order"] };
    case "truncate":
      return { line: lineAt(tampering.length), kinds: ["cut_off"] };
  }
}

const line = fc.integer({ min: 1, max: ENTRIES });
const offset = fc.integer({ min: 0, max: bytes.length - 1 });

const changes: fc.Arbitrary<Tampering> = fc.tuple(offset, fc.integer({ min: 1, max: 255 })).map((
  [at, more],
) => ({ how: "change", at, byte: (bytes[at]! + more) % 256 }));

const deletions: fc.Arbitrary<Tampering> = fc.tuple(offset, fc.integer({ min: 1, max: 2000 })).map((
  [at, length],
) => ({ how: "delete", at, length: Math.min(length, bytes.length - at) }));

const lineDeletions: fc.Arbitrary<Tampering> = fc.tuple(line, fc.integer({ min: 1, max: 20 })).map((
  [line, count],
) => ({ how: "delete lines", line, count: Math.min(count, ENTRIES - line + 1) }));

const swaps: fc.Arbitrary<Tampering> = fc.tuple(line, line).filter(([one, other]) => one !== other)
  .map(([one, other]) => ({
    how: "swap",
    one: Math.min(one, other),
    other: Math.max(one, other),
  }));

const neighbours: fc.Arbitrary<Tampering> = fc.integer({ min: 1, max: ENTRIES - 1 }).map((one) => ({
  how: "swap",
  one,
  other: one + 1,
}));

const truncations: fc.Arbitrary<Tampering> = offset.map((length) => ({ how: "truncate", length }));

function holds(tampering: Tampering): void {
  const [first] = faultsOf(linesAfter(tampering));
  const { line, kinds } = expectedOf(tampering, first);
  assertEquals(
    { line: first?.line, kind: first !== undefined && kinds.includes(first.kind) },
    { line, kind: true },
    `${JSON.stringify(tampering)} was told as ${JSON.stringify(first)}`,
  );
}

Deno.test("audit verify finds nothing wrong with a log of 10,000 entries", () => {
  assertEquals(lines.length, ENTRIES);
  assertEquals(faultsOf(lines), []);
});

for (
  const [name, tamperings] of Object.entries({
    "1,000 changes of a single byte": changes,
    "500 deletions of bytes": deletions,
    "500 deletions of lines": lineDeletions,
    "500 swaps of lines": swaps,
    "500 swaps of neighbouring lines": neighbours,
    "1,000 truncations": truncations,
  })
) {
  Deno.test(`audit verify finds each of ${name}, and where`, () => {
    fc.assert(fc.property(tamperings, holds), {
      numRuns: Number(name.match(/^[\d,]+/)?.[0].replace(",", "")),
      seed: 9,
      endOnFailure: true,
    });
  });
}

Deno.test("audit verify says of files what it says of lines", async () => {
  await inTempDir({}, async (directory) => {
    const path = `${directory}/audit.jsonl`;
    await writeLog(path, ENTRIES);
    const every = fc.oneof(changes, deletions, lineDeletions, swaps, truncations);
    for (const tampering of fc.sample(every, { numRuns: 20, seed: 9 })) {
      const edit = editOf(tampering);
      await Deno.writeFile(
        path,
        joined(bytes.subarray(0, edit.from), edit.by, bytes.subarray(edit.to)),
      );
      const { faults } = await verifyLog(
        { path, alone: false, needsHead: true, key: null },
        PORTS,
        NEVER,
      );
      assertEquals(faults, faultsOf(linesAfter(tampering)));
    }
  });
});
