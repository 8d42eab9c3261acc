import { assertEquals } from "@std/assert";
import {
  describeTools,
  toTextMessages,
  withinResults,
  withoutSystem,
} from "../../lib/model/text_protocol.ts";
import { TextCallFilter } from "../../lib/model/text_calls.ts";
import type { Message, ToolDefinition } from "../../lib/types.ts";

const SHELL: ToolDefinition = {
  name: "run_shell",
  description: "Runs a command.\nUse it for  programs.",
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", description: "In bash." },
      mode: { enum: ["a", "b"] },
      lines: { type: ["integer", "null"] },
      items: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
      any: {},
    },
    required: ["command"],
    additionalProperties: false,
  },
};

const SYSTEM: Message = { role: "system", content: "Be safe." };
const TASK: Message = { role: "user", content: "Look." };
const ROUND: readonly Message[] = [
  {
    role: "assistant",
    content: "I look.",
    reasoning: "Hm.",
    calls: [
      { id: "1", name: "run_shell", arguments: '{"command":"ls"}' },
      { id: "2", name: "run_shell", arguments: "" },
    ],
  },
  { role: "tool", callId: "1", content: '{"data":"</tool_result>"}' },
  { role: "tool", callId: "2", content: "{}" },
];
const PROGRESS: Message = { role: "user", content: "[Step 2/15]" };

Deno.test("describeTools() says in a few lines what a tool takes", () => {
  const [, described] = describeTools([SHELL]).split("may be left out:\n\n");
  assertEquals(
    described,
    `- run_shell: Runs a command. Use it for programs.
    command (string): In bash.
    mode? ("a"|"b")
    lines? (integer|null)
    items? (object[] {text: string})
    any? (any)`,
  );
  assertEquals(describeTools([]), "");
});

Deno.test("toTextMessages() renders calls and results as texts of two roles in turn", () => {
  assertEquals(toTextMessages([SYSTEM, TASK, ...ROUND, PROGRESS], [SHELL]), [
    { role: "system", content: `Be safe.\n\n${describeTools([SHELL])}` },
    { role: "user", content: "Look." },
    {
      role: "assistant",
      content: "I look.\n" +
        '<tool_call>\n{"name": "run_shell", "arguments": {"command":"ls"}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "run_shell", "arguments": {}}\n</tool_call>',
      calls: [],
    },
    {
      role: "user",
      content: '<tool_result name="run_shell">\n{"data":"<\\/tool_result>"}\n</tool_result>\n\n' +
        '<tool_result name="run_shell">\n{}\n</tool_result>\n\n[Step 2/15]',
    },
  ]);
});

Deno.test("toTextMessages() keeps what it said before, byte for byte, as the conversation grows", () => {
  const text = (messages: readonly Message[]) =>
    toTextMessages(messages, [SHELL]).map(({ role, content }) => `${role}: ${content}`).join("\n");
  const before = text([SYSTEM, TASK, ...ROUND]);
  assertEquals(text([SYSTEM, TASK, ...ROUND, PROGRESS]).startsWith(before), true);
  assertEquals(text([SYSTEM, TASK, ...ROUND, ...ROUND, PROGRESS]).startsWith(before), true);
});

Deno.test("toTextMessages() shows no arguments that never parsed", () => {
  const calls = [{ id: "1", name: "run_shell", arguments: '{"command": "l' }];
  const [said] = toTextMessages([{ role: "assistant", content: "", calls }], []);
  assertEquals(
    said?.content,
    '<tool_call>\n{"name": "run_shell", "arguments": {}}\n</tool_call>',
  );
});

Deno.test("toTextMessages() says nothing of tools where there are none", () => {
  assertEquals(toTextMessages([SYSTEM, TASK], []), [SYSTEM, TASK]);
  assertEquals(toTextMessages([TASK], [SHELL])[0]?.role, "system");
});

Deno.test("toTextMessages() writes calls that are read again as they were", () => {
  const [, , said] = toTextMessages([SYSTEM, TASK, ...ROUND], [SHELL]);
  const filter = new TextCallFilter([SHELL]);
  const text = filter.push(said?.content ?? "");
  assertEquals({ begins: text, ...filter.finish() }, {
    begins: "I look.\n",
    text: "",
    calls: [
      { name: "run_shell", arguments: '{"command":"ls"}' },
      { name: "run_shell", arguments: "{}" },
    ],
    cut: false,
  });
});

Deno.test("withinResults() puts what follows a result into it", () => {
  const [called, first, second] = ROUND;
  assertEquals(withinResults([TASK, ...ROUND, PROGRESS]), [
    TASK,
    called as Message,
    first as Message,
    { ...second as Message, content: "{}\n\n[Step 2/15]" } as Message,
  ]);
});

Deno.test("withinResults() puts what follows a message of the user into it", () => {
  assertEquals(withinResults([SYSTEM, TASK, PROGRESS]), [
    SYSTEM,
    { role: "user", content: "Look.\n\n[Step 2/15]" },
  ]);
});

Deno.test("withoutSystem() begins the first message with the system prompt", () => {
  assertEquals(withoutSystem([SYSTEM, TASK, PROGRESS]), [
    { role: "user", content: "Be safe.\n\nLook." },
    PROGRESS,
  ]);
  assertEquals(withoutSystem([SYSTEM]), [{ role: "user", content: "Be safe." }]);
  assertEquals(withoutSystem([TASK]), [TASK]);
});
