import { assertEquals, assertRejects } from "@std/assert";
import { ProcessTransport } from "../../lib/delegate/process_transport.ts";
import type { Agent, TransportEvents } from "../../lib/delegate/types.ts";
import { realFiles } from "../../lib/real/files.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import { inTempDir } from "../_temp.ts";
import { fakeEnvironment, NEVER } from "../fakes.ts";
import { agentAt, failureOf, RESULT, TASK } from "./_agents.ts";

const UNHEARD: TransportEvents = { accepted: () => {} };

const ENV = {
  PATH: Deno.env.get("PATH") ?? "",
  HOME: "/home/me",
  SECRET: "not for it",
  REIN_TOKEN_ORDERS: "s3cret",
};

/** A transport to a program that the shell runs. */
function program(script: string, agent: Partial<Agent> = {}, maxBytes = 100_000) {
  return started(["sh", "-c", script], agent, maxBytes);
}

function started(command: readonly string[], agent: Partial<Agent> = {}, maxBytes = 100_000) {
  const env = fakeEnvironment(ENV);
  return new ProcessTransport(agentAt("http://x/", { idempotent: false, ...agent }), command, {
    ports: { processes: createProcesses(), files: realFiles, env },
    options: { variable: (name) => env.get(name), maxBytes },
  });
}

const PRINTED = `'${JSON.stringify(RESULT)}'`;

Deno.test("send() gives the task on stdin and takes the result from stdout", async () => {
  const script = `read -r task; test "$task" = '${JSON.stringify(TASK)}' && echo ${PRINTED}`;
  const told: (string | null)[] = [];
  const events = { accepted: (url: string | null) => void told.push(url) };
  assertEquals(await program(script).send(TASK, events, NEVER), RESULT);
  assertEquals(told, [null]);
});

Deno.test("send() takes a result whatever the exit code is, and without the input being read", async () => {
  assertEquals(await program(`echo ${PRINTED}; exit 3`).send(TASK, UNHEARD, NEVER), RESULT);
});

// The shell has some of its own, and rein finds what left the process group by REIN_COMMAND.
Deno.test("send() shows the program PATH, HOME, LANG and its token, and nothing else", async () => {
  const printed = JSON.stringify({ ...RESULT, data: { summary: "NAMES" } });
  const [before, after] = printed.split("NAMES");
  const script = `names=$(env | grep -vE '^(PWD|SHLVL|_|OLDPWD|REIN_COMMAND)=' | ` +
    `sed 's/^PATH=.*/PATH/' | sort | tr '\\n' ' '); echo '${before}'"$names"'${after}'`;
  const transport = program(script, { tokenVariable: "REIN_TOKEN_ORDERS" });
  const { data } = await transport.send(TASK, UNHEARD, NEVER);
  assertEquals(data?.summary, "HOME=/home/me PATH REIN_AGENT_TOKEN=s3cret ");
});

Deno.test("send() refuses what is no result, in the program's own words", async () => {
  const scripts = [
    `echo Starting; echo ${PRINTED}`,
    `echo ${PRINTED}; echo Done`,
    `echo ${PRINTED}; echo ${PRINTED}`,
    "exit 0",
    `echo '${JSON.stringify({ ...RESULT, task_id: "t-2" })}'`,
    `echo '${JSON.stringify({ ...RESULT, status: "done" })}'`,
    "echo oh >&2; echo 'no such order' >&2; echo >&2; exit 3",
    "kill -9 $$",
    "head -c 200000 /dev/zero",
    "while :; do head -c 1000 /dev/zero; done",
  ];
  const failures: unknown[] = [];
  for (const script of scripts) {
    failures.push(await failureOf(program(script).send(TASK, UNHEARD, NEVER)));
  }
  const envelope = JSON.stringify(RESULT);
  const begins = (words: string) => words.length > 120 ? `${words.slice(0, 119)}…` : words;
  const no = 'Agent "orders": It printed what is no JSON alone: ';
  assertEquals(failures, [
    ["bad_result", `${no}${begins(`Starting ${envelope}`)}`, false],
    ["bad_result", `${no}${begins(`${envelope} Done`)}`, false],
    ["bad_result", `${no}${begins(`${envelope} ${envelope}`)}`, false],
    ["bad_result", 'Agent "orders": It printed nothing', false],
    ["bad_result", 'Agent "orders": The result is of task "t-2", and not of "t-1"', false],
    [
      "bad_result",
      'Agent "orders": The result\'s status "done" is not known; known are success, ' +
      "partial_success, failed",
      false,
    ],
    [
      "lost",
      'Agent "orders": It ended with code 3 and no result; it says: no such order',
      false,
    ],
    ["lost", 'Agent "orders": It ended with SIGKILL and no result', false],
    ["too_large", 'Agent "orders": It printed more than 100000 bytes', false],
    ["too_large", 'Agent "orders": It printed more than 100000 bytes', false],
  ]);
});

