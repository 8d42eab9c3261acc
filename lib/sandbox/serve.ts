/**
 * The worker's side: runs tools for the main side.
 *
 * @module
 */

import type { Tool, ToolContext } from "../types.ts";
import type { FromWorker, Place, ToWorker } from "./messages.ts";
import { watchFlag } from "./stop_flag.ts";

/** Builds the tools for one call; they ask `context` where they may read. */
export type ToolFactory = (place: Place, context: ToolContext) => readonly Tool[];

type Run = Extract<ToWorker, { type: "run" }>;

/** Serves the messages of one main side. */
class Server {
  readonly #toolsFor: ToolFactory;
  readonly #post: (message: FromWorker) => void;
  readonly #running = new Map<number, AbortController>();
  readonly #questions = new Map<number, (allowed: boolean) => void>();
  #place: Place | null = null;
  #asked = 0;

  constructor(toolsFor: ToolFactory, post: (message: FromWorker) => void) {
    this.#toolsFor = toolsFor;
    this.#post = post;
  }

  take(message: ToWorker): void {
    switch (message.type) {
      case "place":
        this.#place = message.place;
        return;
      case "run":
        return void this.#run(message);
      case "cancel":
        return this.#running.get(message.call)?.abort();
      case "answer":
        this.#questions.get(message.question)?.(message.allowed);
        this.#questions.delete(message.question);
    }
  }

  async #run({ call, tool: name, args, stop }: Run): Promise<void> {
    const abort = new AbortController();
    const signal = watchFlag(abort.signal, stop);
    this.#running.set(call, abort);
    const mayRead = (path: string) => this.#mayRead(call, path);
    try {
      if (this.#place === null) throw new TypeError("The worker was not told where it is");
      const context = { signal, mayRead };
      const tool = this.#toolsFor(this.#place, context).find((tool) => tool.name === name);
      if (tool === undefined) throw new TypeError(`The worker has no tool "${name}"`);
      this.#post({ type: "outcome", call, outcome: await tool.run(args, context) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#post({ type: "thrown", call, message });
    } finally {
      this.#running.delete(call);
    }
  }

  #mayRead(call: number, path: string): Promise<boolean> {
    const question = ++this.#asked;
    return new Promise((resolve) => {
      this.#questions.set(question, resolve);
      this.#post({ type: "may_read", call, question, path });
    });
  }
}

/**
 * Builds what takes the main side's messages in a worker.
 *
 * @param toolsFor Builds the tools of a call.
 * @param post Sends to the main side.
 */
export function createServer(
  toolsFor: ToolFactory,
  post: (message: FromWorker) => void,
): (message: ToWorker) => void {
  const server = new Server(toolsFor, post);
  return (message) => server.take(message);
}
