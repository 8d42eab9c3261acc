import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { SCHEMAS } from "../../lib/cli/schemas.ts";
import { inTempDir } from "../_temp.ts";
import { fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

/** What `rein` prints with these arguments. */
async function printed(...args: string[]): Promise<string> {
  const terminal = new FakeTerminal();
  const code = await runCli(args, fakePorts({ terminal }), { signal: NEVER, interrupt: () => {} });
  assertEquals([code, terminal.stderr], [0, ""]);
  return terminal.stdout;
}

/** Runs a program over a file, or says that it is not there. */
async function ran(program: string, args: readonly string[], cwd: string) {
  try {
    const output = await new Deno.Command(program, { args: [...args], cwd, stdin: "null" })
      .output();
    const decoder = new TextDecoder();
    return { stdout: decoder.decode(output.stdout), stderr: decoder.decode(output.stderr) };
  } catch {
    console.log(`Skipped: the completions in ${program}, since there is none`);
    return null;
  }
}

/** What a real bash completes for each of these lines; the last word is the one to complete. */
async function completed(...lines: (readonly string[])[]): Promise<string[][]> {
  return await inTempDir(
    { "rein.bash": await printed("completions", "bash"), "notes of.md": "" },
    async (cwd) => {
      const tries = lines.map((words) => {
        const quoted = words.map((word) => `'${word}'`).join(" ");
        return `COMP_WORDS=(${quoted}); COMP_CWORD=${
          words.length - 1
        }; _rein; printf '%s\\n' "\${COMPREPLY[@]}" --`;
      });
      const script = ["source ./rein.bash", "complete -p rein", ...tries].join("\n");
      const { stdout, stderr } = await ran("bash", ["--norc", "-c", script], cwd) ??
        { stdout: "", stderr: "" };
      const [first, ...rest] = stdout.split("\n");
      assertEquals([first, stderr], ["complete -F _rein rein", ""]);
      return rest.join("\n").split("--\n").slice(0, -1)
        .map((words) => words.split("\n").filter((word) => word !== ""));
    },
  );
}

Deno.test("completions for bash complete commands, options, their values and files in a real bash", async () => {
  assertEquals(
    await completed(
      ["rein", "ba"],
      ["rein", "policy", ""],
      ["rein", "batch", "--as"],
      ["rein", "-o", ""],
      ["rein", "--output", "=", "js"],
      ["rein", "--output", "="],
      ["rein", "--output", "=", "json", "sess"],
      ["rein", "--model", "batch", "sess"],
      ["rein", "tools", "-o", ""],
      ["rein", "schema", "e"],
      ["rein", "completions", ""],
      ["rein", "--schema", "no"],
      ["rein", "batch", "no"],
      ["rein", "--model", ""],
      ["rein", "config", "x", "sh"],
    ),
    [
      ["batch"],
      ["check", "show", "test", "lint"],
      ["--as-finished"],
      ["text", "json", "jsonl"],
      ["json", "jsonl"],
      ["text", "json", "jsonl"],
      ["sessions"],
      ["sessions"],
      ["text", "json"],
      ["event"],
      ["bash", "zsh", "fish"],
      ["notes of.md"],
      ["notes of.md"],
      [],
      [],
    ],
  );
});

Deno.test("completions for bash take a word behind a question for no command", async () => {
  assertEquals(
    await completed(["rein", "what", "ba"], ["rein", "what", "notes"], ["rein", "what", "--dry"]),
    [
      [],
      ["notes of.md"],
      ["--dry-run"],
    ],
  );
});

Deno.test("completions for every shell name each command and long option of the program", async () => {
  const help = await printed("--help");
  const options = [...help.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name ?? "");
  const listed = help.slice(help.indexOf("\nCommands:"));
  const commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? "");
  assertEquals([options.length > 20, commands.includes("batch")], [true, true]);
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = await printed("completions", shell);
    const missing = [...options, ...commands].filter((name) =>
      name !== "help" && !script.includes(name)
    );
    assertEquals([shell, missing], [shell, []]);
  }
});

for (
  const [shell, args] of [["bash", ["-n"]], ["zsh", ["-n"]], ["fish", ["--no-execute"]]] as const
) {
  Deno.test(`completions for ${shell} are what ${shell} can parse`, async () => {
    await inTempDir({ script: await printed("completions", shell) }, async (cwd) => {
      const parsed = await ran(shell, [...args, "script"], cwd);
      assertEquals(parsed ?? { stdout: "", stderr: "" }, { stdout: "", stderr: "" });
    });
  });
}

Deno.test("completions offer the schemas that there are", async () => {
  const [offered = []] = await completed(["rein", "schema", ""]);
  assertEquals(offered.toSorted(), Object.keys(SCHEMAS));
});
