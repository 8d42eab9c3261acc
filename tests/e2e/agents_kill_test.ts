import { assertEquals } from "@std/assert";
import {
  type Actor,
  asking,
  inTown,
  kill,
  outcomeOf,
  type PlayedAgent,
  tableOf,
  type TableTask,
  type Town,
  turns,
  write,
} from "./_agents.ts";
import { type Program, REIN, SOURCE } from "./_program.ts";
import type { Told } from "./_told.ts";

/** Kills of the executable; each at another moment. */
const KILLS = 30;

/** The program from source starts slowly, and is the same program. */
const SOURCE_KILLS = 6;

/** Trials at the same time: each waits for the disk and for programs most of its time. */
const AT_ONCE = 3;

/** Changing intents of each agent; each is asked for once and leaves a line of its own. */
const INTENTS = 4;

/** Events of all processes from which on somebody is killed, and how far the moments reach. */
const FIRST = 4;
const MOMENTS = 44;

const NAMES = ["left", "right"] as const;

/** Who is killed: one of them, or two, one after the other. */
const VICTIMS: readonly (readonly string[])[] = [
  ["caller"],
  ["left"],
  ["right"],
  ["caller", "left"],
  ["right", "caller"],
];

/** Half of the changes take a moment, so that a kill can meet them. */
function agent(name: string): PlayedAgent {
  const intents = Array.from({ length: INTENTS }, (_, number) => {
    const line = write(`${name}-c${number}`);
    const command = number % 2 === 0 ? line : `sleep 0.1; ${line}; sleep 0.1`;
    const answer = { summary: `${name} c${number}`, top_items: [] };
    return [`c${number}`, { turns: turns([command, "ls made"], answer) }] as const;
  });
  return { name, more: { concurrency: 2 }, intents: Object.fromEntries(intents) };
}

/** All intents of both agents; the last of each runs after the first of the other. */
function wanted() {
  return NAMES.flatMap((name) =>
    Array.from({ length: INTENTS }, (_, number) => ({
      id: `${name}${number}`,
      agent: name,
      intent: `c${number}`,
      params: { mark: number },
      ...(number < INTENTS - 1 ? {} : { after: [`${name === "left" ? "right" : "left"}0`] }),
    }))
  );
}

/** What a trial came to. */
interface Trial {
  readonly code: number;
  readonly answer: unknown;
  /** Tasks that were run twice, told as done and not done, or never told; none, as it should be. */
  readonly wrong: readonly string[];
  /** How many tasks ended how. */
  readonly ends: Readonly<Record<string, number>>;
  readonly killed: readonly string[];
}

function endOf({ phase, error }: TableTask): string {
  return error === null ? phase : error.code;
}

function faultsOf(table: readonly TableTask[], changes: readonly string[]): readonly string[] {
  return table.flatMap((task) => {
    const line = `${task.agent}-${task.intent}`;
    const times = changes.filter((other) => other === line).length;
    const end = endOf(task);
    const told = `${line}: ${end}, done ${times} times`;
    if (times > 1 || (end === "success" && times !== 1)) return [told];
    // Those that waited for one whose end is not known are not sent.
    const isTold = ["success", "unknown_outcome"].includes(end) ||
      // An agent that is away for long was never reached.
      (end === "unreachable" && times === 0) ||
      (end === "not_obtained" && times === 0 && task.error?.message.endsWith(" failed") === true);
    return isTold ? [] : [told];
  });
}

/** Kills whoever is next once so many events were told, as long as they last. */
class Killer {
  readonly killed: string[] = [];
  readonly #victims: string[];
  readonly #actors = new Map<string, Actor>();
  readonly #first: number;
  #count = 0;
  #next: number;

  constructor(victims: readonly string[], moment: number) {
    this.#victims = [...victims];
    this.#first = moment;
    this.#next = moment;
  }

  /** Who plays this part now. */
  cast(name: string, actor: Actor): void {
    this.#actors.set(name, actor);
  }

