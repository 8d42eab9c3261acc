/**
 * Whether this process is the one that its terminal belongs to now.
 *
 * @module
 */

/**
 * Whether this process may read from its terminal, and change it: the system stops one in the
 * background that does. Asks another program, since the runtime itself may not look there.
 *
 * @returns False where that is not known. Never rejects.
 */
export async function isInForeground(): Promise<boolean> {
  try {
    const args = [`/proc/${Deno.pid}/stat`];
    const command = new Deno.Command("cat", { args, stdin: "null", stderr: "null" });
    const text = new TextDecoder().decode((await command.output()).stdout);
    // Source: proc(5). After the name: state, parent, group, session, terminal, group in front.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[2] !== undefined && fields[2] === fields[5];
  } catch {
    return false;
  }
}
