import { assertEquals } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";

/** Where the runtime keeps its packages, which it would look for below HOME. */
async function cacheDirectory(): Promise<string> {
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] });
  return JSON.parse(new TextDecoder().decode((await info.output()).stdout)).denoDir;
}

const DENO_DIR = await cacheDirectory();

/** Works in a home with these files, and in its folder `work`. */
async function inHome(
  files: Readonly<Record<string, string>>,
  work: (
    place: { cwd: string; home: string; env: Readonly<Record<string, string>> },
  ) => Promise<void>,
): Promise<void> {
  await inTempDir(async (temporary) => {
    const home = await Deno.realPath(temporary);
    const cwd = `${home}/work`;
    await Deno.mkdir(`${home}/.config/rein`, { recursive: true });
    await Deno.mkdir(`${cwd}/.rein`, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${home}/${path}`, text);
    }
    await work({ cwd, home, env: { HOME: home, DENO_DIR } });
  });
}

const USER = ".config/rein/config.yaml";
const PROJECT = "work/.rein/config.yaml";

/** Files that can't be used, with the line that says so; `~` stands for the home. */
const FAULTS: readonly (readonly [string, string, string])[] = [
  [
    USER,
    "model: [a\n",
    "~/.config/rein/config.yaml:2:1: Flow sequence in block collection must " +
    "be sufficiently indented and end with a ]. Correct the file.",
  ],
  [
    USER,
    "limits:\n  max_step: 3\n",
    '~/.config/rein/config.yaml:2:3: Unknown key "max_step". Did you mean "max_steps"?',
  ],
  [
    USER,
    "temperature: hot\n",
    '~/.config/rein/config.yaml:1:14: Value "hot" of "temperature" is not possible. ' +
    "It takes a number from 0 to 2.",
  ],
  [
    PROJECT,
    "limits:\n  max_steps: 99\n",
    "~/work/.rein/config.yaml:2:3: A project's file may only lower limits, and 99 of " +
    '"limits.max_steps" is more than 15 (default). Remove it, or set it in ' +
    "~/.config/rein/config.yaml, REIN_MAX_STEPS or --max-steps.",
  ],
  [
    PROJECT,
    "base_url: http://evil.test/v1\n",
    "~/work/.rein/config.yaml:1:1: A project's file may only lower limits, not set " +
    '"base_url". Remove it, or set it in ~/.config/rein/config.yaml, REIN_BASE_URL or ' +
    "--base-url.",
  ],
];

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  test("asks the model of the user's file, with what it says", async () => {
    const server = startModelServer(() => ({ text: "ok" }));
    const text = `model: qwen3\nbase_url: ${server.baseUrl}\ntemperature: 0.7\n`;
    await inHome({ [USER]: text }, async ({ cwd, env }) => {
      assertEquals(await rein(program, ["hi"], { cwd, env }), {
        code: 0,
        stdout: "ok\n",
        stderr: "",
      });
    });
    const { model, temperature } = server.requests[0]?.body ?? {};
    assertEquals([model, temperature], ["qwen3", 0.7]);
    await server.close();
  });

  test("ends at the step limit of the project's file", async () => {
    await inHome({ [PROJECT]: "limits: {max_steps: 1}\n" }, async ({ cwd, env }) => {
      const call = { name: "calculate", arguments: { expression: "1" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "So far." }]);
      const { code, stdout } = await rein(program, ["-m", model, "-o", "json", "hi"], { cwd, env });
      assertEquals([code, JSON.parse(stdout).stop_reason], [3, "step_limit"]);
    });
  });

  test("says in one line why a file can't be used, and exits with 2", async () => {
    for (const [path, text, line] of FAULTS) {
      await inHome({ [path]: text }, async ({ cwd, home, env }) => {
        const { code, stdout, stderr } = await rein(program, ["hi"], { cwd, env });
        assertEquals([code, stdout, stderr.replace(home, "~")], [2, "", `rein: ${line}\n`]);
      });
    }
  });

  test("shows where each setting comes from", async () => {
    await inHome({ [USER]: "\nmodel: m\n" }, async ({ cwd, home, env }) => {
      const { stdout } = await rein(program, ["config", "show", "-o", "json"], {
        cwd,
        env: { ...env, REIN_MAX_TIME: "2h", OPENAI_API_KEY: "sk-secret" },
      });
      const { settings } = JSON.parse(stdout);
      const shown = settings.filter(({ from }: { from: string }) => from !== "default");
      assertEquals(shown, [
        { key: "model", value: "m", from: `${home}/${USER}:2` },
        { key: "limits.max_time", value: "2h", from: "REIN_MAX_TIME" },
        { key: "api_key", value: "(hidden)", from: "OPENAI_API_KEY" },
      ]);
    });
  });
}
