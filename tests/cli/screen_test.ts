import { assertEquals } from "@std/assert";
import { Screen } from "../../lib/cli/screen.ts";
import { FakeConsole, FakeTerminal } from "../fakes.ts";

/** All that is written, in the order in which it is. */
class Typescript extends FakeTerminal {
  all = "";

  override out(text: string): Promise<void> {
    this.all += text;
    return super.out(text);
  }

  override err(text: string): Promise<void> {
    this.all += text;
    return super.err(text);
  }
}

/** What is written, with the codes in words. */
function written({ all }: Typescript): string {
  return all.replaceAll("\x1b[J", "<erase>").replaceAll("\x1b[1A\r", "<up>").replaceAll(
    "\r",
    "<cr>",
  );
}

Deno.test("Screen erases the status area before anything else is printed, and shows it below", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: true });
  const screen = new Screen(terminal);
  await screen.show(["one"]);
  await screen.err("step\n");
  await screen.out("text\n");
  await screen.show([]);
  assertEquals(
    written(terminal),
    "<erase>one<cr><erase>step\n<erase>one<cr><erase>text\n<erase>one<cr><erase>",
  );
});

Deno.test("Screen shows nothing in the middle of a line", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: true });
  const screen = new Screen(terminal);
  await screen.out("beg");
  await screen.show(["one"]);
  await screen.out("un\n");
  assertEquals(written(terminal), "begun\n<erase>one<cr>");
});

Deno.test("Screen writes nothing where nothing has changed", async () => {
  const terminal = new Typescript();
  const screen = new Screen(terminal);
  for (const lines of [["a", "b"], ["a", "b"], [], []]) await screen.show(lines);
  assertEquals(written(terminal), "<erase>a<cr>\nb<up><erase>");
});

Deno.test("Screen leaves stdout alone that goes elsewhere", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: false });
  const screen = new Screen(terminal);
  await screen.show(["one"]);
  await screen.out("answer");
  assertEquals([terminal.stdout, written(terminal)], ["answer", "<erase>one<cr>answer"]);
});

Deno.test("Screen keeps the order of what is written at the same time", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: true });
  const screen = new Screen(terminal);
  await Promise.all([screen.show(["s"]), screen.err("a\n"), screen.out("b\n"), screen.err("c\n")]);
  await screen.show([]);
  assertEquals(written(terminal).replace(/<\w+>|s/g, ""), "a\nb\nc\n");
});

Deno.test("Screen asks a person with nothing below", async () => {
  const terminal = new Typescript();
  const screen = new Screen(terminal);
  terminal.confirm = (question) => terminal.err(`${question}?`).then(() => true);
  await screen.show(["one"]);
  await screen.confirm("Sure", new AbortController().signal);
  assertEquals(written(terminal), "<erase>one<cr><erase>Sure?");
});

Deno.test("Screen holds back what is printed while a question is open, and prints it in order then", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: true });
  terminal.openConsole = () => {
    const person = new FakeConsole([]);
    person.write = (text) => terminal.err(text);
    return Promise.resolve(person);
  };
  const screen = new Screen(terminal);
  await screen.show(["one"]);
  const person = await screen.openConsole();
  await person?.write("Allow it? ");
  await screen.err("step 1\n");
  await screen.show(["two"]);
  await screen.out("text\n");
  await person?.write("No\n");
  person?.close();
  await screen.err("step 2\n");
  assertEquals(
    written(terminal).replace(/<erase>two<cr>/g, "").replaceAll("<erase>", ""),
    "one<cr>Allow it? No\nstep 1\ntext\nstep 2\n",
  );
});

Deno.test("Screen goes on where nobody can be asked", async () => {
  const terminal = new Typescript({ stdoutIsTerminal: true });
  const screen = new Screen(terminal);
  assertEquals(await screen.openConsole(), null);
  await screen.err("step\n");
  assertEquals(written(terminal), "step\n");
});

Deno.test("Screen shows its area below a line that has ended, whatever codes follow the end", async () => {
  const terminal = new Typescript();
  const screen = new Screen(terminal);
  // The end of a prompt: the line, then pasting is ordinary again.
  await screen.err("rein> go\r\n\x1b[?2004l");
  await screen.show(["one"]);
  assertEquals(written(terminal), "rein> go<cr>\n\x1b[?2004l<erase>one<cr>");
});
