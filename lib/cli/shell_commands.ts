/**
 * `rein completions` and `rein man`: what shells and `man` need to know of the command line.
 *
 * @module
 */

import { Argument, type Command } from "commander";
import type { Terminal } from "../ports.ts";
import { commandTree } from "./command_tree.ts";
import { completionsFor, type Shell, SHELLS } from "./completions.ts";
import type { ManText } from "./man_page.ts";

/** Adds both commands; they tell of all others of the program. */
export function addShellCommands(program: Command, terminal: Terminal, text: ManText): void {
  const shell = new Argument("<shell>", "the shell they are for").choices(SHELLS);
  program.command("completions").addArgument(shell)
    .description("print completions of the command line for a shell")
    .action(async (shell: Shell) => {
      await terminal.out(completionsFor(shell, commandTree(program)));
    });
  program.command("man")
    .description("print the manual page; rein man | man -l - shows it")
    .action(async () => {
      const { manPage } = await import("./man_page.ts");
      await terminal.out(manPage(commandTree(program), text));
    });
}
