import { assertEquals } from "@std/assert";
import { newEditor } from "../../../lib/cli/prompt/editor.ts";
import { EditingReader, PlainReader } from "../../../lib/cli/prompt/read_line.ts";
import { createStyles } from "../../../lib/cli/styles.ts";
import { FakeTerminal, inPieces, NEVER } from "../../fakes.ts";

const MARKS = { first: "> ", more: ". " };

/** A reader at a terminal at which these pieces are typed. */
function typing(...pieces: readonly string[]) {
  const terminal = new FakeTerminal();
  const left = [...pieces];
  terminal.keys = async function* () {
    while (left.length > 0) yield left.shift()!;
  };
  const styles = createStyles(true);
  const complete = (editor: ReturnType<typeof newEditor>) =>
    Promise.resolve({ ...editor, hint: ["one  two"] });
  let shown = false;
  const toggleOutput = () => {
    shown = !shown;
    return shown ? "shown" : "hidden";
  };
  const ports = { terminal, styles, marks: MARKS, complete, toggleOutput };
  return { terminal, reader: new EditingReader(ports) };
}

Deno.test("EditingReader gives one input after the other, also of what was typed at once", async () => {
  const { reader } = typing("one\rtwo\rth", "ree\r");
  const inputs = [];
  for (let count = 0; count < 4; count++) inputs.push(await reader.read([], NEVER));
  assertEquals(inputs, [
    { kind: "text", text: "one" },
    { kind: "text", text: "two" },
    { kind: "text", text: "three" },
    { kind: "leave", by: "end_of_input" },
  ]);
});

Deno.test("EditingReader paints in place, hints below, and leaves the text on the screen", async () => {
  const { reader, terminal } = typing("ab\t", "\r");
  await reader.read([], NEVER);
  assertEquals(
    terminal.stderr.replaceAll("\x1b", "^").replaceAll("\r", "<").split("^[J"),
    [
      "^[?2004h<> ^[K",
      "<^[2C<> ^[K",
      "<^[2C<> ab^[K<\n^[2mone  two^[22m^[K",
      "^[1A<^[4C<> ab^[K",
      "<^[4C<\n^[?2004l",
    ],
  );
});

Deno.test("EditingReader says below the text what Ctrl-O has done, until the next key", async () => {
  const { reader, terminal } = typing("ab\x0f", "\x0f", "c", "\r");
  const input = await reader.read([], NEVER);
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  const hints = [...terminal.stderr.matchAll(/> (\w*)\x1b\[K(?:\r\n\x1b\[2m(\w+))?/g)];
  assertEquals(hints.map(([, text, hint]) => [text, hint]), [
    ["", undefined],
    ["", undefined],
    ["ab", "shown"],
    ["ab", "hidden"],
    ["abc", undefined],
    ["abc", undefined],
  ]);
  assertEquals(input, { kind: "text", text: "abc" });
});

Deno.test("EditingReader ends with the signal", async () => {
  const { reader } = typing();
  assertEquals(await reader.read([], AbortSignal.abort()), { kind: "leave", by: "interrupt" });
});

Deno.test("PlainReader joins lines that end with a backslash, and ends with its input", async () => {
  const terminal = new FakeTerminal({}, inPieces("one \\\ntwo\r\n磁", "盘\n"));
  const pieces = terminal.input(NEVER)[Symbol.asyncIterator]();
  terminal.input = () => ({ [Symbol.asyncIterator]: () => pieces });
  const reader = new PlainReader({ terminal, marks: MARKS });
  assertEquals([
    await reader.read([], NEVER),
    await reader.read([], NEVER),
    await reader.read([], NEVER),
  ], [
    { kind: "text", text: "one \ntwo" },
    { kind: "text", text: "磁盘" },
    { kind: "leave", by: "end_of_input" },
  ]);
  assertEquals(terminal.stderr, "> . > > \n");
});

Deno.test("PlainReader clears at the first interrupt and leaves at the second", async () => {
  const terminal = new FakeTerminal();
  const reader = new PlainReader({ terminal, marks: MARKS });
  assertEquals([
    await reader.read([], AbortSignal.abort()),
    await reader.read([], AbortSignal.abort()),
  ], [{ kind: "cleared" }, { kind: "leave", by: "interrupt" }]);
});
