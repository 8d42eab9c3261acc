/**
 * The tasks of one call in the table. A table that can't be written stops what may change something,
 * and nothing else.
 *
 * @module
 */

import { DatabaseError } from "../ports.ts";
import type { PlannedTask } from "./plan.ts";
import type { SentTask, TaskEnd, TaskRow, TaskTable } from "./task_table.ts";

/** The call that tasks belong to. */
export interface CallOrigin {
  /** The run in which it began. */
  readonly run: string;
  readonly call: string;
}

/** What writing needs. */
export interface LedgerPorts {
  readonly table: TaskTable;
  readonly now: () => number;
  /** Is told, once, that the table can't be used. */
  readonly onTrouble: (message: string) => void;
}

/** Reads and writes the rows of one call; never throws for what the disk does. */
export class Ledger {
  readonly #origin: CallOrigin;
  readonly #ports: LedgerPorts;
  /** The rows, by the names of their tasks. */
  readonly #keys = new Map<string, number>();
  #troubled = false;

  constructor(origin: CallOrigin, ports: LedgerPorts) {
    this.#origin = origin;
    this.#ports = ports;
  }

  /** Whether what is written outlasts this process. */
  get kept(): boolean {
    return this.#ports.table.kept;
  }

  /**
   * Writes down that the tasks are wanted.
   *
   * @returns What was there of them before.
   */
  begin(tasks: readonly PlannedTask[]): ReadonlyMap<string, TaskRow> {
    const { run, call } = this.#origin;
    const { table, now } = this.#ports;
    const rows = new Map<string, TaskRow>();
    this.#try(() => {
      table.add(
        tasks.map(({ name, agent, intent }) => ({
          ...{ run, call, name },
          ...{ agent: agent.name, intent: intent.name, access: intent.access },
        })),
        now(),
      );
      for (const { name } of tasks) {
        const row = table.find(run, call, name);
        if (row === null) continue;
        this.#keys.set(name, row.key);
        rows.set(name, row);
      }
    });
    return rows;
  }

  /** Writes down that a task is sent; false: it could not be written. */
  sent(name: string, task: SentTask): boolean {
    return this.#on(name, (key) => this.#ports.table.sent(key, task, this.#ports.now()));
  }

  /** Writes down that the agent has it. */
  accepted(name: string, statusUrl: string | null): void {
    this.#on(name, (key) => this.#ports.table.accepted(key, statusUrl));
  }

  /** Writes down how it ended. */
  ended(name: string, end: TaskEnd): void {
    this.#on(name, (key) => this.#ports.table.ended(key, end, this.#ports.now()));
  }

  #on(name: string, work: (key: number) => void): boolean {
    const key = this.#keys.get(name);
    return key !== undefined && this.#try(() => work(key));
  }

  #try(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!this.#troubled) this.#ports.onTrouble(error.message);
      this.#troubled = true;
      return false;
    }
  }
}
