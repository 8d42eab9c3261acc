/**
 * The commands of a session: one entry each.
 *
 * @module
 */

import type { Event } from "../../events.ts";
import { message, type MessageId, type Text, wordsOf } from "../../messages/messages.ts";
import type { Ports } from "../../ports.ts";
import type { AssembledRun } from "../assembled_run.ts";
import { widthOf } from "../marked_text.ts";
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
  readonly help: MessageId;
  /**
   * Does it.
   *
   * @param rest What stands behind its name.
   * @param signal Aborted when the person presses Ctrl-C.
   * @returns Whether the session ends.
   */
  run(rest: string, conversation: Conversation, signal: AbortSignal): Promise<"leave" | void>;
}

const KEYS: readonly (readonly [key: Text, what: MessageId])[] = [
  [message("help.key_enter"), "help.asks"],
  [message("help.key_up_down"), "help.history"],
  ["Tab", "help.completes"],
  ["Ctrl-O", "help.ctrl_o"],
  ["Ctrl-C", "help.ctrl_c"],
  ["Ctrl-D", "help.ctrl_d"],
  [message("help.key_blank"), "help.blank"],
];

/** Names with what they mean, within the columns of the terminal. */
function explained(rows: readonly (readonly [string, string])[], columns: number): string {
  const names = Math.max(...rows.map(([name]) => widthOf(name))) + 2;
  const lines = rows.flatMap(([name, text]) =>
    wrapToColumns(text, Math.max(20, columns - names - 1))
      .map((line, index) =>
        `${index === 0 ? name : ""}${
          " ".repeat(names - (index === 0 ? widthOf(name) : 0))
        }${line}\n`
      )
  );
  return lines.join("");
}

const help: SlashCommand = {
  name: "help",
  help: "session.help_help",
  run: async (_, { ports, print }) => {
    const columns = ports.terminal.size()?.columns ?? 80;
    const { say } = ports;
    const commands = SLASH_COMMANDS.map(({ name, help }) => [`/${name}`, say(help)] as const);
    const keys = KEYS.map(([key, what]) => [wordsOf(key, say), say(what)] as const);
    await print(`${explained(commands, columns)}\n${explained(keys, columns)}`);
  },
};

const tools: SlashCommand = {
  name: "tools",
  help: "session.help_tools",
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
  help: "session.help_policy",
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
        match ? ports.say("session.reason", { reason: match.reason, rule: match.rule }) : "",
      ];
    });
    await print(`${decision}\n${textTable(reasons)}`);
  },
};

const model: SlashCommand = {
  name: "model",
  help: "session.help_model",
  run: async (rest, { assembled, ports: { say }, print }) => {
    if (rest !== "") await assembled.chooseModel(rest);
    const { name, source } = assembled.runPorts.model;
    await print(printable(`${say("session.model", { name, source })}\n`));
  },
};

const session: SlashCommand = {
  name: "session",
  help: "session.help_session",
  run: async (_, { assembled, ports: { say }, print }) => {
    const { session } = assembled;
    const { steps, cwd, createdMs } = session.header;
    const kept = session.id === null
      ? [[say("session.name"), say("session.no_name")]]
      : [[say("session.name"), session.id], [say("session.place"), session.folder ?? ""]];
    const begun = new Date(createdMs).toISOString();
    const rows = [
      ...kept,
      [say("session.begun"), say("session.begun_in", { time: begun, cwd })],
      [say("session.steps"), String(steps)],
    ];
    await print(textTable(rows));
    if (session.id !== null) await print(`${say("session.go_on", { id: session.id })}\n`);
  },
};

const compact: SlashCommand = {
  name: "compact",
  help: "session.help_compact",
  run: async (_, { assembled, ports: { say }, print }, signal) => {
    const event = await assembled.compact(signal);
    if (event?.type !== "context_compacted") return await print(`${say("session.no_gain")}\n`);
    const { tokens_before: before, tokens_after: after, facts } = event;
    const values = { before, after, count: facts.length };
    await print(`${say("session.compacted", values)}\n`);
  },
};

const facts: SlashCommand = {
  name: "facts",
  help: "session.help_facts",
  run: async (_, { assembled, ports: { say }, print }) => {
    const { facts } = assembled.record.compaction;
    const lines = facts.map(({ text, call }) => `- ${text}${call === null ? "" : ` (${call})`}\n`);
    await print(facts.length === 0 ? `${say("session.no_facts")}\n` : printable(lines.join("")));
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
  help: "session.help_undo",
  run: async (_, { assembled, ports: { say }, print }) => {
    const outcome = await assembled.undo();
    await print(outcome.kind === "nothing" ? `${say("session.no_undo")}\n` : outcome.text);
  },
};

const cost: SlashCommand = {
  name: "cost",
  help: "session.help_cost",
  run: async (_, { assembled: { session }, ports: { say }, print }) => {
    const { steps, inputTokens, outputTokens } = session.header;
    const amount = costOfAll(session.events());
    const values = { input: inputTokens, output: outputTokens, count: steps };
    const told = amount === null
      ? say("session.cost_unknown", values)
      : say("session.cost", { ...values, cost: amount });
    await print(`${told}\n`);
  },
};

const dryRun: SlashCommand = {
  name: "dry-run",
  help: "session.help_dry_run",
  run: async (_, conversation) => {
    conversation.dryRun = !conversation.dryRun;
    const { ports: { say }, dryRun, print } = conversation;
    await print(`${say(dryRun ? "session.dry_run_on" : "session.dry_run_off")}\n`);
  },
};

const quit: SlashCommand = {
  name: "quit",
  help: "session.help_quit",
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
