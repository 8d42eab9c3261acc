import { assertEquals } from "@std/assert";
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import type { Subject } from "../../lib/types.ts";

const judge = createJudge(loadPolicy(builtInSources()), {
  cwd: "/home/user/work",
  home: "/home/user",
  realPath: () => null,
});

function decide(command: string): string {
  const subjects = [{ kind: "command", command }] as const;
  return judge({ tool: "run_shell", effect: "execute", subjects }).decision;
}

const CASES: readonly (readonly [string, string])[] = [
  ["ls -la /var/log | head -3", "allow"],
  ["git log --oneline 2>/dev/null", "allow"],
  ["rm -rf /", "deny"],
  ["r''m -rf ~", "deny"],
  ["(cd x; rm -rf /etc)", "deny"],
  ["cat /etc/shadow", "deny"],
  ["rm -rf build", "ask"],
  ["ls > x", "ask"],
  ["ls $(touch x)", "ask"],
  ["git push", "ask"],
  ["", "ask"],
];

for (const [command, expected] of CASES) {
  Deno.test(`createJudge() decides ${expected} for ${command}`, () => {
    assertEquals(decide(command), expected);
  });
}

Deno.test("createJudge() allows a call that touches nothing only if its effect is to read", () => {
  assertEquals(judge({ tool: "calculate", effect: "read", subjects: [] }).decision, "allow");
  assertEquals(judge({ tool: "mystery", effect: "execute", subjects: [] }).decision, "ask");
});

Deno.test("createJudge() allows reading ordinary files and denies secrets", () => {
  const read = (path: string) =>
    judge({ tool: "read_file", effect: "read", subjects: [{ kind: "path", access: "read", path }] })
      .decision;
  assertEquals(read("README.md"), "allow");
  assertEquals(read("/home/user/.ssh/id_ed25519"), "deny");
});

Deno.test("the locked policy reads below the working directory and does nothing else", () => {
  const locked = createJudge(loadPolicy(builtInSources("locked")), {
    cwd: "/home/user/work",
    home: "/home/user",
    realPath: (path) => path === "/home/user/work/link" ? "/etc/hosts" : null,
  });
  const read = (path: string) =>
    locked({
      tool: "read_file",
      effect: "read",
      subjects: [{ kind: "path", access: "read", path }],
    })
      .decision;
  assertEquals(read("notes/a.txt"), "allow");
  assertEquals(read("/home/user/work"), "allow");
  assertEquals(read("../other"), "deny");
  assertEquals(read("/etc/hosts"), "deny");
  assertEquals(read("link"), "deny");
  assertEquals(read(".ssh/id_rsa"), "deny");
  const command = { kind: "command", command: "ls" } as const;
  assertEquals(
    locked({ tool: "run_shell", effect: "execute", subjects: [command] }).decision,
    "deny",
  );
});

Deno.test("the read-only policy allows reading and denies changing", () => {
  const judge = createJudge(loadPolicy(builtInSources("read-only")), {
    cwd: "/home/user/work",
    home: "/home/user",
    realPath: () => null,
  });
  const decide = (command: string) =>
    judge({ tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] })
      .decision;
  assertEquals(decide("git log | head"), "allow");
  assertEquals(decide("git push"), "deny");
  assertEquals(decide("ls > x"), "deny");
});

Deno.test("createJudge() judges hosts and intents by the same rules", () => {
  const ask = (subject: Parameters<typeof judge>[0]["subjects"][number]) =>
    judge({ tool: "t", effect: "network", subjects: [subject] }).decision;
  assertEquals(ask({ kind: "host", host: "example.org" }), "ask");
  assertEquals(ask({ kind: "host", host: "169.254.169.254" }), "deny");
  assertEquals(ask({ kind: "intent", agent: "reports", intent: "weekly" }), "ask");
});

const policyOf = (name: "ops" | "read-only" | "locked") =>
  createJudge(loadPolicy(builtInSources(name)), {
    cwd: "/home/user/work",
    home: "/home/user",
    realPath: () => null,
  });

Deno.test("the built-in policies judge asking an agent more mildly than changing through it", () => {
  const decide = (name: "ops" | "read-only" | "locked") =>
    (["read", "write", undefined] as const).map((access) => {
      const subject = {
        kind: "intent",
        agent: "orders",
        intent: "refund",
        ...access && { access },
      };
      const subjects = [subject as Extract<Subject, { kind: "intent" }>];
      return policyOf(name)({ tool: "delegate", effect: "delegate", subjects }).decision;
    });
  assertEquals([decide("ops"), decide("read-only"), decide("locked")], [
    ["allow", "ask", "ask"],
    ["allow", "deny", "deny"],
    ["deny", "deny", "deny"],
  ]);
});

Deno.test("createJudge() lets a rule speak of intents that change, or that read, alone", async () => {
  const text = JSON.stringify({
    rules: [
      {
        id: "t.no-refunds",
        decision: "deny",
        intents: ["orders/*"],
        access: "write",
        reason: "No",
      },
      { id: "t.ask", decision: "ask", intents: ["alerts/*"], access: "read", reason: "Ask" },
    ],
  });
  await prepareYaml();
  const source = { name: "t", layer: "user", text } as const;
  const judge = createJudge(loadPolicy([...builtInSources(), source]), {
    cwd: "/home/user/work",
    home: "/home/user",
    realPath: () => null,
  });
  const decide = (agent: string, access: "read" | "write") =>
    judge({
      tool: "delegate",
      effect: "delegate",
      subjects: [{ kind: "intent", agent, intent: "i", access }],
    }).decision;
  assertEquals(
    [decide("orders", "read"), decide("orders", "write"), decide("alerts", "read")],
    ["allow", "deny", "ask"],
  );
});

Deno.test("the home of root is a home like any other", () => {
  const judge = createJudge(loadPolicy(builtInSources()), {
    cwd: "/root",
    home: "/root",
    realPath: () => null,
  });
  const decide = (command: string) =>
    judge({ tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] })
      .decision;
  assertEquals(decide("rm -rf build"), "ask");
  assertEquals(decide("ls -la; cat notes.txt"), "allow");
  assertEquals(decide("rm -rf *"), "deny");
  assertEquals(decide("rm -rf ~"), "deny");
  assertEquals(decide("rm -rf /root/*"), "deny");
});
