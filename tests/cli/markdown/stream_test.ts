import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MarkdownStream, renderMarkdown } from "../../../lib/cli/markdown/stream.ts";
import { createStyles } from "../../../lib/cli/styles.ts";

const styles = createStyles(true);

/** What is seen of a text, without its styles. */
function seen(text: string): string {
  // deno-lint-ignore no-control-regex -- styles begin with a control character
  return text.replace(/\x1b\[[\d;]*m/g, "");
}

function shown(text: string, columns = 80): string {
  return seen(renderMarkdown(text, { styles, columns: () => columns }));
}

/** What is shown of a text that comes in pieces. */
function streamed(pieces: readonly string[]): string {
  const stream = new MarkdownStream({ styles, columns: () => 80 });
  return seen(pieces.map((piece) => stream.push(piece)).join("") + stream.end());
}

/** Words and what marks them, as models write them and as they don't. */
const markdown = fc.array(
  fc.constantFrom(
    ...["# ", "## ", "- ", "* ", "1. ", "> ", "```", "```sh", "~~~", "---", "***", "**", "*", "_"],
    ...["`", "``", "[", "](", ")", "](https://a.b/c_(d))", "|", "| a | b |", "|---|--:|", "\\"],
    ...["\n", "\n\n", " ", "  ", "word", "中文", "2", ".log", "/", "x", "😀", "é", "\t"],
  ),
  { maxLength: 60 },
).map((parts) => parts.join(""));

/** A text with places at which it is cut. */
const cutMarkdown = fc.tuple(markdown, fc.array(fc.nat(300), { maxLength: 20 }));

/** All that is no mark. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}😀]/gu, "");
}

Deno.test("MarkdownStream shows the same however the text is cut", () => {
  fc.assert(
    fc.property(cutMarkdown, ([text, places]) => {
      const at = [0, ...places.map((place) => place % (text.length + 1)), text.length]
        .toSorted((a, b) => a - b);
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      assertEquals(streamed(pieces), shown(text));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("MarkdownStream loses no letter and changes no order", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      assertEquals(letters(shown(text, 10_000)), letters(text));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("MarkdownStream hands on any text as it is where there are no styles", () => {
  fc.assert(fc.property(markdown, (text) => {
    const plain = { styles: createStyles(false), columns: () => 80 };
    assertEquals(renderMarkdown(text, plain), text);
  }));
});

Deno.test("MarkdownStream takes the marks of headings, lists, emphasis, code and links", () => {
  const text = "## The **disk**\n\n- one `df -h`\n  * two *now*\n1. three **a `b` c**\n> quoted\n" +
    "See [the page](https://a.b/c).\n";
  assertEquals(
    shown(text),
    "The disk\n\n• one df -h\n  • two now\n1. three a b c\n│ quoted\nSee the page (https://a.b/c).\n",
  );
});

Deno.test("MarkdownStream styles what it took the marks of", () => {
  const render = (text: string) => renderMarkdown(text, { styles, columns: () => 80 });
  assertEquals(
    [render("a **b** `c`"), render("# Title\n"), render("**磁盘**已满")],
    [
      "a \x1b[1mb\x1b[22m \x1b[36mc\x1b[39m",
      "\x1b[1;4mTitle\x1b[22;24m\n",
      "\x1b[1m磁盘\x1b[22m已满",
    ],
  );
});

Deno.test("MarkdownStream leaves what only looks like a mark", () => {
  const texts = [
    "rm *.log and *.txt, or src/**/x/**/y",
    "2*3*4 and 2 ** 3",
    "snake_case_name and __init__.py",
    "an open ** star and an open ` tick",
    "[INFO] it [works] (well)",
    "a \\*star\\* and a \\`tick\\`",
    "#no heading, #1",
    "-5 degrees",
  ];
  assertEquals(texts.map((text) => shown(text)), texts);
});

Deno.test("MarkdownStream shows code as it is, with its fences", () => {
  const text = "```sh\necho **x** `date`\n# comment\n| a | b |\n```\n**done**\n";
  assertEquals(shown(text), text.replace("**done**", "done"));
});

Deno.test("MarkdownStream lays out tables by the width of their cells", () => {
  const text = "| 名称 | n |\n|:--|--:|\n| 数据库 | 12 |\n| `a|b` | **7** |\nafter\n";
  assertEquals(
    shown(text).split("\n"),
    ["名称   │  n", "───────┼───", "数据库 │ 12", "a|b    │  7", "after", ""],
  );
});

Deno.test("MarkdownStream breaks the cells of tables that are too wide", () => {
  const text = "| path | what it is |\n|---|---|\n| /var/log | logs of all the services here |\n";
  assertEquals(shown(text, 30).split("\n"), [
    "path     │ what it is",
    "─────────┼───────────────────",
    "/var/log │ logs of all the",
    "         │ services here",
    "",
  ]);
});

Deno.test("MarkdownStream shows a table of many columns as records where there is no room", () => {
  const text = "| a | b | c | d |\n|---|---|---|---|\n" +
    "| 1111111 | 2222222 | 3333333 | 4444444 |\n| 5 | 6 | 7 | 8 |";
  assertEquals(
    shown(text, 30),
    "a: 1111111\nb: 2222222\nc: 3333333\nd: 4444444\n\na: 5\nb: 6\nc: 7\nd: 8",
  );
});

Deno.test("MarkdownStream shows lines with bars that are no table as they are", () => {
  assertEquals(shown("| not | a table\nps aux | grep x\n"), "| not | a table\nps aux | grep x\n");
});

Deno.test("MarkdownStream shows text at once, and holds back only what may be a mark", () => {
  const stream = new MarkdownStream({ styles: createStyles(true), columns: () => 80 });
  const pieces = ["The di", "sk is **f", "ull** now", " `d", "f`."].map((piece) =>
    seen(stream.push(piece))
  );
  assertEquals(pieces, ["The di", "sk is ", "full now", " ", "df."]);
});
