import { assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../lib/ports.ts";
import { readStanding, standingPlaces } from "../../lib/yaml/standing_files.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const ALL = {
  "/etc/rein/a.yaml": "1",
  "/home/user/.config/rein/a.yaml": "2",
  "/work/.rein/a.yaml": "3",
};

function place(contents: Record<string, string>, env = { HOME: "/home/user" }) {
  const files = new MemoryFiles(contents);
  files.ownedBy.add("/etc/rein/a.yaml");
  return { files, env: fakeEnvironment(env) };
}

function refusal(path: string, why: string, remedy: string): Error {
  return new TypeError([path, why, remedy].join("|"));
}

async function refused(ports: ReturnType<typeof place>): Promise<string> {
  return (await assertRejects(() => readStanding(ports, "a.yaml", refusal), TypeError)).message;
}

Deno.test("readStanding() reads what is there, in the order of the layers", async () => {
  assertEquals(await readStanding(place(ALL), "a.yaml", refusal), [
    { layer: "system", path: "/etc/rein/a.yaml", text: "1" },
    { layer: "user", path: "/home/user/.config/rein/a.yaml", text: "2" },
    { layer: "project", path: "/work/.rein/a.yaml", text: "3" },
  ]);
});

Deno.test("standingPlaces() has no place of the user's where there is no home", () => {
  const places = ["", undefined].map((home) =>
    standingPlaces(
      { ...place({}), env: fakeEnvironment(home === undefined ? {} : { HOME: home }) },
      "a.yaml",
    ).map(({ layer }) => layer)
  );
  assertEquals(places, [["system", "project"], ["system", "project"]]);
});

Deno.test("readStanding() refuses a machine's file that others could have written", async () => {
  const ports = place(ALL);
  ports.files.ownedBy.clear();
  assertEquals(
    await refused(ports),
    "/etc/rein/a.yaml|Root must own this file and its directory, and nobody else may write them|" +
      "Correct that",
  );
});

Deno.test("readStanding() refuses what is there and can't be read, and a pipe without reading it", async () => {
  const closed = place({ "/work/.rein/a.yaml": "" });
  closed.files.readText = (path) =>
    Promise.reject(new FileError("no_permission", path, "no permission"));
  const pipe = place({ "/work/.rein/a.yaml": "" });
  pipe.files.stat = () => Promise.resolve({ kind: "other", size: 0, modifiedMs: null });
  pipe.files.readText = () => new Promise(() => {});
  pipe.files.ownedBy.clear();
  assertEquals([await refused(closed), (await refused(pipe)).replace(/^[^|]*/, "")], [
    "/work/.rein/a.yaml|This can't be read (no permission)|Make it readable or remove it",
    "|This can't be read (it is no regular file)|Make it readable or remove it",
  ]);
});
