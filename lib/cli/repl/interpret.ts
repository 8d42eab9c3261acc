/**
 * What a line at the prompt means.
 *
 * @module
 */

import { closest } from "../../calls/closest.ts";
import { english, type Say } from "../../messages/messages.ts";
import { SLASH_COMMANDS, type SlashCommand } from "./commands.ts";

/** What is wanted. */
export type Meaning =
  | { readonly kind: "ask"; readonly question: string }
  | { readonly kind: "command"; readonly command: SlashCommand; readonly rest: string }
  | { readonly kind: "unknown"; readonly message: string }
  | { readonly kind: "leave" };

/** Words that leave, by themselves. */
const LEAVING: readonly string[] = ["q", "quit", "exit", ":q"];

/**
 * Tells commands from questions. A path is no command, and neither is a line that begins with a
 * blank.
 *
 * @param text Not empty.
 */
export function meaningOf(text: string, say: Say = english): Meaning {
  const question = text.trim();
  if (LEAVING.includes(question)) return { kind: "leave" };
  const [, name, rest = ""] = /^\/([\w-]+)(?![\w/.-])\s*([^]*)$/.exec(text) ?? [];
  if (name === undefined) return { kind: "ask", question };
  const command = SLASH_COMMANDS.find((command) => command.name === name);
  if (command !== undefined) return { kind: "command", command, rest: rest.trim() };
  const [similar] = closest(name, SLASH_COMMANDS.map((command) => command.name));
  const message = similar === undefined
    ? say("session.unknown_command", { name })
    : say("session.unknown_command_near", { name, near: similar });
  return { kind: "unknown", message };
}
