import { assertEquals } from "@std/assert";
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import type { Subject } from "../../lib/types.ts";

const OWN = `rules:
  - id: team.api
    decision: allow
    hosts: [api.example.com]
    reason: Our own API
`;

await prepareYaml();
const source = { name: "own", layer: "command-line", text: OWN } as const;
const judge = createJudge(loadPolicy([...builtInSources(), source]), {
  cwd: "/work",
  home: "/home/user",
  realPath: () => null,
});

function decisionOn(host: string, access: "read" | "write"): string {
  const subject: Subject = { kind: "host", host, access };
  return judge({ tool: "http_request", effect: "network", subjects: [subject] }).decision;
}

Deno.test("a rule that allows a host allows reading there, and asks before changing", () => {
  assertEquals(decisionOn("api.example.com", "read"), "allow");
  assertEquals(decisionOn("api.example.com", "write"), "ask");
});

Deno.test("a host that no rule names asks", () => {
  assertEquals(decisionOn("elsewhere.example.com", "read"), "ask");
});
