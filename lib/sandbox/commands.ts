/**
 * The commands of the contained shell.
 *
 * @module
 */

import type { Grant } from "../ports.ts";

/** Programs of `just-bash` that work inside the worker and are of use there. */
export const CONTAINED_COMMANDS: readonly string[] = [
  ...["awk", "base64", "basename", "bash", "cat", "chmod", "clear", "column", "comm", "cp", "cut"],
  ...["date", "diff", "dirname", "du", "echo", "egrep", "env", "expand", "expr", "false", "fgrep"],
  ...["file", "find", "fold", "grep", "gunzip", "gzip", "head", "join", "jq", "ln", "ls"],
  ...["md5sum", "mkdir", "mv", "nl", "od", "paste", "printenv", "printf", "pwd", "readlink", "rev"],
  ...["rg", "rm", "rmdir", "sed", "seq", "sh", "sha1sum", "sha256sum", "sleep", "sort", "split"],
  ...["stat", "strings", "tac", "tail", "tar", "tee", "time", "timeout", "touch", "tr", "tree"],
  ...["true", "unexpand", "uniq", "wc", "which", "xan", "xargs", "yq", "zcat"],
];

/** The commands that there are; `curl` among them only where it may reach something. */
export function commandsFor(net: Grant): readonly string[] {
  const reaches = net === true || net.length > 0;
  return reaches ? [...CONTAINED_COMMANDS, "curl"] : CONTAINED_COMMANDS;
}
