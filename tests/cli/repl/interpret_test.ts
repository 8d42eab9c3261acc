import { assertEquals } from "@std/assert";
import { SLASH_COMMANDS } from "../../../lib/cli/repl/commands.ts";
import { meaningOf } from "../../../lib/cli/repl/interpret.ts";

/** What a line means, in short. */
function short(text: string): string {
  const meaning = meaningOf(text);
  switch (meaning.kind) {
    case "ask":
      return `ask: ${meaning.question}`;
    case "command":
      return `${meaning.command.name}: ${meaning.rest}`;
    case "unknown":
      return meaning.message;
    case "leave":
      return "leave";
  }
}

Deno.test("meaningOf() tells commands from questions and paths", () => {
  const lines = [
    "/help",
    "/policy  rm -rf x ",
    "/var/log fills up",
    "/etc/hosts",
    " /help",
    "why?",
  ];
  assertEquals(lines.map(short), [
    "help: ",
    "policy: rm -rf x",
    "ask: /var/log fills up",
    "ask: /etc/hosts",
    "ask: /help",
    "ask: why?",
  ]);
});

Deno.test("meaningOf() knows the words that leave", () => {
  assertEquals(["q", "exit", "quit", "/quit", "q?"].map(short), [
    "leave",
    "leave",
    "leave",
    "quit: ",
    "ask: q?",
  ]);
});

Deno.test("meaningOf() says what may have been meant", () => {
  assertEquals([short("/hlep"), short("/xyzzy")], [
    "There is no command /hlep. Was /help meant? See /help; begin with a blank to ask it.",
    "There is no command /xyzzy. See /help; begin with a blank to ask it.",
  ]);
});

Deno.test("SLASH_COMMANDS have names of their own that can be typed", () => {
  const names = SLASH_COMMANDS.map(({ name }) => name);
  assertEquals(names.filter((name, index) => names.indexOf(name) !== index), []);
  assertEquals(names.filter((name) => !/^[a-z][a-z-]*$/.test(name)), []);
});
