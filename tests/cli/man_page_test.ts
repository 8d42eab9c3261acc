import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { type CommandInfo, commandTree } from "../../lib/cli/command_tree.ts";
import { manPage } from "../../lib/cli/man_page.ts";
import { Command } from "commander";
import { inTempDir } from "../_temp.ts";
import { fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

async function printed(...args: string[]): Promise<string> {
  const terminal = new FakeTerminal();
  await runCli(args, fakePorts({ terminal }), { signal: NEVER, interrupt: () => {} });
  return terminal.stdout;
}

/** The page as `groff` shows it, or null where there is none. */
async function shown(page: string): Promise<{ text: string; warnings: string } | null> {
  return await inTempDir({ "rein.1": page }, async (cwd) => {
    const args = ["-man", "-Tutf8", "-ww", "-P-cbou", "rein.1"];
    try {
      const { stdout, stderr } = await new Deno.Command("groff", { args, cwd }).output();
      const decoder = new TextDecoder();
      return { text: decoder.decode(stdout), warnings: decoder.decode(stderr) };
    } catch {
      console.log("Skipped: the manual page as groff shows it, since there is none");
      return null;
    }
  });
}

/** Any kind of blanks and hyphens as one: where lines break is the page's matter. */
function plain(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212]/g, "-").replace(/[\u2018\u2019]/g, "'")
    .replace(/-\n\s*/g, "-").replace(/\s+/g, " ");
}

Deno.test("rein man prints a page that groff shows without a warning, with all that --help says", async () => {
  const page = await shown(await printed("man"));
  if (page === null) return;
  assertEquals(page.warnings, "");
  const text = plain(page.text);
  const help = await printed("--help");
  const options = [...help.matchAll(/^ {2}(-\S+(?:, --[\w-]+)?)/gm)].map(([, flags]) =>
    flags ?? ""
  );
  const missing = options.filter((flags) => !text.includes(` ${flags} `));
  assertEquals([options.length > 20, missing], [true, []]);
  const commands = ["rein resume", "rein batch", "rein policy check", "rein kb add", "rein man"];
  assertEquals(commands.filter((name) => !text.includes(`${name} [options]`)), []);
  assertEquals(
    ["Exit codes", "Settings", "Data", "Model"].filter((title) => !text.includes(title)),
    [],
  );
});

Deno.test("manPage() writes out what roff would take for its own", () => {
  const tree: CommandInfo = commandTree(
    new Command("rein").description(".so /etc/passwd\n'x \\fBbold\\fR a-b").option(
      "-x, --x-y <f>",
      ".x",
    ),
  );
  const lines = manPage(tree, { version: "1", epilogue: "Data: .x" }).split("\n");
  assertEquals(lines.filter((line) => /^[.'](?![A-Z]{2}|br)/.test(line)), []);
  assertEquals(lines.filter((line) => line.includes("\\efBbold")).length, 1);
  assertEquals(lines.includes("\\fB\\-x, \\-\\-x\\-y \\fR\\fIf\\fR"), true);
});
