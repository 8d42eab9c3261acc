import { assertEquals } from "@std/assert";
import { effectsOf } from "../../lib/policy/effects.ts";
import type { Subject } from "../../lib/types.ts";

const WORLD = { cwd: "/work", home: "/home/me", realPath: (path: string) => path };

const ofCommand = (command: string) => effectsOf([{ kind: "command", command }], WORLD);

Deno.test("effectsOf() tells what commands write, delete and reach, each once", () => {
  assertEquals(ofCommand("rm -rf build && echo x > a.txt; cat b >> a.txt"), {
    writes: ["a.txt"],
    deletes: ["build"],
    hosts: [],
  });
  assertEquals(ofCommand("curl -o page https://example.org/x").hosts, ["example.org"]);
});

Deno.test("effectsOf() finds what stands behind other commands", () => {
  assertEquals(ofCommand("sudo bash -c 'rm -f /etc/old'").deletes, ["/etc/old"]);
});

Deno.test("effectsOf() shows what can't be known as such, and globs as they are", () => {
  assertEquals(ofCommand('rm "$(cat where)/"*.log').deletes, ["…/*.log"]);
});

Deno.test("effectsOf() names the paths and hosts of other tools", () => {
  const subjects: Subject[] = [
    { kind: "path", access: "read", path: "a" },
    { kind: "path", access: "write", path: "b" },
    { kind: "host", host: "example.org", access: "write" },
  ];
  assertEquals(effectsOf(subjects, WORLD), { writes: ["b"], deletes: [], hosts: ["example.org"] });
});
