/**
 * What a call would do, for the person who decides.
 *
 * @module
 */

import type { JsonObject, Tool } from "../types.ts";

/**
 * Asks a tool what it would do.
 *
 * @returns Its preview, or why there is none; null for a tool that has none. Never throws.
 */
export async function previewOf(tool: Tool, args: JsonObject): Promise<string | null> {
  if (tool.preview === undefined) return null;
  try {
    return await tool.preview(args);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `What it would do can't be shown: ${reason}`;
  }
}
