/**
 * The commands of a session: one entry each.
 *
 * @module
 */

import type { Event } from "../../events.ts";
import type { Ports } from "../../ports.ts";
import type { AssembledRun } from "../assemble_run.ts";
import { printable } from "../printable.ts";
import type { RunOptions } from "../run_options.ts";
import { textTable, wrapToColumns } from "../text_table.ts";

/** What commands see and change. */
export interface Conversation {
  readonly assembled: AssembledRun;
  readonly options: RunOptions;
  readonly ports: Ports;
  /** Whether what would change something is only described. */
  dryRun: boolean;
  /** Prints whole lines. */
  print(text: string): Promise<void>;
}

/** A command of a session. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** One line for `/help`. */
  readonly help: string;
  /**
   * Does it.
   *
   * @param rest What stands behind its name.
   * @param signal Aborted when the person presses Ctrl-C.
   * @returns Whether the session ends.
   */
  run(rest: string, conversation: Conversation, signal: AbortSignal): Promise<"leave" | void>;
}

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["Enter", "asks; Ctrl-J, Alt-Enter, or a \\ before it make a new line"],
  ["Up, Down", "bring back what was asked before"],
  ["Tab", "completes commands and paths"],
  ["Ctrl-O", "shows what calls bring back, also while they run; again: hides it"],
  ["Ctrl-C", "ends what runs, or clears the line; twice leaves"],
  ["Ctrl-D", "leaves, as /quit, q and exit do"],
  ["blank", "at the beginning: what follows is no command"],
];

/** Names with what they mean, within the columns of the terminal. */
function explained(rows: readonly (readonly [string, string])[], columns: number): string {
  const names = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.flatMap(([name, text]) =>
    wrapToColumns(text, Math.max(20, columns - names - 1))
      .map((line, index) => `${(index === 0 ? name : "").padEnd(names)}${line}\n`)
  );
  return lines.join("");
}

const help: SlashCommand = {
  name: "help",
  help: "what can be done here",
  run: async (_, { ports, print }) => {
    const columns = ports.terminal.size()?.columns ?? 80;
    const commands = SLASH_COMMANDS.map(({ name, help }) => [`/${name}`, help] as const);
    await print(`${explained(commands, columns)}\n${explained(KEYS, columns)}`);
  },
};

const tools: SlashCommand = {
  name: "tools",
  help: "what the model may call",
  run: async (_, { assembled, print }) => {
    const rows = assembled.runPorts.tools.map(({ name, effect, description }) => {
      const [first = ""] = /^[^.]*/.exec(description) ?? [];
      return [name, effect, first];
    });
    await print(textTable(rows));
  },
};

const policy: SlashCommand = {
  name: "policy",
  help: "the policies in force; with a command behind it, the decision on that",
  run: async (rest, { options, ports, assembled, print }) => {
    const { policy: named } = options;
    if (rest === "") {
      const { showPolicy } = await import("../policy_show.ts");
      await showPolicy({ policy: named, output: "text" }, ports);
      return;
    }
    const { decision, parts } = await assembled.runPorts.judge({
      tool: "run_shell",
      effect: "execute",
      subjects: [{ kind: "command", command: rest }],
    });
    const reasons = parts.map(({ text, decision, matches }) => {
      const [match] = matches;
      return [
        `  ${decision}`,
        printable(text),
        match ? `${match.reason} (rule ${match.rule})` : "",
      ];
    });
    await print(`${decision}\n${textTable(reasons)}`);
  },
};

const model: SlashCommand = {
  name: "model",
  help: "the model that is asked; with a name behind it, another one from here on",
  run: async (rest, { assembled, print }) => {
    if (rest !== "") await assembled.chooseModel(rest);
    const { name, source } = assembled.runPorts.model;
    await print(printable(`${name}, from ${source}\n`));
  },
};

const session: SlashCommand = {
  name: "session",
  help: "this session: its name, its place, what there was of it",
  run: async (_, { assembled, print }) => {
    const { session } = assembled;
    const { steps, cwd, createdMs } = session.header;
    const kept = session.id === null
      ? [["name", "none: nothing of it is kept"]]
      : [["name", session.id], ["place", session.folder ?? ""]];
    const begun = new Date(createdMs).toISOString();
    await print(textTable([...kept, ["begun", `${begun} in ${cwd}`], ["steps", String(steps)]]));
    if (session.id !== null) await print(`Go on with it: rein --session ${session.id}\n`);
  },
};

const compact: SlashCommand = {
  name: "compact",
  help: "make room in the model's window: what was done becomes facts and a summary",
  run: async (_, { assembled, print }, signal) => {
    const event = await assembled.compact(signal);
    if (event?.type !== "context_compacted") return await print("There is nothing to gain.\n");
    const { tokens_before: before, tokens_after: after, facts } = event;
    const kept = facts.length === 1 ? "1 fact is kept" : `${facts.length} facts are kept`;
    await print(`${before} tokens became ${after}, ${kept}.\n`);
  },
};

const facts: SlashCommand = {
  name: "facts",
  help: "what was established and is kept, whatever leaves the model's window",
  run: async (_, { assembled, print }) => {
    const { facts } = assembled.record.compaction;
    const lines = facts.map(({ text, call }) => `- ${text}${call === null ? "" : ` (${call})`}\n`);
    await print(facts.length === 0 ? "None were noted yet.\n" : printable(lines.join("")));
  },
};

/** What the runs of a session that have ended cost; null where no prices were set. */
function costOfAll(events: Iterable<Event>): number | null {
  let sum: number | null = null;
  for (const event of events) {
    if (event.type !== "run_finished" || event.result.cost === null) continue;
    sum = (sum ?? 0) + event.result.cost;
  }
  return sum;
}

const undo: SlashCommand = {
  name: "undo",
  help: "bring back the files that the newest run changed, as far as nobody else has since",
  run: async (_, { assembled, print }) => {
    const outcome = await assembled.undo();
    await print(outcome.kind === "nothing" ? "There is nothing to undo.\n" : outcome.text);
  },
};

const cost: SlashCommand = {
  name: "cost",
  help: "tokens of this session, and what they cost where prices are set",
  run: async (_, { assembled: { session }, print }) => {
    const { steps, inputTokens, outputTokens } = session.header;
    const amount = costOfAll(session.events());
    const taken = steps === 1 ? "1 step" : `${steps} steps`;
    const tokens = `${inputTokens} tokens in, ${outputTokens} out, in ${taken}`;
    await print(`${tokens}; ${amount === null ? "no prices are set" : `cost ${amount}`}\n`);
  },
};

const dryRun: SlashCommand = {
  name: "dry-run",
  help: "from here on describe what would change instead of doing it; again: do it",
  run: async (_, conversation) => {
    conversation.dryRun = !conversation.dryRun;
    const now = conversation.dryRun
      ? "What would change something is only described from here on.\n"
      : "Changes are made again, as the policy and you allow.\n";
    await conversation.print(now);
  },
};

const quit: SlashCommand = {
  name: "quit",
  help: "leave; the session stays",
  run: () => Promise.resolve("leave"),
};

/** The commands, in the order of `/help`. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  help,
  tools,
  policy,
  model,
  session,
  compact,
  facts,
  undo,
  cost,
  dryRun,
  quit,
];
