import { assertEquals } from "@std/assert";
import { configText, envText, POLICY_TEXT } from "../../lib/cli/init_files.ts";
import { parseEnvFile } from "../../lib/cli/env_file.ts";
import { readConfig } from "../../lib/config/read_config.ts";
import { FIELDS } from "../../lib/config/settings.ts";
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import { WORLD } from "../policy/judging.ts";

const CHOSEN = { baseUrl: "https://models.test/v1", model: 'a "b": #c' };

/** What a configuration says. */
function valuesIn(text: string): Record<string, unknown> {
  const { values } = readConfig({ path: "config.yaml", layer: "user", text });
  return Object.fromEntries(Object.entries(values).map(([field, found]) => [field, found.value]));
}

/** Takes the marks away from settings, and leaves sentences alone. */
function uncommented(text: string): string {
  return text.replace(/^( *)# (?=(?: *)(?:- )?["*\w]+: ?\S*)/gm, "$1");
}

Deno.test("configText() loads, and says what was chosen and nothing else", () => {
  assertEquals(valuesIn(configText(CHOSEN)), CHOSEN);
  assertEquals(valuesIn(configText({ baseUrl: null, model: null })), {});
});

Deno.test("configText() names every setting with a value that is possible", () => {
  const text = configText({ baseUrl: null, model: null })
    .split("\n").map((line) => /^ *# [a-z_]+: /.test(line) ? line.replace("# ", "") : line)
    .join("\n");
  assertEquals(Object.keys(valuesIn(text)).toSorted(), FIELDS.toSorted());
});

Deno.test("POLICY_TEXT loads as a project's policy, with and without its marks, and tightens", async () => {
  await prepareYaml();
  const decide = (text: string, command: string) =>
    createJudge(
      loadPolicy([...builtInSources(), { name: "policy.yaml", layer: "project", text }]),
      WORLD,
    )({ tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] }).decision;
  const whole = uncommented(POLICY_TEXT);
  assertEquals([decide(POLICY_TEXT, "cat .env"), decide(POLICY_TEXT, "git push")], ["deny", "ask"]);
  assertEquals([decide(whole, "git push"), decide(whole, "git status")], ["deny", "allow"]);
});

Deno.test("envText() gives back the key that was put into it", () => {
  const keys = ["sk-abc123_-./+=~", "a#b", "a'b$c", "a\\nb", '"a"', "'`"];
  assertEquals(keys.map((key) => parseEnvFile(envText(key))["OPENAI_API_KEY"]), keys);
});
