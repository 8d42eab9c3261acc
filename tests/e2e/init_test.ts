import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { type Ended, inTempDir, PROGRAMS, rein } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

/** A home and a working directory of its own. */
interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly env: Record<string, string>;
}

function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  return inTempDir(async (made) => {
    const directory = await Deno.realPath(made);
    const [cwd, home] = [`${directory}/work`, `${directory}/home`];
    await Deno.mkdir(cwd);
    await Deno.mkdir(home);
    // The runtime looks for its cache below HOME.
    const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
    const env = { HOME: home, DENO_DIR: cache, XDG_STATE_HOME: `${home}/state` };
    await work({ cwd, home, env });
  });
}

const answered = ({ code, stdout }: Ended) => [code, stdout];

for (const program of PROGRAMS) {
  const name = (law: string) => `rein init (${program.name}) ${law}`;

  Deno.test(
    name("writes for scripts what a run then takes by itself"),
    () =>
      inPlace(async (place) => {
        const server = startModelServer(() => ({ text: "Hello." }));
        const args = ["init", "--yes", "--base-url", server.baseUrl, "--model", "m1"];
        const { code, stdout, stderr } = await rein(program, args, place);
        assertEquals([code, stdout], [0, ""]);
        const config = `${place.home}/.config/rein/config.yaml`;
        assertMatch(
          stderr,
          /^wrote {3}\S+\/config\.yaml\nwrote {3}\S+\/\.rein\/policy\.yaml\nTry it/,
        );
        assertEquals(answered(await rein(program, ["hi"], place)), [0, "Hello.\n"]);
        assertEquals(server.requests.at(-1)?.body.model, "m1");
        const shown = await rein(program, ["config", "show"], place);
        assertMatch(shown.stdout, new RegExp(`model\\s+m1\\s+${config}:\\d+\n`));
        assertEquals((await rein(program, ["policy", "lint"], place)).code, 0);
        const again = await rein(program, args, place);
        assertEquals([again.code, /is there already/.test(again.stderr)], [2, true]);
        await server.close();
      }),
  );

  Deno.test({
    name: name("asks at a terminal, and keeps the key out of sight"),
    ignore: NO_PTY !== null,
    fn: () =>
      inPlace(async (place) => {
        const server = startModelServer(() => ({ text: "Hello." }), { models: ["m1", "m2"] });
        const pty = new Pty(program, ["init", "--base-url", server.baseUrl], place);
        await pty.waitFor("Its key, which is not shown");
        await pty.type("sk-very-secret\r");
        await pty.waitFor("Where is the key kept?");
        await pty.type("\r");
        await pty.waitFor("Which model?");
        await pty.type("2\r");
        const { code, screen } = await pty.end();
        assertEquals([code, screen.includes("sk-very")], [0, false]);
        const path = `${place.home}/.config/rein/env`;
        assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
        assertEquals(answered(await rein(program, ["hi"], place)), [0, "Hello.\n"]);
        const { headers, body } = server.requests.at(-1) ?? {};
        assertEquals([headers?.get("authorization"), body?.model], ["Bearer sk-very-secret", "m2"]);
        await Deno.chmod(path, 0o644);
        const refused = await rein(program, ["hi"], place);
        assertEquals(refused.code, 2);
        assertMatch(
          refused.stderr,
          /holds a key and is not yours alone\. Make it so: .* chmod 600/,
        );
        await server.close();
      }),
  });
}
