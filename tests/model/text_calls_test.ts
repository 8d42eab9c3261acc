import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { TextCallFilter } from "../../lib/model/text_calls.ts";
import type { ToolDefinition } from "../../lib/types.ts";

function tool(name: string, properties: ToolDefinition["parameters"]["properties"]) {
  const parameters = { type: "object", properties, required: [], additionalProperties: false };
  return { name, description: "", parameters } as ToolDefinition;
}

const TOOLS = [
  tool("run_shell", { command: { type: "string" }, lines: { type: "integer" } }),
  tool("calculate", { expression: { type: "string" } }),
];

interface Found {
  /** All that was told as text. */
  readonly text: string;
  readonly calls: readonly (readonly [name: string, args: string])[];
  readonly cut: boolean;
}

function find(pieces: readonly string[], tools: readonly ToolDefinition[] = TOOLS): Found {
  const filter = new TextCallFilter(tools);
  const told = pieces.map((piece) => filter.push(piece)).join("");
  const { text, calls, cut } = filter.finish();
  return { text: told + text, calls: calls.map((call) => [call.name, call.arguments]), cut };
}

/** However the text is cut in two, and piece by piece, the outcome is the same. */
function findAnyhow(text: string): Found {
  const whole = find([text]);
  for (let cut = 1; cut < text.length; cut++) {
    assertEquals(find([text.slice(0, cut), text.slice(cut)]), whole);
  }
  assertEquals(find([...text]), whole);
  return whole;
}

const LS = ["run_shell", '{"command":"ls"}'] as const;
const SUM = ["calculate", '{"expression":"1+1"}'] as const;
const LS_SUM = [LS, SUM];
const DSML = "<｜DSML｜";

