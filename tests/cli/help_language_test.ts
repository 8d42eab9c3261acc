import { assertEquals } from "@std/assert";
import { Command, Option } from "commander";
import stringWidth from "string-width";
import { runCli } from "../../lib/cli/cli.ts";
import { applyHelpTexts, type HelpTexts } from "../../lib/cli/help_language.ts";
import zhHelp from "../../lib/messages/zh_help.json" with { type: "json" };
import { fakeEnvironment, fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

const TEXTS: HelpTexts = zhHelp;

/** What `rein ARGS` prints. */
async function printed(args: readonly string[], language: "en" | "zh"): Promise<string> {
  const terminal = new FakeTerminal();
  const env = fakeEnvironment({ REIN_LANG: language });
  await runCli(args, fakePorts({ terminal, env }), { signal: NEVER, interrupt: () => {} });
  return terminal.stdout + terminal.stderr;
}

/** The commands that a help lists. */
function listedIn(help: string): string[] {
  const [, section = ""] = /\nCommands:\n([^]*?)\n(?:\n|$)/.exec(help) ?? [];
  return [...section.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? "")
    .filter((name) => name !== "help");
}

/** Every command with the help that it prints in both languages. */
async function allHelp(
  path: readonly string[] = [],
): Promise<{ path: string; en: string; zh: string }[]> {
  const args = [...path, "--help"];
  const [en, zh] = await Promise.all([printed(args, "en"), printed(args, "zh")]);
  const own = { path: ["rein", ...path].join(" "), en, zh };
  const below = await Promise.all(listedIn(en).map((name) => allHelp([...path, name])));
  return [own, ...below.flat()];
}

const everything = await allHelp();

/** What a help says in English that is no name, no example and no word of the field. */
function englishIn(help: string): string[] {
  return help.split("\n").filter((line) => !line.startsWith("用法"))
    // What is typed as it stands is no sentence.
    .map((line) => line.replace(/“[^”]*”/g, ""))
    .filter((line) => {
      const [, text = line] = /^ {2}\S.*? {2,}(.*)$/.exec(line) ?? [];
      const listed = text !== line && !/\p{Script=Han}/u.test(text);
      return listed || /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text);
    });
}

Deno.test("the Chinese help of every command has no English sentence", () => {
  assertEquals(everything.length > 25, true);
  const found = everything.map(({ path, zh }) => ({ path, english: englishIn(zh) }))
    .filter(({ english }) => english.length > 0);
  assertEquals(found, []);
});

Deno.test("the Chinese help has the same commands, options and arguments as the English one", () => {
  const termsIn = (help: string) =>
    [...help.matchAll(/^ {2}(\S.*?)(?: {2,}.*)?$/gm)].map(([, term]) => term);
  for (const { path, en, zh } of everything) assertEquals([path, termsIn(zh)], [path, termsIn(en)]);
});

Deno.test("the Chinese help is not wider than a terminal of 80 columns", () => {
  const wide = everything.flatMap(({ zh }) => zh.split("\n")).filter((line) =>
    stringWidth(line) > 80
  );
  assertEquals(wide, []);
});

/** What a help explains: `--model`, or the name of an argument, with its text in one line. */
function explainedIn(help: string): { readonly name: string; readonly text: string }[] {
  const [explained = ""] = /\n(?:Arguments|Options):\n[^]*?(?=\n\n(?!Options:)|$)/.exec(help) ?? [];
  return [...explained.matchAll(/^ {2}(\S.*?) {2,}(\S.*(?:\n {4,}.*)*)/gm)]
    .map(([, term = "", text = ""]) => ({
      name: /--[\w-]+/.exec(term)?.[0] ?? term,
      text: text.replace(/\s+/g, " ").replace(/ \((?:choices|default):.*\)$/, ""),
    }));
}

Deno.test("no Chinese text of the help is left over", () => {
  const known = new Map(everything.map(({ path, en }) => [path, explainedIn(en)]));
  const shared = ["help", ...[...known.values()].flat().map(({ name }) => name)];
  const left = Object.entries(TEXTS).flatMap(([path, texts]) => {
    if (path === "headings") return [];
    const names = path === "*" ? shared : ["", ...known.get(path)?.map(({ name }) => name) ?? []];
    return Object.keys(texts).filter((name) => name !== "after" && !names.includes(name))
      .map((name) => `${path} ${name}`);
  });
  assertEquals(left, []);
});

Deno.test("a Chinese text that all commands share stands for one English text", () => {
  const shared = Object.keys(TEXTS["*"] ?? {}).filter((name) => name.startsWith("--"));
  const different = shared.filter((wanted) => {
    const texts = everything.filter(({ path }) => TEXTS[path]?.[wanted] === undefined)
      .flatMap(({ en }) => explainedIn(en))
      .filter(({ name }) => name === wanted).map(({ text }) => text);
    return new Set(texts).size !== 1;
  });
  assertEquals(different, []);
});

Deno.test("applyHelpTexts() breaks lines between characters, and never within a word", () => {
  const program = new Command("p").addOption(new Option("-l, --long <words>", "English"))
    .configureOutput({ getOutHelpWidth: () => 64, writeOut: () => {} });
  const long =
    "这是一个很长的说明，里面有 an_unbreakable_word_of_many_letters 和（括号），到此结束。";
  applyHelpTexts(program, {
    "*": { "--help": "帮助" },
    headings: { "Usage:": "用法：", "Options:": "选项：" },
    p: { "--long": long },
  });
  assertEquals(
    program.helpInformation(),
    `用法： p [options]

选项：
  -l, --long <words>  这是一个很长的说明，里面有
                      an_unbreakable_word_of_many_letters 和（括
                      号），到此结束。
  -h, --help          帮助
`,
  );
});
