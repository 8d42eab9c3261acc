/**
 * The forms in which models write calls into their text, where nobody between them and rein parses
 * them: each with how it begins and how it is read.
 *
 * @module
 */

import type { CallText, Reading } from "./call_text.ts";

/** One form. */
export interface CallForm {
  /** Whose models write so. */
  readonly models: string;
  /** What it begins with. */
  readonly opens: readonly string[];
  /** Whether it counts only at the beginning of a line or behind a sentence, not within one. */
  readonly ownLine: boolean;
  /** What may follow the opening, blanks aside; NAME stands for each tool. */
  readonly heads: readonly string[];
  /** Reads from behind the opening. */
  read(scan: CallText): Reading;
}

/** Stands for the name of a tool among heads. */
export const NAME = "NAME";

/** Reads one thing again and again, while a mark says that there is one more. */
function readEach(more: () => boolean, read: () => Reading): Reading {
  let reading: Reading = "none";
  do {
    reading = read();
    if (reading !== "whole") return reading;
  } while (more());
  return reading;
}

/** Passes an end that may be missing where the text ends: what it closes is complete by itself. */
function endsWith(scan: CallText, closes: readonly string[]): Reading {
  if (closes.length === 0 || scan.eat(...closes)) return "whole";
  return scan.endsWithin(...closes) ? "whole" : "none";
}

/** JSON between marks. */
function jsonForm(models: string, open: string, closes: readonly string[]): CallForm {
  return {
    models,
    opens: [open],
    ownLine: !open.includes("|"),
    heads: ["{", "["],
    read: (scan) => readJson(scan, closes),
  };
}

