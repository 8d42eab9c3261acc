import { assertEquals, assertRejects } from "@std/assert";
import { UsageError } from "../../lib/cli/failure.ts";
import { loadSettings } from "../../lib/cli/load_settings.ts";
import { readUserEnv } from "../../lib/cli/user_env.ts";
import { realFiles } from "../../lib/real/files.ts";
import { inTempDir } from "../_temp.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const PATH = "/home/me/.config/rein/env";

function portsWith(env: Readonly<Record<string, string>>, alone = true) {
  const files = new MemoryFiles({
    [PATH]: "OPENAI_API_KEY=sk-file\nREIN_MODEL=file\n",
    "my.env": "OPENAI_API_KEY=sk-named\n",
  });
  if (alone) files.alone.add(PATH);
  return { files, env: fakeEnvironment({ HOME: "/home/me", ...env }) };
}

async function loaded(env: Readonly<Record<string, string>>, envFile?: string) {
  const options = envFile === undefined ? {} : { envFile };
  const { apiKey, settings } = await loadSettings(options, portsWith(env));
  return [apiKey, settings.model];
}

Deno.test("loadSettings() takes the person's own environment file for what nobody else says", async () => {
  assertEquals(await loaded({}), ["sk-file", "file"]);
  assertEquals(await loaded({ OPENAI_API_KEY: "sk-shell" }), ["sk-shell", "file"]);
  assertEquals(await loaded({ REIN_MODEL: "shell" }, "my.env"), ["sk-named", "shell"]);
});

Deno.test("loadSettings() refuses the person's own environment file if others may read it", async () => {
  const error = await assertRejects(() => loadSettings({}, portsWith({}, false)), UsageError);
  assertEquals([error.message, error.hint], [
    `"${PATH}" holds a key and is not yours alone`,
    `Make it so: it must be a file of yours, chmod 600 ${PATH}.`,
  ]);
});

Deno.test("readUserEnv() finds nothing where there is no home, or no such file", async () => {
  const { files } = portsWith({});
  assertEquals(await readUserEnv({ files, env: fakeEnvironment({}) }), null);
  assertEquals(await readUserEnv({ files, env: fakeEnvironment({ HOME: "/home/you" }) }), null);
});

Deno.test("realFiles.ownedAlone() wants a file, no link, that nobody else may read or write", () =>
  inTempDir({ env: "" }, async (directory) => {
    const path = `${directory}/env`;
    await Deno.symlink(path, `${directory}/link`);
    const seen = [];
    for (const mode of [0o600, 0o400, 0o640, 0o602, 0o604]) {
      await Deno.chmod(path, mode);
      seen.push(await realFiles.ownedAlone(path));
    }
    await Deno.chmod(path, 0o600);
    seen.push(
      await realFiles.ownedAlone(`${directory}/link`),
      await realFiles.ownedAlone(directory),
    );
    assertEquals(seen, [true, true, false, false, false, false, false]);
  }));
