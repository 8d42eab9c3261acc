import { assertEquals } from "@std/assert";
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy } from "../../lib/policy/load.ts";

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
