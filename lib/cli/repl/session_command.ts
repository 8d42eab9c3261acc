/**
 * `rein` at a terminal: one session, in which every input is a run.
 *
 * @module
 */

import type { Ports } from "../../ports.ts";
import { VERSION } from "../../version.ts";
import { createApprover } from "../approve.ts";
import { assembleRun } from "../assemble_run.ts";
import type { AssembledRun } from "../assembled_run.ts";
import { Interruption, SIGNAL_EXIT_CODES } from "../exit_code.ts";
import { failureFor, failureLine } from "../failure.ts";
import { createPerson, type Person, readersOf } from "../person.ts";
import { printable } from "../printable.ts";
import { complete } from "../prompt/complete.ts";
import { openHistory, type PromptHistory } from "../prompt/history.ts";
import { EditingReader, type Input, type LineReader, PlainReader } from "../prompt/read_line.ts";
import { readTask } from "../read_task.ts";
import type { Interrupts, RunOptions } from "../run_options.ts";
import { choiceOf } from "../run_session.ts";
import { layGround, setUpRuns } from "../run_setup.ts";
import { type Conversation, SLASH_COMMANDS } from "./commands.ts";
import { meaningOf } from "./interpret.ts";

/** Before the first line of an input, and before the others. */
const MARKS = { first: "rein> ", more: "    > " };

/** What Ctrl-C ends: what goes on, the first time; the session, the second time. */
class StepInterrupt {
  #running: AbortController | null = null;
  readonly #interrupts: Interrupts;

  constructor(interrupts: Interrupts) {
    this.#interrupts = interrupts;
  }

