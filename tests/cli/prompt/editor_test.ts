import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Editor, newEditor, onKey, type Step } from "../../../lib/cli/prompt/editor.ts";
import { viewOf } from "../../../lib/cli/prompt/editor_view.ts";
import type { Key, KeyName } from "../../../lib/cli/prompt/keys.ts";

/** Keys in short: `<left>` is a key, everything else is text. */
function keysOf(typed: string): Key[] {
  return typed.split(/(<\w+>)/).filter((part) => part !== "").map((part) => {
    const [, name] = /^<(\w+)>$/.exec(part) ?? [];
    if (name === undefined) return { kind: "text", text: part };
    return { kind: "key", name: name as KeyName };
  });
}

/** What typing leads to. */
function type(typed: string, history: readonly string[] = []): Step {
  let step: Step = { kind: "edit", editor: newEditor(history) };
  for (const key of keysOf(typed)) {
    if (!("editor" in step)) throw new Error(`Nothing is asked any more before ${typed}`);
    step = onKey(step.editor, key);
  }
  return step;
}

/** The text after typing, with `|` where the cursor is. */
function written(typed: string, history: readonly string[] = []): string {
  const step = type(typed, history);
  if (!("editor" in step)) throw new Error(`It ended with ${step.kind}`);
  const { text, cursor } = step.editor;
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

Deno.test("onKey() moves by what a person takes for one character", () => {
  assertEquals([
    written("磁盘满了<left><left>x"),
    written("a👨‍👩‍👧b<left><left>x"),
    written("e\u0301<backspace>"),
    written("ab<home><delete>"),
    written("one two three<word_left><word_left>x"),
    written("one two<home><word_right>x"),
  ], ["磁盘x|满了", "ax|👨‍👩‍👧b", "|", "|b", "one x|two three", "onex| two"]);
});

Deno.test("onKey() cuts to the end, to the beginning, and a word", () => {
  assertEquals([
    written("one two<word_left><cut_after>"),
    written("one two<word_left><cut_before>"),
    written("one two  <cut_word>"),
    written("a<newline>b<cut_before><cut_before>c"),
  ], ["one |", "|two", "one |", "a\nc|"]);
});

Deno.test("onKey() submits with Enter, and makes lines with Ctrl-J or a backslash", () => {
  assertEquals([type("one<newline>two<enter>"), type("one\\<enter>two<enter>")], [
    { kind: "submit", text: "one\ntwo" },
    { kind: "submit", text: "one\ntwo" },
  ]);
});

Deno.test("onKey() submits nothing that is empty", () => {
  assertEquals([written("<enter>"), written("  <enter>")], ["|", "  |"]);
});

Deno.test("onKey() keeps a pasted text of three lines one text", () => {
  const [paste] = keysOf("one\ntwo\nthree");
  const step = onKey(newEditor(), paste!);
  assertEquals(step.kind === "edit" ? step.editor.text : step, "one\ntwo\nthree");
});

Deno.test("onKey() goes through the history and comes back to what was being written", () => {
  const history = ["first", "second"];
  assertEquals([
    written("new<up>", history),
    written("new<up><up><up>", history),
    written("new<up><up><down><down>", history),
    written("new<down>", history),
  ], ["second|", "first|", "new|", "new|"]);
});

Deno.test("onKey() moves between lines before it goes through the history", () => {
  assertEquals([
    written("磁盘<newline>b<up>x", ["old"]),
    written("ab<newline>c<home><up><up>", ["old"]),
    written("ab<newline>c<up><down>x", ["old"]),
  ], ["磁x|盘\nb", "old|", "ab\ncx|"]);
});

Deno.test("onKey() clears at the first Ctrl-C and leaves at the second", () => {
  const first = type("text<interrupt>");
  assertEquals(first, {
    kind: "edit",
    editor: {
      ...newEditor(),
      leaving: true,
      hint: ["Ctrl-C again leaves; so do Ctrl-D and /quit"],
    },
  });
  assertEquals(type("text<interrupt><interrupt>"), { kind: "leave", by: "interrupt" });
  assertEquals(written("text<interrupt>a<interrupt>b"), "b|");
});

Deno.test("onKey() leaves at Ctrl-D only where nothing is written", () => {
  assertEquals(type("<end_of_input>"), { kind: "leave", by: "end_of_input" });
  assertEquals(written("ab<home><end_of_input>"), "|b");
});

Deno.test("onKey() never loses the cursor, whatever is typed", () => {
  const parts = fc.constantFrom(
    ...["a", "中", "👨‍👩‍👧", "\u0301", "<left>", "<right>", "<up>", "<down>", "<newline>", "<home>"],
    ...["<end>", "<backspace>", "<delete>", "<cut_after>", "<cut_before>", "<cut_word>", " "],
    ...["<word_left>", "<word_right>", "<end>\\<enter>"],
  );
  fc.assert(fc.property(fc.array(parts, { maxLength: 40 }), (typed) => {
    const step = type(typed.join(""), ["old\nentry", "中文"]);
    if (step.kind !== "edit") return;
    const { text, cursor } = step.editor;
    assertEquals(cursor >= 0 && cursor <= text.length, true);
    const view = viewOf(step.editor, MARKS, { columns: 12, rows: 5 });
    assertEquals(view.rows.length <= 4 && view.rows.every(({ width }) => width <= 11), true);
    assertEquals(view.row < view.rows.length && view.column <= 11, true);
  }));
});

const MARKS = { first: "> ", more: ". " };

/** Rows and the cursor of a text. */
function seen(editor: Partial<Editor>, columns: number, rows = 24) {
  const text = editor.text ?? "";
  const whole = { ...newEditor(), cursor: text.length, ...editor };
  const view = viewOf(whole, MARKS, { columns, rows });
  return [view.rows.map((row) => row.text), view.row, view.column];
}

Deno.test("viewOf() breaks lines by width, where Chinese takes two cells", () => {
  assertEquals(seen({ text: "磁盘为什么满了" }, 11), [["> 磁盘为什", "么满了"], 1, 6]);
  assertEquals(seen({ text: "abcd", cursor: 1 }, 80), [["> abcd"], 0, 3]);
});

Deno.test("viewOf() gives the cursor a row of its own behind a full one", () => {
  assertEquals(seen({ text: "12345678" }, 11), [["> 12345678", ""], 1, 0]);
});

Deno.test("viewOf() marks further lines, and shows hints below", () => {
  assertEquals(
    seen({ text: "one\ntwo", cursor: 3, hint: ["a hint that is long"] }, 12),
    [["> one", ". two", "a hint tha…"], 0, 5],
  );
});

Deno.test("viewOf() shows what is around the cursor of a text that is too high", () => {
  const text = "1\n2\n3\n4\n5";
  assertEquals(seen({ text }, 20, 4), [[". 3", ". 4", ". 5"], 2, 3]);
  assertEquals(seen({ text, cursor: 0 }, 20, 4), [["> 1", ". 2", ". 3"], 0, 2]);
});
