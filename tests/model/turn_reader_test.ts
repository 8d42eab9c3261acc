import { assertEquals } from "@std/assert";
import { TurnReader } from "../../lib/model/turn_reader.ts";
import type { SaidPiece } from "../../lib/model/reasoning.ts";
import { fakeTool } from "../fakes.ts";

const { name, description, parameters } = fakeTool();
const TOOLS = [{ name, description, parameters }];
const CALL = `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`;
const CALLS = [{ name, arguments: "{}" }];

/** Text, or text and thoughts. */
type Piece = string | readonly [text: string, reasoning: string];

function read(pieces: readonly Piece[], options: { opened?: boolean; native?: boolean } = {}) {
  const reader = new TurnReader({ tools: TOOLS, opensThinking: options.opened ?? false });
  const said: SaidPiece[] = pieces.flatMap((piece) =>
    typeof piece === "string" ? reader.push(piece) : reader.push(...piece)
  );
  const { pieces: last, ...turn } = reader.finish(options.native ?? false);
  const told = [...said, ...last].map((piece) =>
    piece.type === "restart" ? "restart" : `${piece.type}: ${piece.text}`
  );
  return { ...turn, told };
}

Deno.test("TurnReader parts thoughts, words and calls", () => {
  assertEquals(read(["<think>Hm.</thi", "nk>\n\nI look.\n", CALL]), {
    content: "I look.",
    reasoning: "Hm.",
    calls: CALLS,
    cut: false,
    told: ["reasoning: Hm.", "text: I look.\n"],
  });
});

Deno.test("TurnReader takes thoughts that the server tells apart", () => {
  assertEquals(read([["", "Hm"], ["", "."], ["Yes.", ""]], { opened: true }), {
    content: "Yes.",
    reasoning: "Hm.",
    calls: [],
    cut: false,
    told: ["reasoning: Hm", "reasoning: .", "text: Yes."],
  });
});

Deno.test("TurnReader finds no calls among thoughts, nor beside the server's own", () => {
  const thought = read([`<think>${CALL}</think>Yes.`]);
  assertEquals([thought.content, thought.calls], ["Yes.", []]);
  const beside = read(["I look.\n", CALL], { native: true });
  assertEquals([beside.content, beside.calls], [`I look.\n${CALL}`, []]);
  assertEquals(beside.told.join("").replaceAll("text: ", ""), `I look.\n${CALL}`);
});

Deno.test("TurnReader knows in the end that what it told were thoughts", () => {
  assertEquals(read(["Hm.\n", "</think>\n\n", "I look.\n", CALL]), {
    content: "I look.",
    reasoning: "Hm.",
    calls: CALLS,
    cut: false,
    told: ["text: Hm.\n", "restart", "text: I look.\n"],
  });
});

Deno.test("TurnReader reads a call whose beginning was not the text's, once thoughts are known", () => {
  const bare = `{"name":"${name}","parameters":{}}`;
  assertEquals(read(["Hm.\n</think>\n\n", bare]).calls, CALLS);
  assertEquals(read(["Hm.\n</think>\n\n", bare], { opened: true }).calls, CALLS);
});
