/**
 * `write_file`: a whole text file, put in place at once.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import type { Tool } from "../lib/types.ts";
import {
  currentText,
  makeChange,
  misleading,
  type Planned,
  planned,
  showChange,
} from "./_change.ts";
import { pathField } from "./_paths.ts";
import {
  encodeText,
  lineEndOf,
  PLAIN,
  type TextFile,
  type TextForm,
  withLineEnds,
} from "./_text.ts";

/** What the model may ask for. */
export interface WriteFileArgs {
  readonly path: string;
  readonly content: string;
  readonly make_parents?: boolean;
}

/** The form of the file that is replaced; one of bytes without a name is not kept. */
function formOf(file: TextFile | null): TextForm {
  return file === null || file.encoding === "iso-8859-1" ? PLAIN : file;
}

/** Line ends of the file that is replaced, unless the content brings its own. */
function contentFor(file: TextFile | null, content: string): string {
  if (file === null || content.includes("\r\n")) return content;
  return withLineEnds(content, lineEndOf(file.text));
}

function noteOf(file: TextFile | null, after: string, content: string): string | null {
  if (file?.encoding === "iso-8859-1") return "The file was not UTF-8 before; now it is.";
  return after === content ? null : "The CRLF line ends of the file were kept.";
}

async function plan(files: Files, args: WriteFileArgs): Promise<Planned> {
  const misled = misleading(files, args.path);
  if (misled !== null) return misled;
  const current = await currentText(files, args.path);
  if (!current.ok) return current;
  const { file } = current;
  const after = contentFor(file, args.content);
  const bytes = encodeText(after, formOf(file));
  if (bytes === null) throw new TypeError("Unicode has bytes for every text");
  const before = file?.text ?? null;
  return { ok: true, change: { before, after, bytes, note: noteOf(file, after, args.content) } };
}

/** Builds the tool. */
export function createWriteFile({ files }: { readonly files: Files }): Tool<WriteFileArgs> {
  return {
    name: "write_file",
    description: "Create a text file or replace all of it, at once; mode, encoding and line ends " +
      "of a replaced file stay. For new and short files; to change part of one use edit_file.",
    parameters: {
      type: "object",
      properties: {
        path: pathField("File"),
        content: { type: "string", maxLength: 1_000_000, description: "The whole new text." },
        make_parents: { type: "boolean", description: "Make missing directories; default false." },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
    effect: "write",
    timeoutMs: 30_000,
    limits: {},
    subjects: ({ path }) => [{ kind: "path", access: "write", path }],
    brief: ({ path, content }) => `${path} (${content.length} characters)`,
    preview: async (args) => await showChange(await planned(() => plan(files, args))),
    run: async (args) => {
      const change = await planned(() => plan(files, args));
      const makeParents = args.make_parents ?? false;
      return await makeChange(files, args.path, change, { makeParents });
    },
  };
}
