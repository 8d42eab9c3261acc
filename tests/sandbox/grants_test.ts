import { assertEquals, assertThrows } from "@std/assert";
import {
  absolutePath,
  type BuildLimits,
  effectiveGrants,
  grantsForCall,
  renderGrants,
  SandboxError,
} from "../../lib/sandbox/grants.ts";
import type { Subject } from "../../lib/types.ts";

const FULL: BuildLimits = {
  cwd: "/work",
  readsAll: true,
  writesAll: true,
  reachesAll: true,
  runsPrograms: true,
};
const LOCKED: BuildLimits = { ...FULL, readsAll: false, writesAll: false, runsPrograms: false };

const write = (path: string): Subject => ({ kind: "path", access: "write", path });
const reach = (host: string): Subject => ({ kind: "host", host });

Deno.test("effectiveGrants() of no policy reads what the build reads, and writes and reaches per call", () => {
  assertEquals(effectiveGrants({}, FULL), {
    read: true,
    write: [],
    net: [],
    writePerCall: true,
    netPerCall: true,
    shell: "host",
    sandbox: "none",
  });
  assertEquals(effectiveGrants({}, LOCKED), {
    read: ["/work"],
    write: [],
    net: [],
    writePerCall: false,
    netPerCall: true,
    shell: "contained",
    sandbox: "none",
  });
});

Deno.test("effectiveGrants() takes a policy's paths and hosts, and no more than the build has", () => {
  const policy = { read: ["/var/log", "sub/../logs"], write: ["out"], net: ["a.example"] };
  const { read, write, net, writePerCall, netPerCall } = effectiveGrants(policy, FULL);
  assertEquals([read, write, net, writePerCall, netPerCall], [
    ["/var/log", "/work/logs"],
    ["/work/out"],
    ["a.example"],
    false,
    false,
  ]);
  const locked = effectiveGrants(policy, LOCKED);
  assertEquals([locked.read, locked.write], [["/work/logs"], []]);
});

Deno.test("effectiveGrants() never gives a build the host's shell that it can't have", () => {
  assertThrows(() => effectiveGrants({ shell: "host" }, LOCKED), SandboxError, "shell: host");
  assertThrows(
    () => effectiveGrants({ sandbox: "bubblewrap" }, LOCKED),
    SandboxError,
    "bubblewrap",
  );
  assertEquals(effectiveGrants({ shell: "contained" }, FULL).shell, "contained");
});

Deno.test("grantsForCall() adds the directory that is written and the host that is reached", () => {
  const grants = effectiveGrants({}, FULL);
  const subjects = [write("a/../b/c.txt"), write("/x"), reach("h.example:8080")];
  assertEquals(grantsForCall(grants, subjects, "/work"), {
    ...grants,
    write: ["/work/b", "/x"],
    net: ["h.example:8080"],
  });
});

Deno.test("grantsForCall() changes nothing where the call needs no more", () => {
  const grants = effectiveGrants({ write: ["/work"], net: ["h.example"] }, FULL);
  const subjects: Subject[] = [
    write("a"),
    reach("h.example:1"),
    { kind: "path", access: "read", path: "/etc/shadow" },
    { kind: "command", command: "touch /x" },
    { kind: "intent", agent: "a", intent: "b" },
  ];
  assertEquals(grantsForCall(grants, subjects, "/work") === grants, true);
});

Deno.test("grantsForCall() does not go beyond what a policy lists", () => {
  const grants = effectiveGrants({ write: ["/work"], net: ["h.example"] }, FULL);
  const subjects = [write("/workshop/a"), write("/etc/hosts"), reach("h.example.org")];
  assertEquals(grantsForCall(grants, subjects, "/work") === grants, true);
});

Deno.test("absolutePath() resolves dots and doubled slashes", () => {
  const paths = ["a", "./a/../../b", "/a//b/.", "/../..", ".."];
  assertEquals(paths.map((path) => absolutePath(path, "/work")), [
    "/work/a",
    "/b",
    "/a/b",
    "/",
    "/",
  ]);
});

Deno.test("renderGrants() says what holds, a line each", () => {
  assertEquals(
    renderGrants(effectiveGrants({ write: ["out"] }, FULL)),
    `read   everything that the policy allows
write  /work/out
net    no host, and what is allowed for a call by name
run    programs of the machine, each command after the policy's decision
env    nothing
`,
  );
  assertEquals(
    renderGrants(effectiveGrants({ net: ["a.example", "b.example"] }, LOCKED)),
    `read   /work
write  nothing
net    a.example, b.example
run    nothing: run_shell interprets bash inside the worker
env    nothing
`,
  );
});