function readJson(scan: CallText, closes: readonly string[], isBare = false): Reading {
  const more = () => scan.eat(";") || /^\s*[{[]/.test(scan.text.slice(scan.at, scan.at + 20));
  const reading = readEach(more, () => scan.readJsonCalls(isBare));
  return reading === "whole" ? endsWith(scan, closes) : reading;
}

/** The value ends where another begins or the call ends: it may hold the mark itself. */
const XML_PARAMETER =
  /\s*<parameter=([^>\n]{1,64})>([^]*?)<\/parameter>(?=\s*(?:<parameter=|<\/function>|$))/y;

/** One line end on each side belongs to the form, not to the value. */
function trimLines(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

/** `name>` with parameters, or with a JSON object, up to `</function>`. */
function readXmlFunction(scan: CallText): Reading {
  const name = scan.nameOf(scan.match(/([^>\n]{1,64})>/y)?.[1]);
  if (name === null) return "none";
  if (/^\s*\{/.test(scan.text.slice(scan.at, scan.at + 20))) {
    const reading = scan.readArguments(name);
    return reading === "whole" ? endsWith(scan, ["</function>"]) : reading;
  }
  const parts: [string, string][] = [];
  for (let one = scan.match(XML_PARAMETER); one !== null; one = scan.match(XML_PARAMETER)) {
    parts.push([one[1]!.trim(), trimLines(one[2]!)]);
  }
  const whole = scan.eat("</function>");
  const cut = !whole && (scan.endsWithin("</function>", "<parameter=") || scan.eat("<parameter="));
  if (!whole && !cut) return "none";
  scan.addParts(name, parts);
  if (cut) scan.at = scan.text.length;
  return whole ? "whole" : "cut";
}

const GLM_PART =
  /\s*<arg_key>([^<]{1,64})<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call>|$))/y;

/** `name`, then keys and values, up to `</tool_call>`. */
function readGlm(scan: CallText): Reading {
  const name = scan.nameOf(scan.match(/\s*([\w.-]{1,64})/y)?.[1]);
  if (name === null) return "none";
  const parts: [string, string][] = [];
  for (let one = scan.match(GLM_PART); one !== null; one = scan.match(GLM_PART)) {
    parts.push([one[1]!.trim(), one[2]!]);
  }
  const whole = scan.eat("</tool_call>");
  const cut = !whole && (scan.endsWithin("</tool_call>", "<arg_key>") || scan.eat("<arg_key>"));
  if (!whole && !cut) return "none";
  scan.addParts(name, parts);
  if (cut) scan.at = scan.text.length;
  return whole ? "whole" : "cut";
}

function readToolCall(scan: CallText): Reading {
  scan.skipBlanks();
  if (/[{[]/.test(scan.text[scan.at] ?? "")) return readJson(scan, ["</tool_call>"]);
  if (!scan.eat("<function=")) return readGlm(scan);
  const reading = readEach(() => scan.eat("<function="), () => readXmlFunction(scan));
  return reading === "whole" ? endsWith(scan, ["</tool_call>"]) : reading;
}

/** `<invoke name="…">` with parameters, in tags that may have a prefix. */
function readInvoke(scan: CallText, prefix: string): Reading {
  const tag = (name: string) => `<${prefix}${name}`;
  const close = (name: string) => `</${prefix}${name}>`;
  const name = scan.nameOf(scan.match(/\s+name="([^"]{1,64})"\s*>/y)?.[1]);
  if (name === null) return "none";
  const parts: [string, string][] = [];
  const part = new RegExp(
    `\\s*${tag("parameter")}\\s+name="([^"]{1,64})"(?:\\s+string="(true|false)")?\\s*>([^]*?)${
      close("parameter")
    }(?=\\s*(?:${tag("parameter")}|${close("invoke")}|$))`,
    "y",
  );
  for (let one = scan.match(part); one !== null; one = scan.match(part)) {
    const text = one[2] === "true" ? one[3]! : trimLines(one[3]!);
    parts.push([one[1]!, text]);
  }
  const whole = scan.eat(close("invoke"));
  const cut = !whole &&
    (scan.endsWithin(close("invoke"), tag("parameter")) || scan.eat(tag("parameter")));
  if (!whole && !cut) return "none";
  scan.addParts(name, parts);
  if (cut) scan.at = scan.text.length;
  return whole ? "whole" : "cut";
}

function invokeForm(models: string, prefix: string, opens: readonly string[]): CallForm {
  return {
    models,
    opens,
    ownLine: true,
    heads: [`<${prefix}invoke name="`],
    read(scan) {
      const more = () => scan.eat(`<${prefix}invoke`);
      if (!more()) return "none";
      const reading = readEach(more, () => readInvoke(scan, prefix));
      return reading === "whole"
        ? endsWith(scan, opens.map((open) => open.replace("<", "</")))
        : reading;
    },
  };
}

/** `name[ARGS]{…}`, in some versions with an id between, in others without the mark. */
function readMistral(scan: CallText): Reading {
  scan.skipBlanks();
  if (/[{[]/.test(scan.text[scan.at] ?? "")) return readJson(scan, []);
  return readEach(() => scan.eat("[TOOL_CALLS]"), () => {
    const name = scan.nameOf(scan.match(/\s*([\w.-]{1,64})/y)?.[1]);
    if (name === null) return "none";
    scan.match(/\s*\[CALL_ID\]\s*\w{1,40}/y);
    scan.eat("[ARGS]");
    return scan.readArguments(name);
  });
}

const DEEPSEEK_CALL = "<｜tool▁call▁begin｜>";
const DEEPSEEK_SEPARATOR = "<｜tool▁sep｜>";

/** `name`, a separator, JSON; older ones say `function` first and put a fence around the JSON. */
function readDeepSeek(scan: CallText): Reading {
  const more = () => scan.eat(DEEPSEEK_CALL);
  if (!more()) return "none";
  const reading = readEach(more, () => {
    const first = scan.match(/\s*([\w.:-]{1,64})\s*/y)?.[1];
    if (!scan.eat(DEEPSEEK_SEPARATOR)) return "none";
    const known = scan.nameOf(first);
    const name = known ?? scan.nameOf(scan.match(/\s*([\w.:-]{1,64})/y)?.[1]);
    if (name === null) return "none";
    scan.eat("```json");
    const read = scan.readArguments(name);
    if (read !== "whole") return read;
    scan.eat("```");
    return endsWith(scan, ["<｜tool▁call▁end｜>"]);
  });
  return reading === "whole" ? endsWith(scan, ["<｜tool▁calls▁end｜>"]) : reading;
}

function readKimi(scan: CallText): Reading {
  const more = () => scan.eat("<|tool_call_begin|>");
  if (!more()) return "none";
  const reading = readEach(more, () => {
    const name = scan.nameOf(scan.match(/\s*([\w.:-]{1,80})\s*/y)?.[1]);
    if (name === null || !scan.eat("<|tool_call_argument_begin|>")) return "none";
    const read = scan.readArguments(name);
    return read === "whole" ? endsWith(scan, ["<|tool_call_end|>"]) : read;
  });
  return reading === "whole" ? endsWith(scan, ["<|tool_calls_section_end|>"]) : reading;
}

/** `[f(x=1), g(y="z")]`, in Python's words. */
function readPythonList(scan: CallText): Reading {
  const more = () => scan.eat(",");
  const reading = readEach(more, () => {
    const name = scan.nameOf(scan.match(/\s*([\w.-]{1,64})\s*(?=\()/y)?.[1]);
    return name === null ? "none" : scan.readPythonArguments(name);
  });
  return reading === "whole" && !scan.eat("]") ? (scan.ended ? "cut" : "none") : reading;
}

/** A name in a line of its own, and JSON below it. */
function readRecipient(scan: CallText, content: string): Reading {
  const name = scan.nameOf(scan.match(/\s*([\w.-]{1,64})[ \t]*\r?\n/y)?.[1]);
  if (name === null || (content !== "" && !scan.eat(content))) return "none";
  return scan.readArguments(name);
}

function readHarmony(scan: CallText): Reading {
  const name = scan.nameOf(
    scan.match(/\s*\w+ to=([\w.-]{1,80})(?:\s*<\|constrain\|>\s*\w+)?\s*<\|message\|>/y)?.[1],
  );
  if (name === null) return "none";
  const reading = scan.readArguments(name);
  return reading === "whole" ? endsWith(scan, ["<|call|>"]) : reading;
}

/**
 * All forms. Source: the models' chat templates and the parsers of vLLM, SGLang and llama.cpp, as of
 * November 2026.
 */
export const CALL_FORMS: readonly CallForm[] = [
  {
    models: "Hermes, Qwen, Qwen3-Coder, GLM, Granite",
    opens: ["<tool_call>"],
    ownLine: true,
    heads: ["{", "[", `<function=${NAME}>`, NAME],
    read: readToolCall,
  },
  {
    models: "Qwen3-Coder without its outer tag, Functionary 3.1, Llama",
    opens: ["<function="],
    ownLine: true,
    heads: [`${NAME}>`],
    read(scan) {
      const reading = readEach(() => scan.eat("<function="), () => readXmlFunction(scan));
      scan.eat("</tool_call>");
      return reading;
    },
  },
  {
    models: "Mistral",
    opens: ["[TOOL_CALLS]"],
    ownLine: false,
    heads: ["[", "{", NAME],
    read: readMistral,
  },
  jsonForm("Llama 3", "<|python_tag|>", ["<|eom_id|>", "<|eot_id|>"]),
  {
    models: "DeepSeek V3, R1, V3.1",
    opens: ["<｜tool▁calls▁begin｜>"],
    ownLine: false,
    heads: [DEEPSEEK_CALL],
    read: readDeepSeek,
  },
  invokeForm("DeepSeek V3.2 and later", "｜DSML｜", [
    "<｜DSML｜function_calls>",
    "<｜DSML｜tool_calls>",
  ]),
  invokeForm("MiniMax M2", "", ["<minimax:tool_call>", "<function_calls>"]),
  {
    models: "Kimi K2",
    opens: ["<|tool_calls_section_begin|>"],
    ownLine: false,
    heads: ["<|tool_call_begin|>"],
    read: readKimi,
  },
  {
    models: "Functionary 3.2",
    opens: [">>>"],
    ownLine: true,
    heads: [`${NAME}\n`],
    read: (scan) => readEach(() => scan.eat(">>>"), () => readRecipient(scan, "")),
  },
  {
    models: "Functionary 2",
    opens: ["<|recipient|>"],
    ownLine: false,
    heads: [NAME],
    read: (scan) => readRecipient(scan, "<|content|>"),
  },
  {
    models: "gpt-oss",
    opens: ["<|channel|>"],
    ownLine: false,
    heads: [`commentary to=functions.${NAME}`, `analysis to=functions.${NAME}`],
    read: readHarmony,
  },
  jsonForm("Phi-4-mini, Granite 3", "<|tool_call|>", ["<|/tool_call|>"]),
  jsonForm("Command", "<|START_ACTION|>", ["<|END_ACTION|>"]),
  jsonForm("InternLM", "<|action_start|><|plugin|>", ["<|action_end|>"]),
  jsonForm("Hunyuan", "<tool_calls>", ["</tool_calls>"]),
  jsonForm("Nemotron", "<TOOLCALL>", ["</TOOLCALL>"]),
  jsonForm("models tuned on older sets of calls", "<function_call>", ["</function_call>"]),
  jsonForm("models tuned on Glaive's set", "<functioncall>", ["</functioncall>"]),
];

/** Calls that are all of a text, in a list as Python has it. Llama 3.2 and 4. */
export const PYTHON_FORM: CallForm = {
  models: "Llama 3.2, Llama 4",
  opens: ["["],
  ownLine: true,
  heads: [`[${NAME}(`],
  read: (scan) => scan.eat("[") ? readPythonList(scan) : "none",
};

/**
 * A call that is all of a text, without any mark; blanks are left out of what its heads are compared
 * with. Llama 3, xLAM.
 */
export const BARE_FORM: CallForm = {
  models: "Llama 3, xLAM",
  opens: ["{", "["],
  ownLine: true,
  heads: [
    `{"name":"${NAME}"`,
    `{"type":"function","name":"${NAME}"`,
    `{"type":"function","function":"${NAME}"`,
    `{"type":"function","function":{"name":"${NAME}"`,
    `{"function":"${NAME}"`,
    `{"parameters":{`,
    `[{"name":"${NAME}"`,
    `[{"type":"function","function":{"name":"${NAME}"`,
  ],
  read: (scan) => readJson(scan, [], true),
};
