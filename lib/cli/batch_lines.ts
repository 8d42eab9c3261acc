/**
 * The result lines of a batch: in the order of the tasks, or as they finish.
 *
 * @module
 */

/** Takes the lines of tasks as they finish. */
export interface BatchLines {
  /**
   * A task has finished.
   *
   * @param index Its place among the tasks, from 0.
   */
  add(index: number, line: string): Promise<void>;
  /** Writes what still waits for others that never came. */
  flush(): Promise<void>;
}

/** Lines as they come. */
export function asFinished(write: (line: string) => Promise<void>): BatchLines {
  return { add: (_index, line) => write(line), flush: () => Promise.resolve() };
}

/** Lines in the order of their tasks; each waits for those before it. */
export function inOrder(write: (line: string) => Promise<void>): BatchLines {
  const waiting = new Map<number, string>();
  let next = 0;
  let last: Promise<void> = Promise.resolve();
  const send = (line: string) => last = last.then(() => write(line));
  return {
    add: async (index, line) => {
      waiting.set(index, line);
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        waiting.delete(next++);
        send(ready);
      }
      await last;
    },
    flush: async () => {
      const rest = [...waiting].toSorted(([one], [other]) => one - other);
      waiting.clear();
      for (const [, line] of rest) send(line);
      await last;
    },
  };
}
