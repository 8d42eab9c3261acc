import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { inTempDir } from "../_temp.ts";
import { environment } from "./_program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const docs = await Deno.readTextFile(`${ROOT}docs/agents.md`);

/** The blocks of a language, in their order. */
function blocks(language: string): readonly string[] {
  return docs.split(`\n\`\`\`${language}\n`).slice(1).map((text) => text.split("\n```")[0] ?? "");
}

/** Runs the deno of this test where the document fetches one. */
const NPX = `#!/bin/sh
test "$1 $2" = "-y deno@2.8.3" || exit 64
shift 2
exec "$DENO" "$@"
`;

/** Why the ports of the document can't be used; null: they can. */
function taken(): number | null {
  for (const [, port] of docs.matchAll(/--listen 127\.0\.0\.1:(\d+) &/g)) {
    try {
      Deno.listen({ hostname: "127.0.0.1", port: Number(port) }).close();
    } catch {
      return Number(port);
    }
  }
  return null;
}

Deno.test("docs/agents.md begins with commands that print what it shows", async () => {
  const port = taken();
  if (port !== null) return console.log(`Skipped: port ${port} of docs/agents.md is in use`);
  await inTempDir({ "bin/npx": NPX }, async (directory) => {
    await Deno.chmod(`${directory}/bin/npx`, 0o700);
    const commands = blocks("bash")[0] ?? "";
    assertEquals(commands.split("\n").length, 3);
    // The commands as they stand; what they left running ends with the process group.
    const script = `${commands}\ncode=$?\nkill -TERM $(jobs -p)\nwait\nexit $code`;
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-c", script],
      cwd: ROOT,
      clearEnv: true,
      env: environment({
        PATH: `${directory}/bin:${Deno.env.get("PATH")}`,
        DENO: Deno.execPath(),
        XDG_STATE_HOME: `${directory}/state`,
      }),
      stdin: "null",
    }).output();
    const [answer, steps] = blocks("text");
    const told = new TextDecoder().decode(stderr);
    assertEquals([code, new TextDecoder().decode(stdout), told.includes(`${steps}\n`)], [
      0,
      `${answer}\n`,
      true,
    ]);
  });
});
