import { assertEquals } from "@std/assert";
import { chooseSay } from "../../lib/cli/language.ts";
import { runCli } from "../../lib/cli/cli.ts";
import { loadSay } from "../../lib/messages/messages.ts";
import { fakeEnvironment, fakePorts, FakeTerminal, MemoryFiles, NEVER } from "../fakes.ts";

/** The language that is chosen. */
async function chosen(
  args: readonly string[],
  variables: Record<string, string> = {},
  held: Record<string, string> = {},
): Promise<string> {
  const env = fakeEnvironment({ HOME: "/home/me", ...variables });
  const files = new MemoryFiles(held);
  return (await chooseSay(args, { files, env })).language;
}

const CONFIG = "/home/me/.config/rein/config.yaml";

Deno.test("chooseSay() goes by the locale: LC_ALL, then LC_MESSAGES, then LANG", async () => {
  assertEquals(
    await Promise.all([
      chosen([]),
      chosen([], { LANG: "zh_CN.UTF-8" }),
      chosen([], { LANG: "ZH_tw" }),
      chosen([], { LANG: "de_DE.UTF-8" }),
      chosen([], { LANG: "zh_CN.UTF-8", LC_MESSAGES: "en_US.UTF-8" }),
      chosen([], { LANG: "en_US.UTF-8", LC_MESSAGES: "zh_CN.UTF-8" }),
      chosen([], { LC_MESSAGES: "zh_CN.UTF-8", LC_ALL: "C" }),
      chosen([], { LANG: "zh_CN.UTF-8", LC_ALL: "" }),
    ]),
    ["en", "zh", "zh", "en", "en", "zh", "en", "zh"],
  );
});

Deno.test("chooseSay() lets a setting go before the locale, and --lang before both", async () => {
  const zh = { LANG: "zh_CN.UTF-8" };
  assertEquals(
    await Promise.all([
      chosen([], { REIN_LANG: "zh" }),
      chosen([], { ...zh, REIN_LANG: "en" }),
      chosen([], { ...zh, REIN_LANG: "auto" }),
      chosen([], {}, { [CONFIG]: "language: zh\n" }),
      chosen([], { REIN_LANG: "en" }, { [CONFIG]: "language: zh\n" }),
      chosen(["--env-file", "/e", "hi"], { REIN_LANG: "en" }, { "/e": "REIN_LANG=zh\n" }),
      chosen(["--lang", "en"], { ...zh, REIN_LANG: "zh" }),
      chosen(["doctor", "--lang=zh"]),
      chosen(["--lang", "en", "--lang", "zh"]),
      chosen(["--lang", "auto"], { ...zh, REIN_LANG: "en" }),
    ]),
    ["zh", "en", "zh", "zh", "en", "zh", "en", "zh", "zh", "zh"],
  );
});

Deno.test("chooseSay() leaves what is wrong to whoever needs it", async () => {
  const zh = { LANG: "zh_CN.UTF-8" };
  assertEquals(
    await Promise.all([
      chosen(["--lang", "fr"], zh),
      chosen(["--lang"], zh),
      chosen([], { ...zh, REIN_LANG: "fr" }),
      chosen([], zh, { [CONFIG]: "language: [zh\n" }),
      chosen(["--env-file", "/gone"], zh),
      chosen(["--", "--lang", "en"], zh),
      chosen(["--version"], zh),
    ]),
    ["zh", "zh", "zh", "zh", "zh", "zh", "en"],
  );
});

/** What a person reads of a command. */
async function told(args: readonly string[], variables: Record<string, string> = {}) {
  const terminal = new FakeTerminal();
  const ports = fakePorts({ terminal, env: fakeEnvironment(variables) });
  const code = await runCli(args, ports, { signal: NEVER, interrupt: () => {} });
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

Deno.test("every command takes --lang, and says what is wrong with it", async () => {
  const wrong = {
    code: 2,
    stdout: "",
    stderr: "rein: Option '--lang <language>' argument 'fr' is invalid. " +
      'It takes auto, en or zh. See "rein --help".\n',
  };
  assertEquals(await told(["--lang", "fr", "hi"]), wrong);
  assertEquals(await told(["policy", "show", "--lang=fr"]), wrong);
  assertEquals((await told(["schema", "event", "--lang", "zh"])).code, 0);
});

Deno.test("rein config show tells the language, and where it comes from", async () => {
  const { stdout } = await told(["config", "show", "--lang", "en"], { REIN_LANG: "zh" });
  assertEquals(/^language .*$/m.exec(stdout)?.[0].split(/\s{2,}/), ["language", "en", "--lang"]);
  assertEquals((await loadSay("zh")).language, "zh");
});
