import { assertEquals, assertMatch } from "@std/assert";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";
import { NO_TMUX, Tmux } from "./_tmux.ts";

/** Seconds that no other process sleeps, so that a process left over can be told. */
const SECONDS = 5900 + (Deno.pid % 1000) / 1000;

/** A turn that calls the shell. */
function shell(command: string) {
  return { calls: [{ name: "run_shell", arguments: { command } }] };
}

/** Somebody at a session, and what they can do beside it. */
interface Session {
  readonly cwd: string;
  readonly terminal: Tmux;
  /** Opens another one with the same state. */
  open(args?: readonly string[]): Promise<Tmux>;
  /** Runs a command of rein beside it; gives what it prints. */
  command(...words: readonly string[]): Promise<string>;
}

/** The tasks of the only session. */
async function tasksOf({ command }: Session): Promise<unknown[]> {
  const [id = ""] = /^\S+/m.exec((await command("sessions", "list")).split("\n")[1] ?? "") ?? [];
  return (await command("sessions", "export", id)).trim().split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "run_started").map(({ task }) => task);
}

for (const program of PROGRAMS) {
  /** A test in which somebody sits at a session whose model is recorded. */
  const test = (
    law: string,
    turns: readonly unknown[],
    work: (session: Session) => Promise<void>,
    settings: { readonly args?: readonly string[]; readonly columns?: number } = {},
  ) =>
    Deno.test({
      name: `rein (${program.name}) at a prompt ${law}`,
      ignore: NO_TMUX !== null,
      fn: () =>
        inTempDir(async (cwd) => {
          const model = await recording(cwd, turns);
          const env = { XDG_STATE_HOME: `${cwd}/state` };
          const { args = [], columns = 80 } = settings;
          const open = (more: readonly string[] = []) =>
            Tmux.start(program, ["-m", model, ...args, ...more], { cwd, env, columns });
          const session: Session = {
            cwd,
            terminal: await open(),
            open,
            command: async (...words) => (await rein(program, words, { cwd, env })).stdout,
          };
          try {
            await session.terminal.prompt(1);
            await work(session);
          } finally {
            await session.terminal.close();
          }
        }),
    });

  test(
    "answers two questions in one session, in Chinese, which can be resumed",
    [{ text: "**第一**个回答。" }, { text: "第二个回答。" }, { text: "还在。" }],
    async (session) => {
      const { terminal } = session;
      await terminal.type("磁盘为什么满了");
      await terminal.press("Left", "Left");
      await terminal.type("快");
      await terminal.waitFor("磁盘为什么快满了");
      // The cursor stands behind "rein> " and six characters of two cells.
      assertEquals((await terminal.cursor()).split(",")[0], String(6 + 12));
      await terminal.press("Enter");
      await terminal.prompt(2);
      await terminal.type("还有呢？");
      await terminal.press("Enter");
      const screen = await terminal.prompt(3);
      assertMatch(
        screen,
        /^rein> 磁盘为什么快满了\n(.*\n)*第一个回答。\n\nrein> 还有呢？\n第二个回答。\n\nrein>$/m,
      );
      await terminal.type("/quit");
      await terminal.press("Enter");
      assertEquals(await terminal.end(), 0);
      assertEquals(await tasksOf(session), ["磁盘为什么快满了", "还有呢？"]);
      const again = await session.open(["-c"]);
      await again.prompt(1);
      await again.type("还在吗？");
      await again.press("Enter");
      await again.waitFor("还在。");
      await again.close();
      assertEquals(await tasksOf(session), ["磁盘为什么快满了", "还有呢？", "还在吗？"]);
    },
  );

  test("lets a question name files", [{ text: "Read it." }], async (session) => {
    const { terminal, cwd } = session;
    await Deno.writeTextFile(`${cwd}/笔记.md`, "remember the milk\n");
    await terminal.type("what does @笔记.md say?");
    await terminal.press("Enter");
    await terminal.prompt(2);
    const [task] = await tasksOf(session);
    assertMatch(String(task), /^what does @笔记\.md say\?[^]*remember the milk/);
  });

  test("takes what is pasted as one question", [{ text: "Three." }], async (session) => {
    const { terminal } = session;
    await terminal.paste("one\ntwo\nthree");
    const screen = await terminal.waitFor("three");
    assertMatch(screen, /^rein> one\n {4}> two\n {4}> three$/m);
    await terminal.press("Enter");
    await terminal.prompt(2);
    await terminal.press("C-d");
    assertEquals([await terminal.end(), await tasksOf(session)], [0, ["one\ntwo\nthree"]]);
  });

  test("brings back what was asked, in this session and the next", [{ text: "Ok." }], async (
    { terminal, open },
  ) => {
    await terminal.type("what is up");
    await terminal.press("Enter");
    await terminal.prompt(2);
    await terminal.press("Up");
    await terminal.until("the question again", (screen) => screen.endsWith("rein> what is up"));
    await terminal.press("C-c", "C-c");
    assertEquals(await terminal.end(), 130);
    const next = await open();
    await next.prompt(1);
    await next.press("Up");
    await next.waitFor("rein> what is up");
    await next.close();
  });

  test("completes commands and paths", [{ text: "Ok." }], async ({ terminal, cwd }) => {
    await Deno.writeTextFile(`${cwd}/日志-access.log`, "");
    await terminal.type("/ver");
    await terminal.press("Tab", "C-u");
    await terminal.type("/po");
    await terminal.press("Tab");
    await terminal.waitFor("rein> /policy");
    await terminal.press("C-u");
    await terminal.type("sum up 日");
    await terminal.press("Tab");
    await terminal.waitFor("rein> sum up 日志-access.log");
  });

  const sleep = `sleep ${SECONDS.toFixed(3)}${program.name === "source" ? "1" : "2"}`;

  test(
    "ends the command at Ctrl-C and goes on with the session",
    [shell(`echo begun; ${sleep}`), { text: "Still here." }],
    async ({ terminal }) => {
      await terminal.type("wait");
      await terminal.press("Enter");
      await terminal.waitFor("▸ run_shell");
      await terminal.press("C-c");
      const screen = await terminal.prompt(2);
      assertMatch(screen, /unfinished: it was interrupted, in step 1 of 15, after 1 call/);
      const { code } = await new Deno.Command("pgrep", { args: ["-f", `^${sleep}`] }).output();
      assertEquals([code, screen.includes("▸")], [1, false]);
      await terminal.type("and now?");
      await terminal.press("Enter");
      await terminal.waitFor("Still here.");
      await terminal.prompt(3);
    },
  );

  test("clears at Ctrl-C, leaves at the second", [{ text: "Ok." }], async ({ terminal }) => {
    await terminal.type("never asked");
    await terminal.waitFor("never asked");
    await terminal.press("C-c");
    const screen = await terminal.waitFor("Ctrl-C again leaves");
    assertEquals(screen.includes("never asked"), false);
    await terminal.type("x");
    await terminal.until("no hint", (now) => now.endsWith("rein> x"));
    await terminal.press("C-c", "C-c");
    assertEquals(await terminal.end(), 130);
  });

  test(
    "leaves nothing behind when it is made narrow while a command runs",
    [
      shell(
        "for n in $(seq 40); do echo line $n of a rather long output; sleep 0.1; done; echo end",
      ),
      { text: "| 名称 | what it is and does |\n|---|---|\n| 数据库 | it keeps what there is |\n" },
    ],
    async ({ terminal }) => {
      await terminal.type("run something that takes a while, please");
      await terminal.press("Enter");
      await terminal.until("a live line", (screen) => /▸ run_shell.* s · line \d+/.test(screen));
      await terminal.resize(40);
      await terminal.until("a narrow live line", (screen) => /^▸ run_shell.{1,30}$/m.test(screen));
      const screen = await terminal.until("the next prompt", (now) => now.endsWith("\n\nrein>"));
      const lines = screen.slice(screen.indexOf("[Step")).split("\n");
      assertEquals(lines, [
        "[Step 1/15] run_shell for n… → 41 lines",
        "名称   │ what it is and does",
        "───────┼───────────────────────",
        "数据库 │ it keeps what there is",
        "",
        "rein>",
      ]);
      assertEquals((screen.match(/▸/g) ?? []).length, 0);
    },
  );

  test(
    "lays out what is being written anew when it is made narrow",
    [{ text: "Ok." }],
    async ({ terminal }) => {
      await terminal.type("磁盘为什么满了，哪些目录最大，能删的有哪些？请逐个说明");
      await terminal.waitFor("说明");
      await terminal.resize(40);
      const screen = await terminal.until("two rows", (now) => /^明?$|说明$/m.test(now));
      const rows = screen.slice(screen.indexOf("rein> 磁盘")).split("\n");
      assertEquals(rows.join(""), "rein> 磁盘为什么满了，哪些目录最大，能删的有哪些？请逐个说明");
      assertEquals((screen.match(/rein>/g) ?? []).length, 1);
    },
  );

  test(
    "asks before a change, and goes on with the next question",
    [shell("touch made"), { text: "Made it." }, { text: "Second." }],
    async ({ terminal, cwd }) => {
      await terminal.type("make it");
      await terminal.press("Enter");
      await terminal.waitFor("run_shell wants to run:");
      await terminal.until("the question", (screen) => /Allow it/.test(screen));
      await terminal.type("y");
      await terminal.press("Enter");
      await terminal.waitFor("Made it.");
      await terminal.prompt(2);
      await Deno.stat(`${cwd}/made`);
      await terminal.type("next");
      await terminal.waitFor("rein> next");
      await terminal.press("Enter");
      await terminal.waitFor("Second.");
    },
  );

  test(
    "looks as the README shows it",
    [
      shell("du -sk backup logs | sort -rn"),
      {
        text: "最大的是 **backup**：\n\n| 目录 | MB |\n|---|---:|\n| backup | 812 |\n" +
          "| logs | 74 |\n",
      },
      { text: "Everything but the newest file:\n\n`ls -t backup | tail -n +2`" },
    ],
    async ({ terminal, cwd }) => {
      for (const name of ["backup", "logs"]) await Deno.mkdir(`${cwd}/${name}`);
      await terminal.type("哪个目录最大？");
      await terminal.press("Enter");
      await terminal.prompt(2);
      await terminal.type("what of it can go?");
      await terminal.press("C-j");
      await terminal.type("name the command, but run nothing");
      await terminal.press("Enter");
      await terminal.prompt(3);
      await terminal.type("/cost");
      await terminal.press("Enter");
      const screen = await terminal.prompt(4);
      const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
      const [, shown = ""] = /\n(rein> 哪个目录[^]*?)\n```/.exec(readme) ?? [];
      const notes = /^rein: the model is a recording [^]*?not a live one\n/m;
      const here = screen.slice(screen.indexOf("rein> 哪")).replace(notes, "");
      const figures = (text: string) => text.replace(/^\d+ tokens in, \d+ out/m, "tokens");
      assertEquals(figures(here), figures(shown));
    },
  );

  test(
    "takes what was typed while a command ran for the next question, and shows it only then",
    [shell("sleep 1"), { text: "First." }, { text: "Second." }],
    async (session) => {
      const { terminal } = session;
      await terminal.type("one");
      await terminal.press("Enter");
      await terminal.waitFor("▸ run_shell");
      await terminal.type("typed ahead");
      await terminal.press("Enter");
      const screen = await terminal.prompt(3);
      assertMatch(screen, /1 line|0 lines/);
      assertMatch(screen, /First\.\n\nrein> typed ahead\nSecond\.\n\nrein>$/);
      assertEquals(await tasksOf(session), ["one", "typed ahead"]);
    },
  );

  for (const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    test(
      `ends at ${signal} with ${code}, the session kept`,
      [{ text: "Kept." }],
      async (session) => {
        const { terminal } = session;
        await terminal.type("keep this");
        await terminal.press("Enter");
        await terminal.prompt(2);
        Deno.kill(await terminal.pid(), signal);
        assertEquals([await terminal.end(), await tasksOf(session)], [code, ["keep this"]]);
      },
    );
  }

  test("has commands", [{ text: "Ok." }], async ({ terminal }) => {
    for (
      const [command, answer] of [
        ["/help", "/quit"],
        ["/model", "recorded:"],
        ["/cost", "0 tokens in, 0 out, in 0 steps; no prices are set"],
        ["/compact", "There is nothing to gain."],
        ["/facts", "None were noted yet."],
        ["/undo", "There is nothing to undo."],
        ["/session", "rein --session"],
        ["/policy rm -rf /", "deny"],
        ["/dry-run", "only described from here on"],
        ["/tolls", "Was /tools meant?"],
        ["/tools", "search_files"],
      ] as const
    ) {
      await terminal.type(command);
      await terminal.press("Enter");
      await terminal.until(answer, (screen) => screen.includes(answer) && screen.endsWith("rein>"));
      await terminal.press("C-l");
    }
  });

  Deno.test({
    name: `rein (${program.name}) at a prompt of a dumb terminal prints plain lines`,
    ignore: NO_PTY !== null,
    fn: () =>
      inTempDir(async (cwd) => {
        const turns = [shell("echo 中文"), { text: "# Done\nIt is **fine**." }, { text: "Two." }];
        const model = await recording(cwd, turns);
        const pty = new Pty(program, ["-m", model], { cwd, env: { TERM: "dumb" } });
        await pty.waitFor("rein> ");
        await pty.type("first \\\nand more\n");
        await pty.waitFor("**fine**.\r\n\r\nrein> ");
        await pty.type("second\n");
        await pty.waitFor("Two.");
        await pty.type("\x04");
        const { code, screen } = await pty.end();
        assertEquals([code, screen.includes("\x1b")], [0, false]);
        assertMatch(
          screen,
          /\[Step 1\/15\] run_shell echo 中文 → 1 line\r\n# Done\r\nIt is \*\*fine\*\*\.\r\n/,
        );
      }),
  });
}
