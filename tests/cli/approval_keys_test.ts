import { assertEquals } from "@std/assert";
import {
  type Answer,
  ASKED,
  keyLines,
  onKey,
  type QuestionState,
  renderQuestion,
} from "../../lib/cli/approval_keys.ts";

/** What comes of these pieces of input: an answer, or where the question stands. */
function after(...pieces: string[]): Answer | QuestionState | "show_all" {
  let state: QuestionState = ASKED;
  for (const piece of pieces) {
    const reaction = onKey(state, piece);
    if (reaction.kind === "answered") return reaction.answer;
    if (reaction.kind === "show_all") return "show_all";
    state = reaction.state;
  }
  return state;
}

const WHICH = "Press y, a, n, w or s; v shows all of it.";
const notes = (note: string) => ({ mode: "choose" as const, reason: "", note: `${note} ${WHICH}` });

Deno.test("onKey() takes one key for each answer, with Enter or without", () => {
  const no = { kind: "no", reason: null } as const;
  assertEquals(["y", "Y", "y\r", "a", "n", "s", "v"].map((key) => after(key)), [
    { kind: "once" },
    { kind: "once" },
    { kind: "once" },
    { kind: "always" },
    no,
    { kind: "stop" },
    "show_all",
  ]);
});

Deno.test("onKey() takes Enter alone for no answer", () => {
  assertEquals(after("\r"), notes("Enter alone is no answer."));
  assertEquals(after("\r", "\n"), notes("Enter alone is no answer."));
});

Deno.test("onKey() says so of keys that are no answer", () => {
  assertEquals([after("x"), after("是"), after("\u001b[A"), after("\u0004")], [
    notes('"x" is no answer.'),
    notes('"是" is no answer.'),
    notes("That key is no answer."),
    notes("That key is no answer."),
  ]);
});

Deno.test("onKey() takes nothing that was pasted for an answer", () => {
  const pasted = notes("More than one key at once is no answer.");
  assertEquals([after("yes\r"), after("yy"), after("y\rls\r")], [pasted, pasted, pasted]);
});

Deno.test("onKey() stops at Ctrl-C, wherever it stands", () => {
  assertEquals([after("\u0003"), after("w", "abc\u0003")], [{ kind: "stop" }, { kind: "stop" }]);
});

Deno.test("onKey() takes a reason in any writing, with corrections, pasted or typed", () => {
  const typed = after("w", "用", "预", "发", "x", "\u007f", "环境", "\r");
  assertEquals(typed, { kind: "no", reason: "用预发环境" });
  assertEquals(after("w", "ask\r\nfirst\u001b[31mx\u007f\r"), {
    kind: "no",
    reason: "ask  first[31m",
  });
  assertEquals(after("w", "abc", "\u0015", "d", "\u001b[D", "e\r"), { kind: "no", reason: "de" });
});

Deno.test("onKey() wants a reason that is one, and goes back at Escape", () => {
  const note = "Type why, then Enter. Escape goes back.";
  assertEquals(after("w", " ", "\r"), { mode: "why", reason: " ", note });
  assertEquals(after("w", "abc", "\u001b"), ASKED);
});

Deno.test("keyLines() fit into 40 columns, and name v where something is left to be seen", () => {
  assertEquals(keyLines(40, true), [
    "  y yes, once",
    "  a always this exact call, this session",
    "  n no   w no, and tell the model why",
    "  s no, and stop the run",
    "  v show all of it",
  ]);
  assertEquals(keyLines(80, false), [
    "  y yes, once   a always this exact call, this session   n no",
    "  w no, and tell the model why   s no, and stop the run",
  ]);
});

Deno.test("renderQuestion() shows the note, and the end of a long reason", () => {
  assertEquals(renderQuestion(ASKED, 40), ["Allow it? "]);
  assertEquals(renderQuestion({ ...ASKED, note: "n".repeat(50) }, 40), [
    "n".repeat(40),
    "n".repeat(10),
    "Allow it? ",
  ]);
  const reason = `${"a".repeat(40)}数据库`;
  assertEquals(renderQuestion({ mode: "why", reason, note: null }, 20), ["Why not? aaaa数据库"]);
});
