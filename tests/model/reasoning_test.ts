import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ReasoningFilter, reasoningOf, type SaidPiece } from "../../lib/model/reasoning.ts";

interface Parted {
  readonly content: string;
  readonly reasoning: string;
  /** What was told, the neighbours of one type joined. */
  readonly told: readonly (readonly [SaidPiece["type"], string])[];
}

function part(pieces: readonly string[], opened = false): Parted & { closedAlone: boolean } {
  const filter = new ReasoningFilter(opened);
  const said = pieces.flatMap((piece) => filter.push(piece));
  const { pieces: last, content, reasoning } = filter.finish();
  const told: [SaidPiece["type"], string][] = [];
  for (const piece of [...said, ...last]) {
    const { type, text } = { text: "", ...piece };
    const before = told.at(-1);
    if (before?.[0] === type) before[1] += text;
    else told.push([type, text]);
  }
  return { content, reasoning, told, closedAlone: filter.closedAlone };
}

const CASES: readonly {
  readonly name: string;
  readonly text: string;
  readonly content: string;
  readonly reasoning: string;
}[] = [
  { name: "no tags", text: "Hello <b>you</b>.", content: "Hello <b>you</b>.", reasoning: "" },
  { name: "a tag", text: "<think>\nHm.\n</think>\n\nYes.", content: "Yes.", reasoning: "Hm." },
  { name: "blanks before", text: "\n <think>Hm</think>Yes", content: "Yes", reasoning: "Hm" },
  { name: "empty thoughts", text: "<think>\n\n</think>\n\nYes.", content: "Yes.", reasoning: "" },
  { name: "thoughts only", text: "<think>and on and on", content: "", reasoning: "and on and on" },
  { name: "Magistral", text: "[THINK]嗯[/THINK]好", content: "好", reasoning: "嗯" },
  { name: "Seed", text: "<seed:think>a</seed:think>b", content: "b", reasoning: "a" },
  { name: "twice", text: "<think>a</think>\n<think>b</think>c", content: "c", reasoning: "ab" },
  {
    name: "tags that are spoken of",
    text: "<think>is `</thinking>` a tag?</think>It is </think>, and <think> opens it.\n",
    content: "It is </think>, and <think> opens it.\n",
    reasoning: "is `</thinking>` a tag?",
  },
  { name: "no opening tag", text: "Hm.\n</think>\n\nYes.", content: "Yes.", reasoning: "Hm." },
  { name: "no line before", text: "Hm.</think>\n\n是。", content: "是。", reasoning: "Hm." },
  {
    name: "an end within a line",
    text: "Write </think> to end it.",
    content: "Write </think> to end it.",
    reasoning: "",
  },
  {
    name: "an end in a fence",
    text: "Like this:\n```\nHm\n</think>\n```\n",
    content: "Like this:\n```\nHm\n</think>\n```\n",
    reasoning: "",
  },
  {
    name: "a tag in the middle",
    text: "It is:\n<think>\nHm\n</think>\nDone",
    content: "It is:\n<think>\nHm\n</think>\nDone",
    reasoning: "",
  },
  { name: "half a tag at the end", text: "a </thi", content: "a </thi", reasoning: "" },
  { name: "half a tag at the beginning", text: "<thi", content: "<thi", reasoning: "" },
  { name: "a lone end at the end", text: "Hm.\n</think>", content: "", reasoning: "Hm." },
];

for (const { name, text, content, reasoning } of CASES) {
  Deno.test(`ReasoningFilter parts ${name}, however it is cut`, () => {
    const whole = part([text]);
    assertEquals([whole.content, whole.reasoning], [content, reasoning]);
    for (let cut = 0; cut <= text.length; cut++) {
      assertEquals(part([text.slice(0, cut), text.slice(cut)]), whole);
    }
    assertEquals(part([...text]), whole);
  });
}

Deno.test("ReasoningFilter tells thoughts as thoughts while they come", () => {
  const filter = new ReasoningFilter();
  assertEquals(["<thi", "nk>H", "m</", "x</think", ">\n", "Yes"].map((text) => filter.push(text)), [
    [],
    [{ type: "reasoning", text: "H" }],
    [{ type: "reasoning", text: "m" }],
    [{ type: "reasoning", text: "</x" }],
    [],
    [{ type: "text", text: "Yes" }],
  ]);
});

Deno.test("ReasoningFilter takes a text for thoughts where the model is known to begin so", () => {
  assertEquals(part(["Hm.\n</thi", "nk>\n\nYes."], true), {
    content: "Yes.",
    reasoning: "Hm.",
    told: [["reasoning", "Hm.\n"], ["text", "Yes."]],
    closedAlone: true,
  });
  assertEquals(part(["<thi", "nk>Hm.</think>Yes."], true).told, [
    ["reasoning", "Hm."],
    ["text", "Yes."],
  ]);
});

Deno.test("ReasoningFilter takes thoughts that never end for the answer, if no tag opened them", () => {
  assertEquals(part(["Yes", "."], true), {
    content: "Yes.",
    reasoning: "",
    told: [["reasoning", "Yes."], ["text", "Yes."]],
    closedAlone: false,
  });
});

Deno.test("ReasoningFilter loses and adds nothing but tags and blanks around them", () => {
  const piece = fc.constantFrom("<think>", "</think>", "\n", "a", " ", "<", "/", "思", "```", "`");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, opened) => {
      const whole = part([pieces.join("")], opened);
      const cut = part(pieces, opened);
      assertEquals([cut.content, cut.reasoning], [whole.content, whole.reasoning]);
      const bare = (text: string) => text.replace(/<\/?think>|\s/g, "");
      assertEquals(bare(whole.reasoning + whole.content), bare(pieces.join("")));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("reasoningOf() reads one of the fields that bring the same", () => {
  const details = [{ type: "reasoning.text", text: "a" }, {
    type: "reasoning.summary",
    summary: "b",
  }];
  const rows: readonly (readonly [Parameters<typeof reasoningOf>[0], unknown])[] = [
    [{ reasoning_content: "a", reasoning: "a" }, { text: "a", field: "reasoning_content" }],
    [{ reasoning: "b", reasoning_details: details }, { text: "b", field: "reasoning" }],
    [{ reasoning_details: details }, { text: "ab", field: null }],
    [{ reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }, {
      text: "",
      field: null,
    }],
    [{ reasoning_content: null, reasoning: "" }, { text: "", field: null }],
    [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }, { text: "b" }] },
      { text: "a", field: null },
    ],
    [{ reasoning_content: 7, reasoning_details: [null] }, { text: "", field: null }],
  ];
  for (const [delta, expected] of rows) assertEquals(reasoningOf(delta), expected);
});