Deno.test("send() says that a program is missing, or its token", async () => {
  const missing = await failureOf(started(["/nowhere/agent"]).send(TASK, UNHEARD, NEVER));
  assertEquals([missing[0], missing[2]], ["unreachable", false]);
  const tokenless = program("exit 0", { tokenVariable: "REIN_TOKEN_OTHER" });
  assertEquals((await failureOf(tokenless.send(TASK, UNHEARD, NEVER)))[0], "unauthorized");
});

Deno.test("send() never shows the token that a program prints", async () => {
  const leaking = program("echo got $REIN_AGENT_TOKEN >&2; exit 1", {
    tokenVariable: "REIN_TOKEN_ORDERS",
  });
  assertEquals(
    (await failureOf(leaking.send(TASK, UNHEARD, NEVER)))[1],
    'Agent "orders": It ended with code 1 and no result; it says: got ***',
  );
});

Deno.test("send() ends the whole process group once it is aborted", async () => {
  await inTempDir({}, async (directory) => {
    const fifo = `${directory}/fifo`;
    const made = await new Deno.Command("mkfifo", { args: [fifo] }).output();
    assertEquals(made.success, true);
    const over = new AbortController();
    const reason = new Error("Enough");
    // The child holds the pipe open: reading from it ends when nobody does any more.
    const script = `exec 3>${fifo}; echo ready >&3; sleep 600 & wait`;
    const ended = assertRejects(() => program(script).send(TASK, UNHEARD, over.signal));
    const pipe = await Deno.open(fifo);
    const buffer = new Uint8Array(100);
    assertEquals(await pipe.read(buffer), 6);
    over.abort(reason);
    assertEquals(await ended, reason);
    assertEquals(await pipe.read(buffer), null);
    pipe.close();
  });
});

Deno.test("cancel() ends the process of a task, and knows no other", async () => {
  const transport = program("sleep 600");
  const sent = failureOf(transport.send(TASK, {
    accepted: () => void transport.cancel("t-2").then(() => transport.cancel("t-1")),
  }, NEVER));
  assertEquals(await sent, ["lost", 'Agent "orders": Task t-1 was given up', false]);
});

Deno.test("recover() lets tasks be sent again that only read, or run once anyway", async () => {
  const reading = agentAt("http://x/").intents.map((intent) => ({
    ...intent,
    access: "read" as const,
  }));
  assertEquals(await program("", { intents: reading }).recover(TASK), null);
  assertEquals(await program("", { idempotent: true }).recover(TASK), null);
  assertEquals(await failureOf(program("").recover(TASK)), [
    "unknown_outcome",
    'Whether agent "orders" did task t-1 is not known (its process has ended), and it must not ' +
    "be sent twice",
    false,
  ]);
});

Deno.test("report() looks whether the program is there", async () => {
  assertEquals(await started(["sh"]).report(), { protocols: [], intents: null });
  assertEquals(await failureOf(started(["no-such-agent"]).report()), [
    "unreachable",
    'Agent "orders": Its program no-such-agent is not there, or is none',
    false,
  ]);
  await inTempDir({ "agent.sh": "" }, async (directory) => {
    const path = `${directory}/agent.sh`;
    assertEquals((await failureOf(started([path]).report()))[0], "unreachable");
    await Deno.chmod(path, 0o755);
    assertEquals(await started([path]).report(), { protocols: [], intents: null });
  });
});
