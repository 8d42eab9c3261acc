/**
 * Where the knowledge base is; apart from what searches it, which most runs don't need.
 *
 * @module
 */

import { type Databases, FileError, type Files } from "../ports.ts";

/** The file, absolute; null where nothing may be kept. */
export function knowledgePath({ folder }: Databases): string | null {
  return folder === null ? null : `${folder}/knowledge.db`;
}

/** Whether there is such a file; of one that can't be seen, whoever opens it is told why. */
export async function knowledgeExists(
  { databases, files }: { readonly databases: Databases; readonly files: Files },
): Promise<boolean> {
  const path = knowledgePath(databases);
  if (path === null) return false;
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.code !== "not_found";
  }
}