  /** Something was told. */
  onEvent(_from: string, _event: Told): void {
    if (++this.#count < this.#next) return;
    const victim = this.#actors.get(this.#victims[0] ?? "");
    if (victim === undefined) return;
    this.killed.push(this.#victims.shift() ?? "");
    this.#next = this.#count + this.#first;
    kill(victim);
  }
}

/** Keeps an agent alive until the caller has its answer. */
async function keepServed(
  town: Town,
  name: string,
  killer: Killer,
  over: Promise<void>,
): Promise<void> {
  let isOver = false;
  const ended = over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const actor = await town.serve(name);
    killer.cast(name, actor);
    await Promise.race([actor.child.status, ended]);
  }
}

async function trial(program: Program, number: number, kills: number): Promise<Trial> {
  const moment = FIRST + Math.floor(number * MOMENTS / kills);
  const killer = new Killer(VICTIMS[number % VICTIMS.length] ?? [], moment);
  const over = Promise.withResolvers<void>();
  let result: Trial | null = null;
  await inTown(program, NAMES.map(agent), async (town) => {
    const served = NAMES.map((name) => keepServed(town, name, killer, over.promise));
    const settings = { turns: asking(wanted(), "All is done.") };
    let caller = await town.call(settings);
    killer.cast("caller", caller);
    let outcome = await outcomeOf(caller);
    while ((await caller.child.status).signal === "SIGKILL") {
      const isKept = caller.events.some(({ type }) => type === "run_started");
      caller = await (isKept ? town.resume(settings) : town.call(settings));
      killer.cast("caller", caller);
      outcome = await outcomeOf(caller);
    }
    over.resolve();
    await Promise.all(served);
    const table = await tableOf(town);
    const ends: Record<string, number> = {};
    for (const task of table) ends[endOf(task)] = (ends[endOf(task)] ?? 0) + 1;
    const changes = await town.changes();
    // A call that had not begun is told as such, and none of its tasks is sent.
    const isWhole = table.length === (changes.length === 0 ? table.length : wanted().length);
    const wrong = [...faultsOf(table, changes), ...(isWhole ? [] : [`${table.length} tasks`])];
    const { code, answer } = outcome;
    result = { code, answer, wrong, ends, killed: killer.killed };
  }, (from, event) => killer.onEvent(from, event));
  if (result === null) throw new Error("The trial came to nothing");
  return result;
}

async function trials(program: Program, kills: number): Promise<readonly Trial[]> {
  const numbers = Array.from({ length: kills }, (_, index) => index);
  const ended: Trial[] = [];
  const work = async () => {
    for (let next = numbers.shift(); next !== undefined; next = numbers.shift()) {
      ended.push(await trial(program, next, kills));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ended;
}

function report(ended: readonly Trial[]): string {
  const ends: Record<string, number> = {};
  for (const { ends: some } of ended) {
    for (const [end, count] of Object.entries(some)) ends[end] = (ends[end] ?? 0) + count;
  }
  const killed = ended.flatMap(({ killed }) => killed);
  const times = [...new Set(killed)].map((name) =>
    `${name} ${killed.filter((one) => one === name).length}`
  );
  return `Kills: ${times.join(", ")}. Tasks: ${
    Object.entries(ends).map(([end, count]) => `${end} ${count}`).join(", ")
  }`;
}

for (const [program, kills] of [[SOURCE, SOURCE_KILLS], [REIN, KILLS]] as const) {
  if (program === null) continue;
  const name = `${kills} kills of caller and agents, and no change is made twice or told wrongly`;
  Deno.test(`${name} (${program.name})`, async () => {
    const ended = await trials(program, kills);
    console.log(report(ended));
    assertEquals(ended.flatMap(({ wrong }) => wrong), []);
    assertEquals(
      ended.map(({ code, answer }) => [code, answer]),
      ended.map(() => [
        0,
        "All is done.",
      ]),
    );
    // Most kills met somebody.
    assertEquals(ended.flatMap(({ killed }) => killed).length >= kills, true);
  });
}
