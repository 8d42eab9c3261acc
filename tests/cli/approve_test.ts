import { assertEquals } from "@std/assert";
import type { ApprovalRequest } from "../../lib/calls/pipeline.ts";
import { createApprover } from "../../lib/cli/approve.ts";
import type { Console } from "../../lib/ports.ts";
import { evaluationOf, FakeConsole, fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

const COMMAND = "git push && rm -rf old";

const ASKED = evaluationOf("ask", "git push");

/** A command whose risky part stands somewhere. */
const REQUEST: ApprovalRequest = {
  tool: "run_shell",
  arguments: { command: COMMAND },
  brief: COMMAND,
  subjects: [{ kind: "command", command: COMMAND }],
  preview: null,
  evaluation: {
    ...ASKED,
    parts: ASKED.parts.map((part) => ({
      ...part,
      matches: part.matches.map((match) => ({ ...match, span: { start: 0, end: 8 } })),
    })),
  },
};

/** An approver with whoever sits there, and how often the run was interrupted. */
function approverWith(open: () => Console | null) {
  const terminal = new FakeTerminal();
  terminal.openConsole = () => Promise.resolve(open());
  let interrupts = 0;
  const approve = createApprover(fakePorts({ terminal }), () => interrupts++);
  return { approve, interrupts: () => interrupts, terminal };
}

/** What comes of asking somebody who presses these keys. */
async function asked(console: FakeConsole, request = REQUEST, signal = NEVER) {
  const { approve, interrupts } = approverWith(() => console);
  const approval = await approve(request, signal);
  return { approval, interrupts: interrupts(), screen: console.screen, closed: console.closed };
}

const SHOWN = `
run_shell wants to run:
    git push && rm -rf old
    ~~~~~~~~
  because of:
    git push: The test says so (rule test.ask)
  would delete:
    old
  y yes, once   a always this exact call, this session   n no
  w no, and tell the model why   s no, and stop the run
Allow it? `;

Deno.test("createApprover() takes it for a no where nobody is at a terminal", async () => {
  const { approve, interrupts, terminal } = approverWith(() => null);
  assertEquals([await approve(REQUEST, NEVER), interrupts(), terminal.stderr], [
    { granted: false, by: "nobody", reason: "nobody is at a terminal to give it" },
    0,
    "",
  ]);
});

Deno.test("createApprover() shows what would run, why it asks and what it would do", async () => {
  assertEquals(await asked(new FakeConsole(["y"])), {
    approval: { granted: true, by: "person", scope: "once" },
    interrupts: 0,
    screen: `${SHOWN}\nAllow it? Yes, once\n`.replace("Allow it? \nAllow", "Allow"),
    closed: true,
  });
});

Deno.test("createApprover() takes a no, with a reason or without", async () => {
  const no = await asked(new FakeConsole(["n"]));
  const why = await asked(new FakeConsole(["w", "not on a Friday\r"]));
  const person = { granted: false, by: "person", scope: "once" } as const;
  assertEquals([no.approval, why.approval], [
    { ...person, reason: null },
    { ...person, reason: "not on a Friday" },
  ]);
});

Deno.test("createApprover() stops the run of a person who presses s or Ctrl-C", async () => {
  const stopped = await Promise.all(["s", "\u0003"].map((key) => asked(new FakeConsole([key]))));
  const approval = { granted: false, by: "person", scope: "run", reason: null } as const;
  assertEquals(
    stopped.map(({ screen: _screen, ...rest }) => rest),
    [1, 2].map(() => ({ approval, interrupts: 1, closed: true })),
  );
});

Deno.test("createApprover() drops what was typed before the question, but for Ctrl-C", async () => {
  const ahead = (keys: string) => {
    const console = new FakeConsole(["n"]);
    console.ahead = keys;
    return asked(console);
  };
  assertEquals((await ahead("yyya\r")).approval, {
    granted: false,
    by: "person",
    scope: "once",
    reason: null,
  });
  assertEquals((await ahead("y\u0003")).interrupts, 1);
});

Deno.test("createApprover() waits for a key that is an answer", async () => {
  const { approval, screen } = await asked(new FakeConsole(["\r", "x", "yes\r", "y"]));
  assertEquals(approval, { granted: true, by: "person", scope: "once" });
  assertEquals(
    screen.match(/(Enter alone|"x"|More than one key at once) is no answer/g)?.length,
    3,
  );
});

Deno.test("createApprover() asks no more about a call that is always allowed, and about others", async () => {
  const consoles: FakeConsole[] = [];
  const { approve } = approverWith(() => {
    consoles.push(new FakeConsole([consoles.length === 0 ? "a" : "n"]));
    return consoles.at(-1) ?? null;
  });
  const other = { ...REQUEST, arguments: { command: `${COMMAND} /` } };
  const answers = [];
  for (const request of [REQUEST, REQUEST, other]) answers.push(await approve(request, NEVER));
  assertEquals([answers, consoles.length], [
    [
      { granted: true, by: "person", scope: "session" },
      { granted: true, by: "session", scope: "session" },
      { granted: false, by: "person", scope: "once", reason: null },
    ],
    2,
  ]);
});

Deno.test("createApprover() takes it for a no where the terminal goes away", async () => {
  const { approval, closed } = await asked(new FakeConsole(["x"]));
  const reason = "the terminal went away before somebody gave it";
  assertEquals([approval, closed], [{ granted: false, by: "nobody", reason }, true]);
});

Deno.test("createApprover() does not interrupt a run that is ending already", async () => {
  const { approval, interrupts } = await asked(new FakeConsole([]), REQUEST, AbortSignal.abort());
  const reason = "the run was ended before somebody gave it";
  assertEquals([approval, interrupts], [{ granted: false, by: "nobody", reason }, 0]);
});

const unmarked = (text: string, preview: string | null = null): ApprovalRequest => ({
  ...REQUEST,
  tool: "edit_file",
  brief: text,
  subjects: [{ kind: "path", access: "write", path: text }],
  preview,
  evaluation: evaluationOf("ask", text),
});

Deno.test("createApprover() shows what the call would do, where the tool tells", async () => {
  const { screen } = await asked(new FakeConsole(["n"]), unmarked("f", "-a\n+\u001b[2Kb\n"));
  assertEquals(
    screen.includes("  would write:\n    f\n  what it would do:\n    -a\n    +[2Kb\n"),
    true,
  );
});

Deno.test("createApprover() shows no codes for the terminal that are not its own", async () => {
  const text = "rm\u001b[2K\u202e x";
  const { screen } = await asked(new FakeConsole(["n"]), unmarked(text));
  assertEquals(screen.includes("\u001b"), false);
  assertEquals(
    screen.includes("wants to run:\n    rm[2K x\n  because of:\n    rm[2K x: The"),
    true,
  );
});

Deno.test("createApprover() underlines, and draws its question in place, where that can be shown", async () => {
  const { screen } = await asked(new FakeConsole(["x", "n"], { styled: true }));
  assertEquals(screen.includes("    \u001b[1;4mgit push\u001b[0m && rm"), true);
  const last = screen.slice(screen.indexOf("Allow it?"));
  const note = '"x" is no answer. Press y, a, n, w or s; v shows all of it.';
  assertEquals(
    last,
    `Allow it? \r\u001b[J${note}\nAllow it? \u001b[1A\r\u001b[JAllow it? No\n`,
  );
});

const LONG = Array.from({ length: 60 }, (_, line) => `echo ${line + 1}`).join("\n") +
  "\nrm -rf build";

Deno.test("createApprover() cuts a long command around what is risky, and v shows all of it", async () => {
  const rule = {
    ...ASKED.parts[0]?.matches[0],
    span: { start: LONG.length - 12, end: LONG.length },
  };
  const part = { text: "rm -rf build", span: null, decision: "ask", matches: [rule] };
  const request = {
    ...REQUEST,
    subjects: [{ kind: "command", command: LONG }],
    evaluation: { decision: "ask", parts: [part] },
  } as ApprovalRequest;
  const { screen } = await asked(new FakeConsole(["v", "v", "v", "v", "n"]), request);
  const [first = "", ...pages] = screen.split("Allow it? ");
  assertEquals(
    first.includes("    echo 6\n    …\n    rm -rf build\n    ~~~~~~~~~~~~\n  because of:\n"),
    true,
  );
  assertEquals(pages.slice(0, 4).map((page) => page.trimEnd().split("\n").at(-1)), [
    "(48 more lines: v goes on.)",
    "(28 more lines: v goes on.)",
    "(8 more lines: v goes on.)",
    "(That is all of it.)",
  ]);
  const lines = LONG.split("\n").filter((line) => !pages.join("").includes(`    ${line}\n`));
  assertEquals(lines, []);
});

Deno.test("createApprover() fits Chinese text into 40 columns", async () => {
  const command = "rm -rf 数据库备份目录/二〇二六年十一月/第三十日的完整备份";
  const request: ApprovalRequest = { ...REQUEST, subjects: [{ kind: "command", command }] };
  const { screen } = await asked(new FakeConsole(["n"], { columns: 40 }), request);
  const rows = screen.split("\n").filter((line) =>
    line.startsWith("    ") && /\p{Script=Han}/u.test(line)
  );
  assertEquals(rows.slice(0, 2), [
    "    rm -rf 数据库备份目录/二〇二六年十一",
    "    月/第三十日的完整备份",
  ]);
});
