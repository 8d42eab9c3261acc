import { assertEquals } from "@std/assert";
import type { DebugLine } from "../../lib/debug/lines.ts";
import { evaluationOf } from "../fakes.ts";
import { linesOf, replayed } from "./_runs.ts";

/** Changes the lines of one type. */
function changed<T extends DebugLine["type"]>(
  lines: readonly DebugLine[],
  type: T,
  change: (line: Extract<DebugLine, { type: T }>) => unknown,
): readonly DebugLine[] {
  return lines.map((line) =>
    line.type === type ? change(line as Extract<DebugLine, { type: T }>) as DebugLine : line
  );
}

Deno.test("replayOffline() tells of a decision that would change, and stays on the recorded way", async () => {
  const lines = await linesOf("approved.jsonl");
  const differences = await replayed(lines, (parts) => ({
    ...parts,
    judge: (request) =>
      request.tool === "edit_file" ? evaluationOf("deny", "notes.txt") : parts.judge(request),
  }));
  assertEquals(differences.map((difference) => ({ ...difference, run: "", rules: 0 })), [{
    kind: "decision",
    run: "",
    call: "call_1_1",
    tool: "edit_file",
    brief: "notes.txt",
    recorded: "ask",
    now: "deny",
    rules: 0,
  }]);
});

Deno.test("replayOffline() tells of the first message that would be another", async () => {
  const lines = changed(await linesOf("step-limit.jsonl"), "asked", (line) => ({
    ...line,
    messages: line.messages.map((message) => ({
      ...message,
      content: message.content.replace("[Step 2/2]", "[Schritt 2/2]"),
    })),
  }));
  const differences = await replayed(lines);
  assertEquals(differences.map((each) => [each.kind, each.kind === "request" && each.ask]), [
    ["request", 2],
  ]);
});

Deno.test("replayOffline() tells of tools that are described in another way, or are gone", async () => {
  const differences = await replayed(await linesOf("step-limit.jsonl"), (parts) => ({
    ...parts,
    tools: parts.tools.filter(({ name }) => name !== "calculate")
      .map((tool) => tool.name === "todo" ? { ...tool, description: "Another" } : tool),
  }));
  assertEquals(
    differences.flatMap((each) => each.kind === "definition" ? [[each.tool, each.what]] : []),
    [["calculate", "gone"], ["todo", "changed"]],
  );
});

Deno.test("replayOffline() tells of a call that would end in another way", async () => {
  const lines = await linesOf("step-limit.jsonl");
  const differences = await replayed(lines, (parts) => ({
    ...parts,
    tools: parts.tools.map((tool) =>
      tool.name === "run_shell"
        ? { ...tool, parameters: { ...tool.parameters, required: ["reason"] } }
        : tool
    ),
  }));
  const calls = differences.filter(({ kind }) => kind === "call");
  assertEquals(calls.length, 1);
});

Deno.test("replayOffline() tells what a result would say otherwise", async () => {
  const lines = changed(await linesOf("repeating.jsonl"), "run_assembled", (line) => ({
    ...line,
    limits: { ...line.limits, max_steps: 2 },
  }));
  const differences = await replayed(lines);
  const results = differences.flatMap((each) =>
    each.kind === "result" && each.field === "stop_reason" ? [[each.recorded, each.now]] : []
  );
  assertEquals(results, [["repeating", "step_limit"]]);
});

Deno.test("replayOffline() goes as far as a run was recorded whose process was killed", async () => {
  const lines = await linesOf("parallel.jsonl");
  const end = lines.findIndex((line) => line.type === "asked" && line.ask === 2);
  assertEquals(await replayed(lines.slice(0, end + 1)), []);
  assertEquals(await replayed(lines.slice(0, end)), []);
});

Deno.test("replayOffline() runs nothing", async () => {
  const ran: string[] = [];
  await replayed(await linesOf("parallel.jsonl"), (parts) => ({
    ...parts,
    tools: parts.tools.map((tool) => ({
      ...tool,
      run: () => {
        ran.push(tool.name);
        return Promise.reject(new TypeError("It was run"));
      },
    })),
  }));
  assertEquals(ran, []);
});

Deno.test("replayOffline() lets calls of a server's tools take as long as they took", async () => {
  const renamed = JSON.stringify(await linesOf("parallel.jsonl"))
    .replaceAll('"search_files"', '"a__search"').replaceAll('"run_shell"', '"a__shell"')
    .replaceAll('"calculate"', '"a__calculate"');
  let calls = 0;
  const lines = changed(JSON.parse(renamed), "event", (line) => {
    if (line.event.type === "call_finished") calls++;
    const hours = Math.max(0, calls - 1);
    const at = new Date(Date.parse(line.event.at) + hours * 3_600_000).toISOString();
    return { ...line, event: { ...line.event, at } };
  });
  const differing = (await replayed(lines)).filter(({ kind }) => kind === "call");
  assertEquals([calls, differing], [3, []]);
});
