import { assertEquals } from "@std/assert";
import type { ApprovalRequest } from "../../lib/calls/pipeline.ts";
import { createApprover } from "../../lib/cli/approve.ts";
import type { Terminal } from "../../lib/ports.ts";
import { evaluationOf, FakeTerminal, NEVER } from "../fakes.ts";

const REQUEST: ApprovalRequest = {
  tool: "run_shell",
  brief: "git push",
  preview: null,
  evaluation: evaluationOf("ask", "git push"),
};

/** A terminal where somebody sits who answers like this. */
function personWho(confirm: Terminal["confirm"]): FakeTerminal {
  const terminal = new FakeTerminal({ stdinIsTerminal: true });
  terminal.stderrIsTerminal = true;
  terminal.confirm = confirm;
  return terminal;
}

/** What comes of asking, how often the run was interrupted, and what was shown. */
async function asked(terminal: FakeTerminal, request = REQUEST, signal = NEVER) {
  let interrupts = 0;
  const approve = createApprover(terminal, () => interrupts++);
  const approval = await approve(request, signal);
  return { approval, interrupts, stderr: terminal.stderr };
}

const SHOWN = "\nrun_shell wants to run:\n    git push\n" +
  "  because of:\n    git push: The test says so (rule test.ask)\n";

Deno.test("createApprover() takes it for a no where stdin or stderr is no terminal", async () => {
  const seats = [[false, false], [true, false], [false, true]] as const;
  const answers = seats.map(([stdinIsTerminal, stderrIsTerminal]) => {
    const terminal = personWho(() => Promise.resolve(true));
    return asked(Object.assign(terminal, { stdinIsTerminal, stderrIsTerminal }));
  });
  const reason = "nobody is at a terminal to give it";
  const approval = { granted: false, by: "nobody", reason } as const;
  assertEquals(
    await Promise.all(answers),
    seats.map(() => ({ approval, interrupts: 0, stderr: "" })),
  );
});

Deno.test("createApprover() shows what would run and why it asks, and takes a yes", async () => {
  const questions: string[] = [];
  const person = personWho((question) => {
    questions.push(question);
    return Promise.resolve(true);
  });
  assertEquals(await asked(person), {
    approval: { granted: true, by: "person", scope: "once" },
    interrupts: 0,
    stderr: SHOWN,
  });
  assertEquals([questions, person.stdout], [["Allow it this once?"], ""]);
});

Deno.test("createApprover() takes a no", async () => {
  assertEquals(await asked(personWho(() => Promise.resolve(false))), {
    approval: { granted: false, by: "person", reason: "without giving a reason" },
    interrupts: 0,
    stderr: SHOWN,
  });
});

Deno.test("createApprover() interrupts the run of a person who presses Ctrl-C", async () => {
  assertEquals(await asked(personWho(() => Promise.reject(new Error("Ctrl-C")))), {
    approval: { granted: false, by: "person", reason: "and ended the run" },
    interrupts: 1,
    stderr: SHOWN,
  });
});

Deno.test("createApprover() does not interrupt a run that is ending already", async () => {
  const person = personWho((_question, signal) => Promise.reject(signal.reason));
  const { interrupts } = await asked(person, REQUEST, AbortSignal.abort());
  assertEquals(interrupts, 0);
});

Deno.test("createApprover() shows all that was judged, even where the call is too long for a line", async () => {
  const command = `echo ${"x".repeat(200)}\nrm -rf build`;
  const parts = command.split("\n").map((text) => evaluationOf("ask", text).parts[0]);
  const evaluation = { decision: "ask", parts: parts.flatMap((part) => part ?? []) } as const;
  const request = {
    tool: "run_shell",
    brief: `echo ${"x".repeat(50)}…`,
    preview: null,
    evaluation,
  };
  const { stderr } = await asked(personWho(() => Promise.resolve(false)), request);
  assertEquals(command.split("\n").map((line) => stderr.includes(`\n    ${line}\n`)), [true, true]);
});

Deno.test("createApprover() shows what the call would do, where the tool tells", async () => {
  const request = { ...REQUEST, tool: "edit_file", brief: "f", preview: "-a\n+\u001b[2Kb\n" };
  const { stderr } = await asked(personWho(() => Promise.resolve(false)), request);
  assertEquals(stderr.includes("  which would do:\n    -a\n    +[2Kb\n  because of:\n"), true);
});

Deno.test("createApprover() shows no codes for the terminal", async () => {
  const text = "rm\u001b[2K\u202e x";
  const evaluation = evaluationOf("ask", text);
  const request = { tool: "run_shell", brief: text, preview: null, evaluation };
  const { stderr } = await asked(personWho(() => Promise.resolve(false)), request);
  assertEquals(
    stderr,
    "\nrun_shell wants to run:\n    rm[2K x\n  because of:\n    rm[2K x: The test says so (rule test.ask)\n",
  );
});
