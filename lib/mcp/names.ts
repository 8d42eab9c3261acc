/**
 * The names that tools of MCP servers have for a model.
 *
 * @module
 */

/** Characters of a tool's name at the most. Source: the API of chat completions. */
export const NAME_CHARS = 64;

/** Hexadecimal digits that tell names apart that were cut. */
const HASH_DIGITS = 8;

/** FNV-1a of the UTF-16 units of a text, as eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(HASH_DIGITS, "0");
}

/**
 * The name of a server's tool, `server__tool`: letters, digits, `_` and `-`; what is too long is
 * cut, and ends with a hash of the whole. The same for the same tool, always.
 *
 * @param server As the configuration names it; 32 characters at the most.
 * @param tool As the server names it; any text.
 */
export function toolName(server: string, tool: string): string {
  const name = `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
  if (name.length <= NAME_CHARS) return name;
  return `${name.slice(0, NAME_CHARS - HASH_DIGITS - 1)}_${hashOf(tool)}`;
}

/** Whether a tool's name is one that a server of this name gives to its tools. */
export function isOfServer(name: string, server: string): boolean {
  return name.startsWith(`${server}__`);
}

/** Whether a name is that of a server's tool: no tool of rein's own has such a one. */
export function isServerTool(name: string): boolean {
  return name.includes("__");
}
