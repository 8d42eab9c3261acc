import { assertEquals } from "@std/assert";
import { createApprover } from "../../lib/cli/approve.ts";
import { evaluationOf, FakeTerminal, NEVER } from "../fakes.ts";

const REQUEST = { tool: "run_shell", brief: "git push", evaluation: evaluationOf("ask") };

/** Never called: where nobody is, nobody presses a key. */
function interrupt(): void {
  throw new TypeError("Nobody is there");
}

Deno.test("createApprover() takes it for a no where stdin or stderr is no terminal", async () => {
  const seats = [[false, false], [true, false], [false, true]] as const;
  const answers = seats.map(async ([stdinIsTerminal, stderrIsTerminal]) => {
    const terminal = new FakeTerminal({ stdinIsTerminal });
    terminal.stderrIsTerminal = stderrIsTerminal;
    const approval = await createApprover(terminal, interrupt)(REQUEST, NEVER);
    return { approval, said: terminal.stdout + terminal.stderr };
  });
  const reason = "nobody is at a terminal to give it";
  assertEquals(
    await Promise.all(answers),
    seats.map(() => ({ approval: { granted: false, by: "nobody", reason }, said: "" })),
  );
});