  press(): void {
    if (this.#running === null || this.#running.signal.aborted) this.#interrupts.interrupt();
    else this.#running.abort(new Interruption("SIGINT"));
  }

  /** Does work that can be ended without ending the session. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = new AbortController();
    this.#running = running;
    const takeBack = this.#interrupts.divert?.(() => this.press());
    try {
      return await work(AbortSignal.any([this.#interrupts.signal, running.signal]));
    } finally {
      takeBack?.();
      this.#running = null;
    }
  }
}

/** A session with all that it is held with. */
interface Held {
  readonly conversation: Conversation;
  readonly person: Person;
  readonly history: PromptHistory;
  readonly reader: LineReader;
  readonly interrupt: StepInterrupt;
  /** What nobody may see. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

function readerFor({ ability, styles, terminal, steps }: Person, ports: Ports): LineReader {
  if (!ability.cursor) return new PlainReader({ terminal, marks: MARKS, say: ports.say });
  const names = SLASH_COMMANDS.map(({ name }) => `/${name}`);
  return new EditingReader({
    terminal,
    styles,
    marks: MARKS,
    say: ports.say,
    complete: (editor) => complete(editor, names, ports),
    toggleOutput: () => steps.toggleOutput(),
  });
}

async function greet({ person, conversation }: Held): Promise<void> {
  const { assembled: { session, runPorts }, ports: { say } } = conversation;
  const values = { version: VERSION, model: printable(runPorts.model.name) };
  const text = session.id === null
    ? say("session.greeting_unkept", values)
    : say("session.greeting", { ...values, id: session.id });
  await person.terminal.err(person.styles.dim(`${text}\n`));
}

/** The question with the files that it names; null where one can't be read, which is then told. */
async function taskOf(question: string, held: Held): Promise<string | null> {
  const { person: { steps, terminal }, conversation: { ports }, secrets, interrupt } = held;
  try {
    // By itself "-" would ask for stdin, which is the keyboard.
    const words = [question === "-" ? " - " : question];
    return await interrupt.during((signal) =>
      readTask({ words }, ports, { steps, secrets, signal })
    );
  } catch (error) {
    const { say } = ports;
    await terminal.err(failureLine(failureFor(error, say), say));
    return null;
  }
}

/** Runs a question to its end, or to where it is interrupted. */
async function ask(question: string, held: Held): Promise<void> {
  const { conversation, person: { readers, live, terminal }, interrupt } = held;
  const { assembled, dryRun } = conversation;
  const task = await taskOf(question, held);
  if (task === null) return;
  const finished = new AbortController();
  const kept = live?.keep(finished.signal);
  try {
    await interrupt.during((signal) => assembled.follow(task, { readers, signal, dryRun }));
  } finally {
    finished.abort();
    await kept;
  }
  await terminal.err("\n");
}

/** Does what a line asks for; what a command throws is told, and the session goes on. */
async function obey(text: string, held: Held): Promise<"leave" | void> {
  const { conversation, interrupt, person: { terminal } } = held;
  const meaning = meaningOf(text, conversation.ports.say);
  switch (meaning.kind) {
    case "ask":
      return await ask(meaning.question, held);
    case "leave":
      return "leave";
    case "unknown":
      return await terminal.err(`${printable(meaning.message)}\n`);
    case "command":
      try {
        const { command, rest } = meaning;
        return await interrupt.during((signal) => command.run(rest, conversation, signal));
      } catch (error) {
        const { say } = conversation.ports;
        await terminal.err(failureLine(failureFor(error, say), say));
      }
  }
}

/** The exit code that the signal of a session amounts to. */
function codeOf({ reason }: AbortSignal): number {
  return SIGNAL_EXIT_CODES[reason instanceof Interruption ? reason.signal : "SIGINT"];
}

async function converse(held: Held): Promise<number> {
  const { reader, history, interrupt, signal } = held;
  while (true) {
    const input: Input = await interrupt.during((until) => reader.read(history.entries, until));
    if (signal.aborted) return codeOf(signal);
    if (input.kind === "leave") return input.by === "interrupt" ? SIGNAL_EXIT_CODES.SIGINT : 0;
    if (input.kind === "cleared" || input.text.trim() === "") continue;
    history.add(input.text);
    if (await obey(input.text, held) === "leave") return 0;
    if (signal.aborted) return codeOf(signal);
  }
}

/** Puts together what a session is held with. */
async function hold(
  assembled: AssembledRun,
  person: Person,
  interrupt: StepInterrupt,
  { options, ports, secrets, signal }: Begun,
): Promise<Held> {
  const { terminal } = person;
  const conversation: Conversation = {
    assembled,
    options,
    ports: { ...ports, terminal },
    dryRun: options.dryRun,
    print: (text) => terminal.out(text),
  };
  const keep = assembled.session.id !== null;
  const history = await openHistory({ keep, redact: (text) => assembled.redact(text) }, ports);
  return {
    conversation,
    person,
    history,
    reader: readerFor(person, ports),
    interrupt,
    secrets,
    signal,
  };
}

/** What a session is begun with. */
interface Begun {
  readonly options: RunOptions;
  readonly ports: Ports;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Holds a session until the person leaves.
 *
 * @returns The exit code: 0, or that of the signal that ended it.
 * @throws As `layGround` and `assembleRun`.
 */
export async function sessionCommand(
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const { signal } = interrupts;
  const alone = await createPerson(options, ports);
  const interrupt = new StepInterrupt(interrupts);
  const setup = await setUpRuns(options, ports);
  const ground = await layGround(setup, ports, signal);
  const person = { ...alone, readers: readersOf(alone, ground.loaded.settings) };
  const wish = { options, choice: choiceOf(options), goesOn: true };
  const assembled = await assembleRun(ground, wish, ports, {
    steps: person.steps,
    approve: createApprover({ ...ports, terminal: person.terminal }, () => interrupt.press()),
    signal,
    onOutput: (piece, redact) => person.live?.output(piece, redact),
    onTasks: (tasks) => person.live?.tasks(tasks),
  });
  const { secrets } = ground.loaded;
  const show = person.ability.cursor ? person.terminal.hush() : () => {};
  try {
    const held = await hold(assembled, person, interrupt, { options, ports, secrets, signal });
    try {
      await greet(held);
      return await converse(held);
    } finally {
      held.history.close();
    }
  } finally {
    show();
    await assembled.end();
    await setup.audit?.end();
  }
}
