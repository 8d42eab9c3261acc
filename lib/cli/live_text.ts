/**
 * What a run says to a person at a terminal, who sees every word as it comes.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import { type MarkdownOptions, MarkdownStream, PLAIN_MARKDOWN } from "./markdown/stream.ts";
import { printable } from "./printable.ts";
import type { Reader } from "./render.ts";

/** Builds the reader that shows text as it comes, as Markdown, each turn on lines of its own. */
export function createLiveText(
  terminal: Pick<Terminal, "out">,
  options: MarkdownOptions = PLAIN_MARKDOWN,
): Reader {
  const markdown = new MarkdownStream(options);
  let atLineStart = true;
  const end = async () => {
    await terminal.out(markdown.end() + (atLineStart ? "" : "\n"));
    atLineStart = true;
  };
  return async (event) => {
    if (event.type === "text_delta") {
      const text = printable(event.text);
      if (text === "") return;
      atLineStart = text.endsWith("\n");
      return await terminal.out(markdown.push(text));
    }
    // Text that is void stays where it is; what counts begins on a line of its own.
    if (event.type === "text_restarted") await end();
    if (event.type === "turn_finished" || event.type === "run_finished") await end();
  };
}
