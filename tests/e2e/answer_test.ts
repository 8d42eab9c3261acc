import { assertEquals } from "@std/assert";
import { startModelServer, type Turn } from "../model_server.ts";
import { bash, inTempDir, PROGRAMS, recording, rein, type RunSettings, start } from "./_program.ts";

const ANSWERED = { recorded: "rein: the model is a recording" };

/** Serves these turns, the last one again and again. */
function serve(...turns: Turn[]) {
  return startModelServer((_request, index) => turns[Math.min(index, turns.length - 1)] ?? {});
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  test("prints the answer on stdout and nothing else", async () => {
    const server = serve({ text: ["It is ", "42, 答案."] });
    const args = ["--base-url", server.baseUrl, "--model", "m", "what", "is", "it?"];
    const ended = await rein(program, args);
    assertEquals(ended, { code: 0, stdout: "It is 42, 答案.\n", stderr: "" });
    assertEquals(server.requests[0]?.body.messages.at(1), { role: "user", content: "what is it?" });
    await server.close();
  });

  test("sends the key, the model and the temperature", async () => {
    const server = serve({ text: "ok" });
    const env = { OPENAI_API_KEY: "k-1", OPENAI_BASE_URL: server.baseUrl, REIN_MODEL: "qwen3" };
    await rein(program, ["hi"], { env });
    const request = server.requests[0];
    assertEquals(
      [request?.headers.get("authorization"), request?.body.model, request?.body.temperature],
      ["Bearer k-1", "qwen3", 0.2],
    );
    await server.close();
  });

  test("sends no key where none is set", async () => {
    const server = serve({ text: "ok" });
    await rein(program, ["--base-url", server.baseUrl, "--model", "m", "hi"]);
    assertEquals(server.requests[0]?.headers.get("authorization"), null);
    await server.close();
  });

  test("reads an --env-file, but no .env by itself", async () => {
    const server = serve({ text: "ok" });
    await inTempDir(async (cwd) => {
      await Deno.writeTextFile(`${cwd}/.env`, "OPENAI_BASE_URL=http://127.0.0.1:1/v1\n");
      await Deno.writeTextFile(
        `${cwd}/my.env`,
        `OPENAI_BASE_URL=${server.baseUrl}\nOPENAI_API_KEY="k-2"\nREIN_MODEL=m\n`,
      );
      const settings: RunSettings = { cwd, env: { OPENAI_BASE_URL: server.baseUrl } };
      const plain = await rein(program, ["--model", "m", "hi"], settings);
      const named = await rein(program, ["--env-file", "my.env", "hi"], { cwd });
      assertEquals([plain.stdout, named.stdout], ["ok\n", "ok\n"]);
      assertEquals(server.requests[0]?.headers.get("authorization"), null);
      assertEquals(server.requests[1]?.headers.get("authorization"), "Bearer k-2");
    });
    await server.close();
  });

  test("returns the observations of one turn in the order of its calls", async () => {
    const server = serve(
      {
        text: "Looking.",
        calls: [
          { name: "run_shell", arguments: { command: "echo one" } },
          { name: "calculate", arguments: { expression: "0.1+0.2" } },
          { name: "list_files", arguments: {} },
        ],
      },
      { text: "done" },
    );
    await inTempDir(async (cwd) => {
      await Deno.writeTextFile(`${cwd}/a.txt`, "x");
      const args = ["--base-url", server.baseUrl, "--model", "m", "hi"];
      const ended = await rein(program, args, { cwd });
      assertEquals([ended.code, ended.stdout], [0, "done\n"]);
      assertEquals(
        ended.stderr.trim().split("\n").map((line) => line.replace(/→.*/, "").trim()).toSorted(),
        [
          "[Step 1/15] calculate 0.1+0.2",
          "[Step 1/15] list_files .",
          "[Step 1/15] run_shell echo one",
        ],
      );
    });
    const results = server.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
    assertEquals(results.map((result) => result.tool_call_id), [
      "call_0_0",
      "call_0_1",
      "call_0_2",
    ]);
    assertEquals(JSON.parse(results[0]?.content ?? ""), {
      status: "success",
      data: { exit_code: 0, stdout: "one\n", stderr: "" },
    });
    await server.close();
  });

  test("gives a command an empty stdin", async () => {
    await inTempDir(async (cwd) => {
      const call = { name: "run_shell", arguments: { command: "cat" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
      const { stdout } = await rein(program, ["--model", model, "-o", "jsonl", "hi"], { cwd });
      const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const finished = events.find(({ type }) => type === "call_finished");
      assertEquals(finished.observation.data, { exit_code: 0, stdout: "", stderr: "" });
    });
  });

  test("is silent on stderr with --quiet", async () => {
    await inTempDir(async (cwd) => {
      const call = { name: "calculate", arguments: { expression: "1" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
      const ended = await rein(program, ["--quiet", "--model", model, "hi"], { cwd });
      assertEquals(ended, { code: 0, stdout: "ok\n", stderr: "" });
    });
  });

  test("shows a recorded model as recorded", async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [{ text: "ok" }]);
      const text = await rein(program, ["--model", model, "hi"], { cwd });
      const json = await rein(program, ["--model", model, "-o", "json", "hi"], { cwd });
      assertEquals(text.stderr.slice(0, ANSWERED.recorded.length), ANSWERED.recorded);
      assertEquals(JSON.parse(json.stdout).model, { name: model, recorded: true });
    });
  });

  test("prints one JSON object that jq can read", async () => {
    await inTempDir(async (cwd) => {
      const call = { name: "calculate", arguments: { expression: "6*7" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "42" }]);
      const line = `rein --model '${model}' --output json hi | jq -c '[.answer, .calls[0].tool]'`;
      const ended = await bash(program, line, { cwd });
      assertEquals(ended.stdout, '["42","calculate"]\n');
    });
  });

  test("tells of text in JSON lines before the model has ended", async () => {
    const gate = Promise.withResolvers<void>();
    const server = serve({ text: ["first ", "second"], gate: gate.promise });
    const child = start(program, [
      "--base-url",
      server.baseUrl,
      "--model",
      "m",
      "-o",
      "jsonl",
      "q",
    ]);
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes('"text":"first "')) seen += (await reader.read()).value ?? "";
    assertEquals(seen.includes("second"), false);
    gate.resolve();
    for (let next = await reader.read(); !next.done; next = await reader.read()) seen += next.value;
    assertEquals(JSON.parse(seen.trim().split("\n").at(-1) ?? "").type, "run_finished");
    await child.stderr.cancel();
    assertEquals((await child.status).code, 0);
    await server.close();
  });

  test("changes nothing in a dry run and shows what it would change", async () => {
    await inTempDir(async (cwd) => {
      const calls = [
        { name: "run_shell", arguments: { command: "echo read" } },
        { name: "run_shell", arguments: { command: "touch made" } },
        { name: "write_file", arguments: { path: "b.txt", content: "two\n" } },
      ];
      const model = await recording(cwd, [{ calls }, { text: "ok" }]);
      const args = ["--dry-run", "-m", model, "-o", "jsonl", "hi"];
      const { code, stdout } = await rein(program, args, { cwd });
      const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const data = events.filter(({ type }) => type === "call_finished")
        .map(({ observation }) => observation.data);
      assertEquals(code, 0);
      assertEquals(data[0], { exit_code: 0, stdout: "read\n", stderr: "" });
      assertEquals(data[1], { dry_run: true, decision: "ask", would: "touch made" });
      assertEquals([data[2].dry_run, data[2].would.includes("+two")], [true, true]);
      const names = [...Deno.readDirSync(cwd)].map(({ name }) => name);
      assertEquals(names, ["recording.jsonl"]);
    });
  });
}
