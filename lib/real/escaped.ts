/**
 * Finding what left the process group of its command: by a mark in the
 * environment, which children inherit unless they take pains to lose it.
 *
 * @module
 */

/** The variable that marks every process of a command. */
export const MARK = "REIN_COMMAND";

/** A marked process that is not in its group. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Lists marked processes outside a group as `PID COMMAND NUL`. The runtime may
 * not look into /proc itself. Field 5 of `stat` is the group; the command's
 * name before it may hold spaces and brackets.
 */
const SCRIPT = `
for file in $(grep -lsaF -- "$1" /proc/[0-9]*/environ); do
  directory=\${file%/environ}
  read -r line < "$directory/stat" || continue
  set -- "$1" "$2" \${line##*) }
  [ "$5" = "$2" ] && continue
  words=()
  while IFS= read -r -d '' word; do words+=("$word"); done < "$directory/cmdline"
  printf '%s %s\\0' "\${directory##*/}" "\${words[*]}"
done 2>/dev/null`;

/** Characters of a command that are told. */
const COMMAND_CHARS = 200;

function parse(text: string): MarkedProcess[] {
  return text.split("\0").filter((entry) => entry !== "").map((entry) => {
    const space = entry.indexOf(" ");
    const command = entry.slice(space + 1).trim().slice(0, COMMAND_CHARS);
    return { pid: Number(entry.slice(0, space)), command };
  });
}

/**
 * Looks for processes that carry a mark outside of a group.
 *
 * @param mark The value of {@linkcode MARK}.
 * @param group The process group that does not count.
 * @returns Those of this user on Linux; none where there is no /proc. Never throws.
 */
export async function findEscaped(mark: string, group: number): Promise<MarkedProcess[]> {
  try {
    const { stdout } = await new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-c", SCRIPT, "rein", `${MARK}=${mark}`, String(group)],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    return parse(new TextDecoder().decode(stdout));
  } catch {
    return [];
  }
}