const CALLS: readonly {
  readonly name: string;
  readonly text: string;
  readonly calls: Found["calls"];
  readonly before?: string;
}[] = [
  {
    name: "Hermes",
    text: '<tool_call>\n{"name": "run_shell", "arguments": {"command": "ls"}}\n</tool_call>',
    calls: [LS],
  },
  {
    name: "Hermes, two after words",
    text: 'I look.\n\n<tool_call>{"name":"run_shell","arguments":{"command":"ls"}}</tool_call>\n' +
      '<tool_call>\n{"name":"calculate","arguments":{"expression":"1+1"}}\n</tool_call>\n<|im_end|>',
    calls: LS_SUM,
    before: "I look.\n\n",
  },
  {
    name: "Hermes, its last tag taken for a stop word",
    text: '<tool_call>\n{"arguments": {"command": "ls"}, "name": "run_shell"}\n',
    calls: [LS],
  },
  {
    name: "Hermes with arguments as text",
    text: '<tool_call>{"name":"run_shell","arguments":"{\\"command\\":\\"ls\\"}"}</tool_call>',
    calls: [LS],
  },
  {
    name: "Hermes with a list",
    text: '<tool_call>[{"name":"run_shell","arguments":{"command":"ls"}},' +
      '{"name":"calculate","arguments":{"expression":"1+1"}}]</tool_call>',
    calls: LS_SUM,
  },
  {
    name: "Hermes with its own tag in an argument",
    text: '<tool_call>{"name":"run_shell","arguments":{"command":"echo </tool_call>"}}</tool_call>',
    calls: [["run_shell", '{"command":"echo </tool_call>"}']],
  },
  {
    name: "Hermes that is no strict JSON, as it is",
    text: '<tool_call>{"name": "run_shell", "arguments": {"command": \'ls\',}}</tool_call>',
    calls: [["run_shell", "{\"command\": 'ls',}"]],
  },
  {
    name: "a made-up result, which is dropped",
    text: '<tool_call>{"name":"run_shell","arguments":{"command":"ls"}}</tool_call>\n' +
      "<tool_response>\nfile\n</tool_response>\nThere is one file.",
    calls: [LS],
  },
  {
    name: "Qwen3-Coder",
    text: "<tool_call>\n<function=run_shell>\n<parameter=command>\nls -l\n# </parameter>\n" +
      "</parameter>\n<parameter=lines>\n5\n</parameter>\n</function>\n</tool_call>",
    calls: [["run_shell", '{"command":"ls -l\\n# </parameter>","lines":5}']],
  },
  {
    name: "Qwen3-Coder without its outer tag",
    text:
      "Go.\n<function=run_shell>\n<parameter=command>\n123\n</parameter>\n</function>\n</tool_call>",
    calls: [["run_shell", '{"command":"123"}']],
    before: "Go.\n",
  },
  {
    name: "Functionary 3.1",
    text: '<function=run_shell>{"command":"ls"}</function><function=calculate>' +
      '{"expression":"1+1"}</function><|eom_id|>',
    calls: LS_SUM,
  },
  {
    name: "GLM",
    text: "<tool_call>run_shell\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n" +
      "<arg_key>lines</arg_key><arg_value>5</arg_value>\n</tool_call>",
    calls: [["run_shell", '{"command":"ls","lines":5}']],
  },
  {
    name: "GLM 4.7",
    text: "<tool_call>run_shell<arg_key>command</arg_key><arg_value>ls</arg_value></tool_call>" +
      "<tool_call>calculate<arg_key>expression</arg_key><arg_value>1+1</arg_value></tool_call>",
    calls: LS_SUM,
  },
  {
    name: "GLM without arguments",
    text: "<tool_call>run_shell</tool_call>",
    calls: [["run_shell", "{}"]],
  },
  {
    name: "Mistral",
    text: '[TOOL_CALLS] [{"name": "run_shell", "arguments": {"command": "ls"}}]</s>',
    calls: [LS],
  },
  {
    name: "Mistral since 2025",
    text: 'Well[TOOL_CALLS]run_shell[CALL_ID]abc123456[ARGS]{"command":"ls"}' +
      '[TOOL_CALLS]calculate[ARGS]{"expression":"1+1"}',
    calls: LS_SUM,
    before: "Well",
  },
  { name: "Ministral", text: '[TOOL_CALLS]run_shell{"command":"ls"}', calls: [LS] },
  {
    name: "Llama with its tag",
    text: '<|python_tag|>{"name": "run_shell", "parameters": {"command": "ls"}}; ' +
      '{"name": "calculate", "parameters": {"expression": "1+1"}}<|eom_id|>',
    calls: LS_SUM,
  },
  {
    name: "Llama without",
    text: '{"name": "run_shell", "parameters": {"command": "ls"}}',
    calls: [LS],
  },
  {
    name: "Llama that says what it is",
    text: '\n{"type": "function", "name": "run_shell", "parameters": {"command": "ls"}}',
    calls: [LS],
    before: "\n",
  },
  {
    name: "a list of bare calls",
    text: '[{"name":"run_shell","arguments":{"command":"ls"}},' +
      '{"name":"calculate","arguments":{"expression":"1+1"}}]',
    calls: LS_SUM,
  },
  {
    name: "DeepSeek V3",
    text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run_shell\n" +
      '```json\n{"command":"ls"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function' +
      '<｜tool▁sep｜>calculate\n```json\n{"expression":"1+1"}\n```<｜tool▁call▁end｜>' +
      "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    calls: LS_SUM,
  },
  {
    name: "DeepSeek V3.1",
    text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>run_shell<｜tool▁sep｜>" +
      '{"command":"ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [LS],
  },
  {
    name: "DeepSeek V3.2",
    text: `${DSML}function_calls>\n${DSML}invoke name="run_shell">\n` +
      `${DSML}parameter name="command" string="true">ls</｜DSML｜parameter>\n` +
      `${DSML}parameter name="lines" string="false">5</｜DSML｜parameter>\n` +
      `</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    calls: [["run_shell", '{"command":"ls","lines":5}']],
  },
  {
    name: "MiniMax",
    text:
      '<minimax:tool_call>\n<invoke name="run_shell">\n<parameter name="command">ls</parameter>' +
      '\n</invoke>\n<invoke name="calculate">\n<parameter name="expression">1+1</parameter>\n' +
      "</invoke>\n</minimax:tool_call>",
    calls: LS_SUM,
  },
  {
    name: "Kimi",
    text: "Now<|tool_calls_section_begin|><|tool_call_begin|>functions.run_shell:0" +
      '<|tool_call_argument_begin|>{"command":"ls"}<|tool_call_end|><|tool_call_begin|>' +
      'functions.calculate:1 <|tool_call_argument_begin|>{"expression":"1+1"}<|tool_call_end|>' +
      "<|tool_calls_section_end|>",
    calls: LS_SUM,
    before: "Now",
  },
  { name: "Functionary 3.2", text: '>>>run_shell\n{"command":"ls"}', calls: [LS] },
  {
    name: "Functionary 2",
    text: '<|recipient|>run_shell\n<|content|>{"command":"ls"}<|stop|>',
    calls: [LS],
  },
  {
    name: "gpt-oss",
    text: "<|channel|>commentary to=functions.run_shell <|constrain|>json<|message|>" +
      '{"command":"ls"}<|call|>',
    calls: [LS],
  },
  {
    name: "Phi",
    text: '<|tool_call|>[{"name":"run_shell","arguments":{"command":"ls"}}]<|/tool_call|>',
    calls: [LS],
  },
  {
    name: "Command",
    text: '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"run_shell",' +
      '"parameters":{"command":"ls"}}]<|END_ACTION|>',
    calls: [LS],
  },
  {
    name: "Nemotron",
    text: '<TOOLCALL>[{"name":"run_shell","arguments":{"command":"ls"}}]</TOOLCALL>',
    calls: [LS],
  },
  {
    name: "Llama 4's Python",
    text: '[run_shell(command=\'ls -l "a"\', lines=-5), calculate(expression="1\\n",)]<|eom_id|>',
    calls: [
      ["run_shell", '{"command":"ls -l \\"a\\"","lines":-5}'],
      ["calculate", '{"expression":"1\\n"}'],
    ],
  },
  {
    name: "Llama 4's Python with all of its literals",
    text: "[run_shell(command=['a', 1.5e3, True, None, {'b': [False]}, {}])]",
    calls: [["run_shell", '{"command":["a",1500,true,null,{"b":[false]},{}]}']],
  },
  {
    name: "GLM behind a sentence",
    text:
      "Let me look: <tool_call>run_shell <arg_key>command</arg_key> <arg_value>ls</arg_value> " +
      "</tool_call>",
    calls: [LS],
    before: "Let me look: ",
  },
  {
    name: "OpenAI's own shape",
    text: '<tool_call>{"type":"function","function":{"name":"run_shell","arguments":' +
      '{"command":"ls"}}}</tool_call>',
    calls: [LS],
  },
];

for (const { name, text, calls, before = "" } of CALLS) {
  Deno.test(`TextCallFilter finds ${name}, however it is cut`, () => {
    assertEquals(findAnyhow(text), { text: before, calls, cut: false });
  });
}

const HERMES = '<tool_call>\n{"name": "run_shell", "arguments": {"command": "ls"}}\n</tool_call>';

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ["words", "Hello, 世界 <b>1 < 2</b> [x](y) {z}"],
  ["a call in a code fence", "Like this:\n```xml\n" + HERMES + "\n```"],
  ["a call in a code fence that has not ended", "Like this:\n~~~~\n~~~\n" + HERMES],
  ["a call in a code span", "Write `" + HERMES + "` for it"],
  ["a special token in a code span", 'It is `[TOOL_CALLS]run_shell{"command":"ls"}'],
  ["an example that is followed by words", HERMES + "\nThat is how it goes."],
  ["a tag within a line", "The tag is " + HERMES],
  ["a tool that was not offered", '<tool_call>{"name":"rm","arguments":{}}</tool_call>'],
  ["a bare answer in JSON", '{"name": "Ada", "arguments": {"a": 1}}'],
  ["a bare answer that names a tool", '{"name": "run_shell", "purpose": "commands"}'],
  ["a bare call that is followed by words", '{"name":"run_shell","arguments":{}}\nSo it is.'],
  ["a bare call after words", 'So: {"name":"run_shell","arguments":{}}'],
  ["a list in Python that calls nothing", "[run_shell, calculate(expression=x)]"],
  ["a list in Python with an expression", "[calculate(expression=f(1))]"],
  ["a list in Python that is followed by words", "[calculate(expression='1')] is the call."],
  ["a tag alone", "<tool_call>\n"],
  ["an empty list", "<tool_call>[]</tool_call>"],
  ["a list with one that is no call", '<tool_call>[{"name":"run_shell"},7]</tool_call>'],
  ["arguments that are a list", '<tool_call>{"name":"run_shell","arguments":[1]}</tool_call>'],
  ["an unknown function", "<function=rm>\n<parameter=path>\n/\n</parameter>\n</function>"],
  ["a quotation", ">>> 1 + 1\n2\n"],
  ["half a mark", "So it is <tool_c"],
];

for (const [name, text] of TEXTS) {
  Deno.test(`TextCallFilter leaves ${name} as it is, however it is cut`, () => {
    assertEquals(findAnyhow(text), { text, calls: [], cut: false });
  });
}

Deno.test("TextCallFilter takes a call that has no end for one that was cut off", () => {
  const rows: readonly (readonly [text: string, calls: Found["calls"]])[] = [
    ['<tool_call>{"name":"run_shell","arguments":{"command":"rm -', [
      ["run_shell", '{"command":"rm -'],
    ]],
    ['{"name":"run_shell","parameters":{"comm', [["run_shell", '{"comm']]],
    [`${HERMES}\n<tool_call>{"name":"calculate","argum`, [LS, ["calculate", ""]]],
    ["<function=run_shell>\n<parameter=command>\nrm -", [["run_shell", "{}"]]],
    ["<function=run_shell>\n<parameter=command>\nls\n</parameter>\n</fun", [["run_shell", "{}"]]],
    ["<tool_call>run_shell\n<arg_key>command</arg_key><arg_value>rm", [["run_shell", "{}"]]],
    ["[TOOL_CALLS]run_shell[ARGS]", [["run_shell", ""]]],
    ["[run_shell(command='rm -", [["run_shell", ""]]],
    ["[run_shell(command='ls', li", [["run_shell", ""]]],
    ["[calculate(expression='1'), run_shell(lines=1", [
      ["calculate", '{"expression":"1"}'],
      ["run_shell", ""],
    ]],
    [
      "<|tool_calls_section_begin|><|tool_call_begin|>functions.run_shell:0" +
      '<|tool_call_argument_begin|>{"command',
      [["run_shell", '{"command']],
    ],
    [`${DSML}function_calls>${DSML}invoke name="run_shell">${DSML}para`, [["run_shell", "{}"]]],
  ];
  for (const [text, calls] of rows) {
    assertEquals(findAnyhow(text), { text: "", calls, cut: true });
  }
});

Deno.test("TextCallFilter finds the call behind an example", () => {
  const text = `Like this:\n${HERMES}\nand now really:\n${HERMES}`;
  assertEquals(find([text]), { text: text.slice(0, -HERMES.length), calls: [LS], cut: false });
});

Deno.test("TextCallFilter finds no calls where no tools were offered", () => {
  assertEquals(find([HERMES], []), { text: HERMES, calls: [], cut: false });
});

Deno.test("TextCallFilter tells words at once, and holds back only what may be a call", () => {
  const filter = new TextCallFilter(TOOLS);
  const pieces = ["Hi <", "b>", "\n<tool", "_box>", "\n<tool_call>", "no", " {"];
  assertEquals(pieces.map((piece) => filter.push(piece)), [
    "Hi ",
    "<b>",
    "\n",
    "<tool_box>",
    "\n",
    "<tool_call>no",
    " {",
  ]);
});

Deno.test("TextCallFilter reads 200,000 pieces of one line, and as many beginnings, in linear time", () => {
  const line = "word ".repeat(40_000);
  assertEquals(find([...line]), { text: line, calls: [], cut: false });
  const openings = "<tool_call>{\n".repeat(15_000);
  assertEquals(find([openings]), { text: openings, calls: [], cut: false });
});

Deno.test("TextCallFilter gives the same however a text is cut, and loses none of it", () => {
  const piece = fc.constantFrom(
    "<tool_call>",
    "</tool_call>",
    '{"name":"run_shell","arguments":{"command":"ls"}}',
    '{"name": "calculate", ',
    "[TOOL_CALLS]",
    "<function=run_shell>",
    "<parameter=command>",
    "</parameter>",
    "</function>",
    "```",
    "\n",
    " ",
    "`",
    "x",
    '"',
    "{",
    "}",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const whole = find([text]);
      assertEquals(find(pieces), whole);
      assertEquals(find([...text]), whole);
      assertEquals(text.startsWith(whole.text), true);
      if (whole.calls.length === 0) assertEquals(whole.text, text);
    }),
    { numRuns: 3000 },
  );
});
