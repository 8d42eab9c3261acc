import { assertEquals } from "@std/assert";
import { inTempDir, PROGRAMS, recording, rein, SOURCE } from "./_program.ts";
import { NO_TMUX, Tmux } from "./_tmux.ts";

const CHINESE = { LANG: "zh_CN.UTF-8" };

for (const program of PROGRAMS) {
  Deno.test(`rein --help is Chinese where the locale is (${program.name})`, async () => {
    const { code, stdout, stderr } = await rein(program, ["--help"], { env: CHINESE });
    const headings = stdout.split("\n").map((line) => line.replace(/：.*$/, ""))
      .filter((line) => ["用法", "参数", "选项", "命令"].includes(line));
    assertEquals({ code, stderr, headings }, {
      code: 0,
      stderr: "",
      headings: ["用法", "参数", "选项", "命令"],
    });
    const english = await rein(program, ["--help", "--lang", "en"], { env: CHINESE });
    assertEquals(english.stdout.startsWith("Usage: rein"), true);
  });

  Deno.test(`a wrong --lang ends with 2 and one line (${program.name})`, async () => {
    const { code, stdout, stderr } = await rein(program, ["--lang", "fr", "hi"]);
    assertEquals([code, stdout, stderr.split("\n").length], [2, "", 2]);
  });
}

const TURNS = [
  { calls: [{ name: "run_shell", arguments: { command: "echo 一 二" } }] },
  { calls: [{ name: "run_shell", arguments: { command: "rm -rf /" } }] },
  { text: "Done." },
];

/** Output without what is different each time: ids, times, places. */
function steady(text: string, cwd: string): string {
  return text.replaceAll(cwd, "CWD")
    .replace(/"(at|run_id|session|resume|call_id)":("[^"]*"|null)/g, '"$1":0')
    .replace(/"(ms|elapsed_ms|wait_ms)":\d+/g, '"$1":0');
}

Deno.test("what programs read is the same, byte for byte, whatever people read", async () => {
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, TURNS);
    const run = (language: string, output: string) =>
      rein(SOURCE, ["--lang", language, "-o", output, "-m", model, "go"], { cwd });
    for (const output of ["text", "json", "jsonl"]) {
      const [en, zh] = [await run("en", output), await run("zh", output)];
      assertEquals([zh.code, steady(zh.stdout, cwd)], [en.code, steady(en.stdout, cwd)]);
      assertEquals(output === "jsonl" || zh.stderr !== en.stderr, true);
    }
  });
});

Deno.test("a run that fails tells people in their language, and programs in English", async () => {
  await inTempDir(async (cwd) => {
    const args = ["-m", "recorded:gone.jsonl", "-o", "json", "hi"];
    const { code, stdout, stderr } = await rein(SOURCE, args, { cwd, env: CHINESE });
    assertEquals(code, 2);
    assertEquals(stderr, "rein: 录制文件“gone.jsonl”不存在。请检查它的路径和权限。\n");
    assertEquals(JSON.parse(stdout).error, {
      code: "usage",
      message: 'The recording "gone.jsonl" does not exist',
      hint: "Check its path and permissions.",
    });
  });
});

Deno.test("a step and an ending are told in Chinese", async () => {
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, TURNS);
    const args = ["--no-session", "-m", model, "go"];
    const { code, stdout, stderr } = await rein(SOURCE, args, { cwd, env: CHINESE });
    assertEquals([code, stdout], [4, "Done.\n"]);
    assertEquals(stderr.replaceAll(cwd, "CWD").split("\n").slice(0, 2), [
      "rein: 模型是录制文件（CWD/recording.jsonl），不是真实的模型",
      "[步骤 1/15] run_shell echo 一 二 → 1 行",
    ]);
    assertEquals(
      stderr.includes("rein: 未完成：调用被拒绝；停在第 3 步（最多 15 步），共调用 2 次"),
      true,
    );
  });
});

Deno.test({
  name: "a person at a terminal approves in Chinese",
  ignore: NO_TMUX !== null,
  async fn() {
    await inTempDir(async (cwd) => {
      await Deno.mkdir(`${cwd}/旧日志`);
      const model = await recording(cwd, [
        { calls: [{ name: "run_shell", arguments: { command: "rm -r 旧日志" } }] },
        { text: "已删除。" },
      ]);
      const args = ["--no-session", "-q", "-m", model, "go"];
      const tmux = await Tmux.start(SOURCE, args, { cwd, env: CHINESE });
      try {
        const asked = await tmux.waitFor("是否批准？");
        assertEquals(asked.trimStart().split("\n").map((line) => line.trimEnd()), [
          "run_shell 请求运行：",
          "    rm -r 旧日志",
          "  需要批准的原因：",
          "    rm：This deletes files（规则 ops.delete）",
          "  将删除：",
          "    旧日志",
          "  y 批准一次   a 本会话内始终批准这个完全相同的调用   n 拒绝",
          "  w 拒绝，并告诉模型原因   s 拒绝，并停止运行",
          "是否批准？",
        ]);
        await tmux.type("y");
        const after = await tmux.waitFor("[exit 0]");
        assertEquals(after.split("\n").slice(-3).map((line) => line.trimEnd()), [
          "是否批准？批准一次",
          "已删除。",
          "[exit 0]",
        ]);
        assertEquals(await Deno.stat(`${cwd}/旧日志`).catch(() => null), null);
      } finally {
        await tmux.close();
      }
    });
  },
});
