import { assertEquals, assertStringIncludes } from "@std/assert";
import { Command } from "commander";
import { addPolicyCommands } from "../../lib/cli/policy_command.ts";
import type { PolicyPorts } from "../../lib/cli/policy_options.ts";
import { english } from "../../lib/messages/messages.ts";
import { FileError } from "../../lib/ports.ts";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `rein policy …` against files in memory. */
async function run(
  args: readonly string[],
  { files = {}, stdin = "" }: { files?: Readonly<Record<string, string>>; stdin?: string } = {},
): Promise<Ran> {
  let [code, out, err] = [-1, "", ""];
  const ports = fakePorts(files, stdin, {
    out: (text) => out += text,
    err: (text) => err += text,
  });
  const program = new Command().exitOverride();
  addPolicyCommands(program, ports, (given) => code = given);
  try {
    await program.parseAsync(["policy", ...args], { from: "user" });
  } catch (error) {
    err += error instanceof Error ? error.message : String(error);
    code = 2;
  }
  return { code, out, err };
}

function fakePorts(
  files: Readonly<Record<string, string>>,
  stdin: string,
  write: { out: (text: string) => void; err: (text: string) => void },
): PolicyPorts {
  return {
    say: english,
    files: {
      cwd: () => "/home/user/work",
      realPathSync: () => null,
      readable: () => true,
      ownedByRoot: () => Promise.resolve(true),
      stat: (path: string) =>
        path in files
          ? Promise.resolve({ kind: "file" })
          : Promise.reject(new FileError("not_found", path, `No file "${path}"`)),
      readText: (path: string) => {
        const text = files[path];
        if (text !== undefined) return Promise.resolve(text);
        return Promise.reject(new FileError("not_found", path, `No file "${path}"`));
      },
    } as unknown as PolicyPorts["files"],
    env: { get: (name) => name === "HOME" ? "/home/user" : undefined },
    terminal: {
      out: (text: string) => Promise.resolve(write.out(text)),
      err: (text: string) => Promise.resolve(write.err(text)),
      async *input() {
        yield await Promise.resolve(new TextEncoder().encode(stdin));
      },
    } as unknown as PolicyPorts["terminal"],
    processes: { available: () => true, run: () => Promise.reject(new TypeError("Not here")) },
    permissions: { holds: () => true, drop: () => {} },
  };
}

Deno.test("policy check exits 0, 20 and 21 by the decision", async () => {
  assertEquals((await run(["check", "ls -la"])).code, 0);
  assertEquals((await run(["check", "rm x"])).code, 20);
  assertEquals((await run(["check", "rm -rf /"])).code, 21);
  assertEquals((await run(["check"])).code, 2);
});

Deno.test("policy check shows each simple command with its rule, the match underlined", async () => {
  const { out } = await run(["check", "ls; rm -rf /etc"]);
  assertEquals(
    out,
    `deny

  allow  ls
         ~~
         reading.files: This looks at files

  deny   rm -rf /etc
                ~~~~
         baseline.destroy-system: This destroys the system, a home directory, or what can't be named beforehand
           instead: Name the exact paths to remove, below a directory that was made for this work
         baseline.system-files: This changes the system itself, or leaves a way in
           instead: Show the change that is needed and leave making it to a person
         ops.delete: This deletes files
           instead: List first what would go, with ls or find
         default.execute: No rule allows this command as it stands
         default.write: No rule allows writing this
`,
  );
});

Deno.test("policy check --output json prints the whole evaluation", async () => {
  const { out } = await run(["check", "--output", "json", "ls"]);
  const { decision, parts } = JSON.parse(out);
  assertEquals([decision, parts.length, parts[0].span], ["allow", 1, { start: 0, end: 2 }]);
});

