/**
 * `rein kb`: the documents that rein knows.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import { type Command, InvalidArgumentError } from "commander";
import type { Ports } from "../ports.ts";

/** The options that all of its commands have. */
export interface KnowledgeCommandOptions {
  readonly output: "text" | "json";
}

const EPILOGUE = `
Documents are text, Markdown and HTML; of a directory all below it, without hidden
files. They stay where they are; a copy of their text is kept for searching, in
~/.local/state/rein/knowledge.db. With REIN_EMBEDDING_MODEL set, it is searched by
meaning, too: texts and queries then go to the model's server.

Exit codes: 0 done; 1 nothing was found, or a path could not be added or removed;
2 wrong use, or the knowledge base can't be used.`;

/** Hits at the most. */
function hits(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 100) return value;
  throw new InvalidArgumentError("It takes a whole number from 1 to 100.");
}

function withOutput(command: Command): Command {
  return command.addOption(outputOption());
}

/**
 * Adds `kb` with its subcommands.
 *
 * @param context `finish` is told the exit code once a command has done its work.
 */
export function addKnowledgeCommands(
  program: Command,
  ports: Ports,
  { signal, finish }: { readonly signal: AbortSignal; readonly finish: (code: number) => void },
): void {
  const kb = program.command("kb").description("the documents that rein knows")
    .addHelpText("after", EPILOGUE);
  const context = { ports, signal };

  withOutput(kb.command("add").argument("<paths...>", "files or directories"))
    .description("add documents, or what has changed in them")
    .action(async (paths: string[], options: KnowledgeCommandOptions) => {
      const { addDocuments } = await import("./kb_add.ts");
      finish(await addDocuments(paths, options, context));
    });

  withOutput(kb.command("list"))
    .description("list the documents, and whether their files have changed since")
    .action(async (options: KnowledgeCommandOptions) => {
      const { listDocuments } = await import("./kb_list.ts");
      finish(await listDocuments(options, context));
    });

  withOutput(kb.command("remove").argument("<paths...>", "documents, or directories of them"))
    .description("remove documents; their files stay")
    .action(async (paths: string[], options: KnowledgeCommandOptions) => {
      const { removeDocuments } = await import("./kb_list.ts");
      finish(await removeDocuments(paths, options, context));
    });

  withOutput(kb.command("search").argument("<query...>", "words to find"))
    .description("find passages; exit 1 if nothing was found")
    .option("-n, --limit <number>", "passages at the most", hits, 5)
    .action(async (query: string[], options: KnowledgeCommandOptions & { limit: number }) => {
      const { searchDocuments } = await import("./kb_search.ts");
      finish(await searchDocuments(query.join(" "), options, context));
    });
}
