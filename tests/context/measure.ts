/**
 * Prints how far the token estimate is from real tokenizers, by kind of text:
 * `deno run -P=tests tests/context/measure.ts`.
 *
 * @module
 */

import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { estimateText } from "../../lib/context/estimate.ts";
import { CALIBRATION, type Corpora, HELD_OUT, KINDS } from "./_corpora.ts";
import {
  compactionError,
  conversationErrors,
  median,
  mixed,
  textErrors,
  type Tokenizer,
} from "./_errors.ts";
import { OPENING } from "./_opening.ts";

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function row(label: string, corpora: Corpora, tokenizer: Tokenizer): Record<string, string> {
  const before = textErrors(corpora, tokenizer);
  const cells = KINDS.map((kind) => {
    const after = median(conversationErrors(corpora[kind], OPENING, tokenizer).slice(1));
    const dropped = compactionError(corpora[kind], OPENING, tokenizer);
    return [kind, `${percent(before[kind])} → ${percent(after)} (${percent(dropped)})`];
  });
  const together = median(conversationErrors(mixed(corpora), OPENING, tokenizer).slice(1));
  return Object.fromEntries([["texts", label], ...cells, ["mixed", `→ ${percent(together)}`]]);
}

const tokenizers = { o200k_base: o200k, cl100k_base: cl100k };
const rows = Object.entries(tokenizers).flatMap(([name, tokenizer]) => [
  row(`${name}, calibration`, CALIBRATION, tokenizer),
  row(`${name}, held out`, HELD_OUT, tokenizer),
]);
console.log("Median error of a text → of a request after a response (after a compaction)");
console.table(rows);

const text = KINDS.flatMap((kind) => CALIBRATION[kind]).join("").repeat(20);
const startMs = performance.now();
estimateText(text);
const seconds = (performance.now() - startMs) / 1_000;
console.log(`${(new TextEncoder().encode(text).length / 1e6 / seconds).toFixed(0)} MB/s`);