Deno.test("policy check --stdin answers every line, and fails for what is no request", async () => {
  const stdin = '{"id":1,"command":"ls"}\n\n{"id":"b","command":"rm -rf /"}\n[]\n';
  const { code, out } = await run(["check", "--stdin"], { stdin });
  const answers = out.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(answers.map(({ id, decision }) => [id, decision]), [
    [1, "allow"],
    ["b", "deny"],
    [null, undefined],
  ]);
  assertEquals(code, 2);
});

Deno.test("policy check --cwd judges paths from that directory", async () => {
  assertEquals((await run(["check", "--cwd", "/etc", "cat shadow"])).code, 21);
});

const TEAM = `
rules:
  - id: team.make
    decision: allow
    programs: [terraform]
    subcommands: [apply]
    reason: The team may
    examples:
      match: [terraform apply]
      not: [terraform destroy]
`;

Deno.test("a user's policy loosens what ops lets it loosen, the working directory's does not", async () => {
  const user = { "/home/user/.config/rein/policy.yaml": TEAM };
  const project = { "/home/user/work/.rein/policy.yaml": TEAM };
  assertEquals((await run(["check", "terraform apply"])).code, 20);
  assertEquals((await run(["check", "terraform apply"], { files: user })).code, 0);
  assertEquals((await run(["check", "terraform apply"], { files: project })).code, 20);
});

Deno.test("no policy loosens the baseline", async () => {
  const loose =
    "rules:\n  - {id: u.rm, decision: allow, programs: [rm], paths: {destroy: ['/**', /]}, reason: x}\n";
  const files = { "/home/user/.config/rein/policy.yaml": loose };
  assertEquals((await run(["check", "rm -rf build"], { files })).code, 0);
  assertEquals((await run(["check", "rm -rf /"], { files })).code, 21);
});

Deno.test("a policy of the working directory tightens", async () => {
  const tight = "rules:\n  - {id: p.git, decision: deny, programs: [git], reason: Not here}\n";
  const files = { "/home/user/work/.rein/policy.yaml": tight };
  assertEquals((await run(["check", "sudo /tmp/git log"], { files })).code, 21);
});

Deno.test("a policy file with a mistake is refused with its place", async () => {
  const bad = "rules:\n  - id: a\n    decision: maybe\n    reason: x\n";
  const { code, err } = await run(["check", "--policy", "bad.yaml", "ls"], {
    files: { "bad.yaml": bad },
  });
  assertEquals(code, 2);
  assertEquals(
    err,
    'bad.yaml:3:15: Value "maybe" is not possible here: use one of allow, ask, deny',
  );
});

Deno.test("policy show --effective names every rule's place and the permissions", async () => {
  const files = { "/home/user/.config/rein/policy.yaml": TEAM };
  const { out } = await run(["show", "--effective"], { files });
  assertStringIncludes(out, "/home/user/.config/rein/policy.yaml:3");
  assertStringIncludes(out, "Permissions of the runtime that follow");
});

Deno.test("policy test exits 1 where an expectation is not met", async () => {
  const files = {
    "e.jsonl": '{"command":"ls","expect":"allow"}\n{"command":"ls","expect":"deny"}\n',
  };
  const { code, out } = await run(["test", "e.jsonl"], { files });
  assertEquals(code, 1);
  assertStringIncludes(out, "e.jsonl:2: allow instead of deny: ls");
});

Deno.test("policy lint finds what can't match, is shadowed, or allows too much", async () => {
  const text = `rules:
  - {id: a, decision: allow, programs: [bash], reason: x}
  - {id: b, decision: ask, reason: x}
  - {id: c, decision: allow, programs: [rm], reason: x}
  - {id: d, decision: deny, programs: [rm], reason: x}
`;
  const { code, out } = await run(["lint", "--policy", "p.yaml"], { files: { "p.yaml": text } });
  assertEquals(code, 1);
  assertStringIncludes(out, "bash can run other programs");
  assertStringIncludes(out, "can't match");
  assertStringIncludes(out, 'Rule "d" always decides more strictly');
});
