/**
 * Another process that has a session.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** Starts a process on a session, which says a line for every event that it stored. */
export function startChild(directory: string, id: string, ...rest: readonly string[]) {
  const script = fileURLToPath(new URL("_appending.ts", import.meta.url));
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "-P=tests", script, directory, id, ...rest],
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** The lines of a stream, as they come. */
export function linesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  let rest = "";
  const lines = new TransformStream<string, string>({
    transform: (text, controller) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) controller.enqueue(line);
    },
  });
  return stream.pipeThrough(new TextDecoderStream()).pipeThrough(lines);
}
