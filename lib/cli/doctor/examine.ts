/**
 * What a model has to be able to do, one check each: a task, and what must come of it.
 *
 * @module
 */

import type { Tool } from "../../types.ts";
import { calculateTool } from "../../../tools/calculate.ts";
import type { Conversation } from "./converse.ts";
import { DEGREES, noteTool, thermometerTool } from "./tools.ts";

/** What is wrong, and what to do. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** One thing that a model has to be able to do. */
export interface Examination {
  readonly name: string;
  readonly task: string;
  readonly tools: readonly Tool[];
  /** What is wrong with what came of it; null if nothing. */
  fault(conversation: Conversation): Fault | null;
}

/** Characters of an answer that are shown. */
const SHOWN_CHARS = 80;

const OTHER_MODEL = "Take another model; this one is not fit for calls.";

function shown(answer: string): string {
  const line = answer.replace(/\s+/g, " ").trim();
  if (line === "") return "nothing";
  return `"${line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line}"`;
}

/** An answer without what people put between digits. */
function digitsOf(answer: string): string {
  return answer.replace(/(?<=\d)[\s,.' _\u00a0\u202f](?=\d{3})/g, "");
}

function succeeded({ calls }: Conversation, tool: Tool): Conversation["calls"] {
  return calls.filter((call) => call.tool === tool.name && call.observation.status === "success");
}

/** Why no call came, or none that could be run. */
function noCall({ calls, answer }: Conversation): Fault {
  const failed = calls.at(-1)?.observation.error;
  if (failed) {
    return { message: `its calls can't be run: ${failed.message}`, hint: OTHER_MODEL };
  }
  return {
    message: `it made no call and answered ${shown(answer)}`,
    hint: "Start the server with its parser of calls, try --tool-protocol text, or take a model " +
      "that was made for tools.",
  };
}

function values(conversation: Conversation): string[] {
  return succeeded(conversation, calculateTool as unknown as Tool)
    .map(({ observation }) => String(observation.data?.["value"]));
}

/** That the answer holds what the calls brought. */
function unused(conversation: Conversation, wanted: readonly string[]): Fault | null {
  const answer = digitsOf(conversation.answer);
  const missing = wanted.find((value) => !answer.includes(value));
  if (missing === undefined) return null;
  return {
    message: `it did not use the result ${missing} and answered ${shown(conversation.answer)}`,
    hint: OTHER_MODEL,
  };
}

/** A text in which a wrong encoding, or one that was translated, shows. */
const CHINESE = "检查磁盘空间：/var/日志";

/** The checks that ask the model, in their order. */
export const EXAMINATIONS: readonly Examination[] = [
  {
    name: "answer",
    task: "Answer with this one word: ready",
    tools: [],
    fault: ({ pieces, answer }) =>
      pieces > 0 && answer.trim() !== "" ? null : {
        message: "no text came",
        hint: "Look at the server's log, and try another model.",
      },
  },
  {
    name: "call",
    task: "Calculate 48273 * 91827 with the tool calculate, and answer with the result.",
    tools: [calculateTool as unknown as Tool],
    fault(conversation) {
      const found = values(conversation);
      return found.length === 0 ? noCall(conversation) : unused(conversation, found.slice(-1));
    },
  },
  {
    name: "two calls",
    task: "Calculate 1357 * 2468 and 9753 * 8642 with the tool calculate. Make both calls at " +
      "once, in one turn, and answer with both results.",
    tools: [calculateTool as unknown as Tool],
    fault(conversation) {
      const found = values(conversation);
      if (found.length < 2) return noCall(conversation);
      if (!conversation.turns.some(({ calls }) => calls.length > 1)) {
        return {
          message: "it makes one call after another",
          hint: "It can do the job, in more steps and more time.",
        };
      }
      return unused(conversation, found);
    },
  },
  {
    name: "chinese",
    task: `Write this note with the tool note, word for word: ${CHINESE}`,
    tools: [noteTool],
    fault(conversation) {
      const [call] = succeeded(conversation, noteTool);
      if (call === undefined) return noCall(conversation);
      const text = Object(call.arguments)["text"];
      if (String(text).trim() === CHINESE) return null;
      return {
        message: `the argument came as ${shown(String(text))}`,
        hint: "Do not use it for texts in Chinese; look at the server's tokenizer and template.",
      };
    },
  },
  {
    name: "recovery",
    task: "Read the temperature at the station roof with the tool thermometer. If the tool " +
      "reports an error, do what it says. Answer with the degrees.",
    tools: [thermometerTool],
    fault(conversation) {
      if (conversation.calls.length === 0) return noCall(conversation);
      if (succeeded(conversation, thermometerTool).length === 0) {
        return {
          message: "it did not correct its call by what the error said",
          hint: OTHER_MODEL,
        };
      }
      return unused(conversation, [String(DEGREES)]);
    },
  },
];
