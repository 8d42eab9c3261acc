import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, PROGRAMS, recording, rein, SOURCE } from "./_program.ts";

const LIST = { calls: [{ name: "list_files", arguments: { path: "." } }] };

for (const program of PROGRAMS) {
  Deno.test(`${program.name}: rein replay does a recorded run again, offline and as a model`, async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [LIST, { text: "One file." }]);
      const args = ["--no-session", "-q", "--model", model, "--debug", "d.jsonl", "What is here?"];
      const first = await rein(program, args, { cwd });
      const offline = await rein(program, ["replay", "--offline", "d.jsonl"], { cwd });
      const again = await rein(
        program,
        ["--no-session", "-q", "--model", "recorded:d.jsonl", "What is here?"],
        { cwd },
      );
      assertEquals([first.stdout, again.stdout], ["One file.\n", "One file.\n"]);
      assertEquals([offline.code, offline.stdout, offline.stderr], [
        0,
        "Runs: 1; questions to the model: 2; calls: 1; differences: 0\n",
        "",
      ]);
    });
  });
}

Deno.test("rein replay asks another model, and exits 1 where its calls differ", async () => {
  const server = startModelServer((_request, index) =>
    index === 0
      ? LIST
      : { text: "无", calls: [{ name: "calculate", arguments: { expression: "1" } }] }
  );
  try {
    await inTempDir(async (cwd) => {
      const [program] = PROGRAMS;
      if (program === undefined) throw new TypeError("No program");
      const model = await recording(cwd, [LIST, { text: "One file." }]);
      await rein(program, ["--no-session", "-q", "--model", model, "--debug", "d.jsonl", "?"], {
        cwd,
      });
      const where = ["--base-url", server.baseUrl, "--model", "other"];
      const text = await rein(program, ["replay", "d.jsonl", ...where], { cwd });
      const one = await rein(
        program,
        ["replay", "d.jsonl", "--step", "2", "-o", "json", ...where],
        {
          cwd,
        },
      );
      assertEquals([text.code, text.stdout.match(/^Question .*$/gm)], [1, [
        "Question 1, step 1: same calls",
        "Question 2, step 2: OTHER CALLS",
      ]]);
      assertMatch(text.stdout, /One file\. +│ 无\n.* │ → calculate {"expression":"1"}\n/);
      const { model: asked, asks } = JSON.parse(one.stdout);
      assertEquals([one.code, asked, asks.length], [1, "other", 1]);
    });
  } finally {
    await server.close();
  }
});

Deno.test("rein replay judges recorded calls by another policy", async () => {
  await inTempDir(async (cwd) => {
    const [program] = PROGRAMS;
    if (program === undefined) throw new TypeError("No program");
    const write = { calls: [{ name: "write_file", arguments: { path: "a", content: "x" } }] };
    const model = await recording(cwd, [write, { text: "Done." }]);
    const args = [
      "--no-session",
      "-q",
      "--approve-all",
      "--model",
      model,
      "--debug",
      "d.jsonl",
      "?",
    ];
    await rein(program, args, { cwd });
    const { code, stdout } = await rein(program, ["replay", "--policy", "locked", "d.jsonl"], {
      cwd,
    });
    assertEquals([code, stdout.replace(/^Run [0-9a-f]+\n/, "Run ID\n")], [
      1,
      "Run ID\nCall call_1_1, write_file a (1 characters): ask → deny (default.write)\n" +
      "Calls judged again: 1; decisions that change: 1; calls of tools not known here: 0\n",
    ]);
  });
});

Deno.test("rein replay says in one line what is wrong with a file", async () => {
  await inTempDir(async (cwd) => {
    const [program] = PROGRAMS;
    if (program === undefined) throw new TypeError("No program");
    await Deno.writeTextFile(`${cwd}/other.jsonl`, '{"a":1}\n');
    const ends = [];
    for (
      const args of [["none.jsonl"], ["other.jsonl"], [
        "other.jsonl",
        "--offline",
        "--policy",
        "ops",
      ]]
    ) {
      const { code, stdout, stderr } = await rein(program, ["replay", ...args], { cwd });
      ends.push([code, stdout, stderr.split("\n").length - 1]);
    }
    assertEquals(ends, [[2, "", 1], [2, "", 1], [2, "", 1]]);
  });
});

Deno.test("rein replay judges a session and all of the audit log by another policy", async () => {
  await inTempDir(async (cwd) => {
    const [program] = PROGRAMS;
    if (program === undefined) throw new TypeError("No program");
    const env = { XDG_STATE_HOME: `${cwd}/state` };
    const model = await recording(cwd, [LIST, { text: "One file." }]);
    for (const session of ["s1", "s2"]) {
      await rein(program, ["-q", "--session", session, "--model", model, "What?"], { cwd, env });
    }
    const judged = async (...args: readonly string[]) => {
      const { code, stdout } = await rein(program, ["replay", ...args], { cwd, env });
      return [code, stdout.trimEnd().split("\n").at(-1)];
    };
    const unchanged = (count: number) =>
      `Calls judged again: ${count}; decisions that change: 0; calls of tools not known here: 0`;
    assertEquals([
      await judged("--policy", "locked", "s1"),
      await judged("--policy", "locked"),
      await judged("--policy", "locked", `${cwd}/state/rein/audit/audit.jsonl`),
      (await judged("--policy", "locked", "none"))[0],
    ], [[0, unchanged(1)], [0, unchanged(2)], [0, unchanged(2)], 2]);
  });
});

Deno.test("rein says in one line, in the language of people, that a debug file can't be written", async () => {
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, [{ text: "Yes." }]);
    const args = ["--no-session", "--model", model, "--debug", ".", "?"];
    const [en, zh] = [
      await rein(SOURCE, args, { cwd }),
      await rein(SOURCE, ["--lang", "zh", ...args], { cwd }),
    ];
    assertEquals([en, zh].map(({ code, stdout, stderr }) => [code, stdout, stderr]), [
      [
        2,
        "",
        'rein: The debug file "." can\'t be written: "." is a directory. ' +
        "Name a file that can be written.\n",
      ],
      [
        2,
        "",
        'rein: 调试文件 "." 无法写入：“.”是目录。请指定可以写入的文件。\n',
      ],
    ]);
  });
});

Deno.test("rein replay that no model answers is one line and exit code 5", async () => {
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, [LIST, { text: "One file." }]);
    await rein(SOURCE, ["--no-session", "--model", model, "--debug", "d.jsonl", "?"], { cwd });
    const server = startModelServer(() => new Response("no key", { status: 401 }));
    try {
      const where = ["--base-url", server.baseUrl, "--model", "m"];
      const { code, stdout, stderr } = await rein(SOURCE, ["replay", "d.jsonl", ...where], { cwd });
      assertEquals([code, stderr.trimEnd().split("\n").length, server.requests.length], [5, 1, 1]);
      assertMatch(stdout, /^Run [0-9a-f]+\n$/);
    } finally {
      await server.close();
    }
  });
});
