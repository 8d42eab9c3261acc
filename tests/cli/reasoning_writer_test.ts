import { assertEquals } from "@std/assert";
import { createReasoningWriter } from "../../lib/cli/reasoning_writer.ts";
import type { EventBody } from "../../lib/events.ts";
import { eventOf } from "../session/_sessions.ts";
import { FakeTerminal } from "../fakes.ts";

const BODIES: readonly EventBody[] = [
  { type: "text_delta", text: "Let me " },
  { type: "reasoning_delta", text: "Hm, \u001b[2J" },
  { type: "reasoning_delta", text: "well" },
  { type: "text_delta", text: "Yes" },
  { type: "reasoning_delta", text: "Done.\n" },
  { type: "text_delta", text: "." },
];

async function written(stderrIsTerminal: boolean): Promise<string> {
  const terminal = new FakeTerminal();
  terminal.stderrIsTerminal = stderrIsTerminal;
  const write = createReasoningWriter(terminal);
  for (const body of BODIES) await write(eventOf(body));
  assertEquals(terminal.stdout, "");
  return terminal.stderr;
}

Deno.test("createReasoningWriter() writes thoughts alone, apart from what follows", async () => {
  assertEquals(await written(false), "Hm, [2Jwell\nDone.\n");
});

Deno.test("createReasoningWriter() dims them on a terminal", async () => {
  assertEquals(
    await written(true),
    "\u001b[2mHm, [2J\u001b[22m\u001b[2mwell\u001b[22m\n\u001b[2mDone.\n\u001b[22m",
  );
});
