import { assertEquals } from "@std/assert";
import { complete } from "../../../lib/cli/prompt/complete.ts";
import { newEditor } from "../../../lib/cli/prompt/editor.ts";
import { fakeEnvironment, MemoryFiles } from "../../fakes.ts";

const COMMANDS = ["/help", "/policy", "/quit"];
const FILES = {
  "/work/README.md": "",
  "/work/.hidden": "",
  "/work/logs/access.log": "",
  "/work/logs/error.log": "",
  "/work/日志/今天.log": "",
  "/work/with blank": "",
  "/home/me/notes.md": "",
};

/** The text after Tab with `|` at the cursor, and what is said below it. */
async function afterTab(text: string): Promise<[string, ...string[]]> {
  const ports = {
    files: new MemoryFiles(FILES),
    env: fakeEnvironment({ HOME: "/home/me" }),
  };
  const editor = { ...newEditor(), text, cursor: text.length };
  const { text: after, cursor, hint } = await complete(editor, COMMANDS, ports);
  return [`${after.slice(0, cursor)}|${after.slice(cursor)}`, ...hint];
}

Deno.test("complete() completes slash commands at the beginning alone", async () => {
  assertEquals([
    await afterTab("/he"),
    await afterTab("/"),
    await afterTab("say /he"),
  ], [["/help |"], ["/|", "/help  /policy  /quit"], ["say /he|"]]);
});

Deno.test("complete() completes paths as far as they are clear, then lists what there is", async () => {
  assertEquals([
    await afterTab("what is in RE"),
    await afterTab("look at log"),
    await afterTab("look at logs/"),
    await afterTab("look at logs/e"),
    await afterTab("看看 日"),
    await afterTab("sum up @lo"),
    await afterTab("~/no"),
    await afterTab("/home/m"),
  ], [
    ["what is in README.md |"],
    ["look at logs/|"],
    ["look at logs/|", "logs/access.log  logs/error.log"],
    ["look at logs/error.log |"],
    ["看看 日志/|"],
    ["sum up @logs/|"],
    ["~/notes.md |"],
    ["/home/me/|"],
  ]);
});

Deno.test("complete() changes nothing where nothing fits", async () => {
  assertEquals([
    await afterTab("nothing/here"),
    await afterTab(""),
    await afterTab("blank "),
    await afterTab(".hid"),
    await afterTab("wi"),
  ], [["nothing/here|"], ["|"], ["blank |"], [".hidden |"], ["wi|"]]);
});
