import { assertEquals } from "@std/assert";
import { parseWords } from "../../../lib/policy/programs/parse_words.ts";
import { analyzerNames } from "../../../lib/policy/analyze/mod.ts";
import { programNames } from "../../../lib/policy/programs/lookup.ts";

const OPTIONS = "-ab -k: -i? -# --all --color? --key= --output=w !--pager=";

function read(words: readonly string[], style: "gnu" | "posix" | "single" | "bare" = "gnu") {
  const { flags, operands, doubtful } = parseWords(words, { options: OPTIONS, style });
  return [
    flags.map(({ name, value }) => value === null ? name : `${name}=${value}`),
    operands,
    doubtful,
  ];
}

Deno.test("parseWords() reads clusters, values, abbreviations and the end of options", () => {
  assertEquals(read(["-abk3", "x"]), [["-a", "-b", "-k=3"], ["x"], []]);
  assertEquals(read(["x", "-k", "3", "-i.bak"]), [["-k=3", "-i=.bak"], ["x"], []]);
  assertEquals(read(["--outp=f", "--al"]), [["--output=f", "--all"], [], []]);
  assertEquals(read(["-a", "--", "-b"]), [["-a"], ["-b"], []]);
  assertEquals(read(["-5"]), [["-#=5"], [], []]);
});

Deno.test("parseWords() doubts what it doesn't know and what isn't harmless", () => {
  assertEquals(read(["-z", "--pager=x", "--nope"])[2], ["-z", "--pager", "--nope"]);
});

Deno.test("parseWords() ends options at the first operand where a program does", () => {
  assertEquals(read(["-a", "x", "-b"], "posix"), [["-a"], ["x", "-b"], []]);
});

Deno.test("every grammar names an analysis that exists", () => {
  const known = analyzerNames();
  const unknown = [...programNames().values()].flatMap(({ names, analyze }) =>
    analyze === undefined || known.has(analyze) ? [] : [`${names}: ${analyze}`]
  );
  assertEquals(unknown, []);
});
