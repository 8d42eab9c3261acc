import { assertEquals, assertRejects } from "@std/assert";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { failureLine, failureOf, readNamedFile, UsageError } from "../../lib/cli/failure.ts";
import { FileError, OutputError } from "../../lib/ports.ts";
import { SandboxError } from "../../lib/sandbox/grants.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { ModelError } from "../../lib/types.ts";
import { MemoryFiles } from "../fakes.ts";

Deno.test("failureOf() gives every kind of failure its words and its exit code", () => {
  const failures = [
    new UsageError("No question", "Ask one."),
    new SandboxError("No bwrap", "Install it."),
    new SessionError("in_use", "It is taken", "Wait."),
    new ModelError("unreachable", "Nobody there", { hint: "Start it." }),
    new ModelError("context_length", "Too long", { hint: "Raise it.", window: 8_192 }),
    new SyntaxError("a.yaml:1:2: Odd"),
    new FileError("not_found", "x", '"x" does not exist'),
    new OutputError(false, new Error("No space left")),
    new Interruption("SIGTERM"),
    new TypeError("undefined is not a function"),
    "thrown text",
  ].map((error) => failureOf(error));
  const defect =
    "This is a defect of rein; run it again with --debug FILE and report what it says.";
  const row = (code: string, message: string, hint: string, exitCode: number) => ({
    code,
    message,
    hint,
    exitCode,
  });
  assertEquals(failures, [
    row("usage", "No question", "Ask one.", 2),
    row("sandbox", "No bwrap", "Install it.", 2),
    row("session_in_use", "It is taken", "Wait.", 2),
    row("unreachable", "Nobody there", "Start it.", 5),
    row("context_length", "Too long", "Raise it.", 5),
    row("configuration", "a.yaml:1:2: Odd", "Correct the file.", 2),
    row("not_found", '"x" does not exist', "Check the path and its permissions.", 2),
    row(
      "output",
      "Standard output can't be written: No space left",
      "Make room, or send the output elsewhere.",
      1,
    ),
    row("interrupted", "Interrupted by SIGTERM", "Nothing was done.", 143),
    row("internal", "undefined is not a function", defect, 1),
    row("internal", "thrown text", defect, 1),
  ]);
});

Deno.test("failureLine() is one line without codes for the terminal", () => {
  assertEquals(
    failureLine({ message: "It \u001b[31mbroke\n  badly.\n", hint: "Mend it." }),
    "rein: It [31mbroke badly. Mend it.\n",
  );
});

Deno.test("readNamedFile() reads what is there and says what is not", async () => {
  const files = new MemoryFiles({ "a.yaml": "rules: []" });
  assertEquals(await readNamedFile(files, "policy file", "a.yaml"), "rules: []");
  const error = await assertRejects(
    () => readNamedFile(files, "policy file", "b.yaml"),
    UsageError,
  );
  assertEquals([error.message, error.hint], [
    'The policy file "b.yaml" does not exist',
    "Check its path and permissions.",
  ]);
});
