/**
 * `edit_file`: one passage of a text file for another.
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
  refusal,
  showChange,
} from "./_change.ts";
import { pathField } from "./_paths.ts";
import { encodeText } from "./_text.ts";

/** What the model may ask for. */
export interface EditFileArgs {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

const EDIT_HINTS = {
  not_found: "Read that part of the file again and copy the passage exactly.",
  ambiguous: "Add lines before or after, so that the passage is there once.",
} as const;

const passageField = (description: string, minLength: number) => ({
  type: "string",
  minLength,
  maxLength: 200_000,
  description,
});

async function plan(files: Files, args: EditFileArgs): Promise<Planned> {
  const misled = misleading(files, args.path);
  if (misled !== null) return misled;
  const current = await currentText(files, args.path);
  if (!current.ok) return current;
  const { file } = current;
  if (file === null) {
    return refusal("not_found", `"${args.path}" does not exist`, "Use write_file for a new file.");
  }
  const { replaceOnce } = await import("./_edit.ts");
  const edited = replaceOnce(file.text, args.old_text, args.new_text);
  if (!edited.ok) {
    return refusal(edited.code, `"${args.path}": ${edited.message}`, EDIT_HINTS[edited.code]);
  }
  if (edited.text === file.text) {
    return refusal("no_change", "old_text and new_text are the same", "Nothing needs to be done.");
  }
  const bytes = encodeText(edited.text, file);
  if (bytes === null) {
    const message = `"${args.path}" is not UTF-8, and new_text has characters beyond ISO-8859-1`;
    return refusal("not_encodable", message, "Convert the file first, with iconv.");
  }
  return { ok: true, change: { before: file.text, after: edited.text, bytes, note: null } };
}

/** Builds the tool. */
export function createEditFile({ files }: { readonly files: Files }): Tool<EditFileArgs> {
  return {
    name: "edit_file",
    description: "Replace one passage of a text file, which must stand in it exactly once; all " +
      "else stays as it is. Read the place before. Not for new files.",
    parameters: {
      type: "object",
      properties: {
        path: pathField("File"),
        old_text: passageField("The passage, exactly, with enough around it to be unique.", 1),
        new_text: passageField("What comes in its place; empty deletes.", 0),
      },
      required: ["path", "old_text", "new_text"],
      additionalProperties: false,
    },
    effect: "write",
    timeoutMs: 30_000,
    limits: {},
    subjects: ({ path }) => [
      { kind: "path", access: "read", path },
      { kind: "path", access: "write", path },
    ],
    brief: ({ path }) => path,
    preview: async (args) => await showChange(await planned(() => plan(files, args))),
    run: async (args) => {
      const change = await planned(() => plan(files, args));
      return await makeChange(files, args.path, change, { makeParents: false });
    },
  };
}
