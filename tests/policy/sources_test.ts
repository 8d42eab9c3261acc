import { assertEquals, assertRejects } from "@std/assert";
import { PolicyError } from "../../lib/policy/types.ts";
import { findSources } from "../../lib/policy/sources.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const SYSTEM_POLICY = "/etc/rein/policy.yaml";

const env = fakeEnvironment({ HOME: "/home/user" });

const ALL = {
  [SYSTEM_POLICY]: "a",
  "/home/user/.config/rein/policy.yaml": "b",
  "/work/.rein/policy.yaml": "c",
  "/work/mine.yaml": "d",
};

function place(contents: Record<string, string>, owned: readonly string[] = [SYSTEM_POLICY]) {
  const files = new MemoryFiles(contents);
  for (const path of owned) files.ownedBy.add(path);
  return { files, env };
}

Deno.test("findSources() joins the layers in the order of their owners", async () => {
  const sources = await findSources(place(ALL), ["mine.yaml"]);
  assertEquals(sources.map(({ layer, name }) => `${layer} ${name}`), [
    "built-in built in: baseline",
    "built-in built in: reading",
    "built-in built in: ops",
    `system ${SYSTEM_POLICY}`,
    "user /home/user/.config/rein/policy.yaml",
    "project /work/.rein/policy.yaml",
    "command-line mine.yaml",
  ]);
});

Deno.test("findSources() takes the built-in policy that is named", async () => {
  const sources = await findSources(place({}), ["locked"]);
  assertEquals(sources.map(({ name }) => name), ["built in: baseline", "built in: locked"]);
});

Deno.test("findSources() refuses a machine's policy that others could have written", async () => {
  const error = await assertRejects(() => findSources(place(ALL, []), []), PolicyError);
  assertEquals([error.file, /Root must own/.test(error.message)], [SYSTEM_POLICY, true]);
});

Deno.test("findSources() refuses a named file that is not there", async () => {
  await assertRejects(() => findSources(place({}), ["nope.yaml"]), PolicyError, "nope.yaml");
});

Deno.test("findSources() leaves out what the runtime may not read", async () => {
  const { files } = place(ALL);
  files.readable = () => false;
  const sources = await findSources({ files, env }, []);
  assertEquals(sources.filter(({ layer }) => layer !== "built-in"), []);
});
