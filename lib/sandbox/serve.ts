/**
 * The worker's side: runs tools for the main side.
 *
 * @module
 */

import { withTextLimits } from "../results/text_limits.ts";
import type { Tool, ToolContext } from "../types.ts";
import type { FromWorker, Place, ToWorker } from "./messages.ts";
import { watchFlag } from "./stop_flag.ts";

/** Builds the tools for one call; they ask `context` where they may read. */
export type ToolFactory = (place: Place, context: ToolContext) => readonly Tool[];

/** What a worker's side needs. */
export interface ServerPorts {
  /** Starts a text of an outcome, within the worker. */
  readonly collect: ToolContext["collect"];
  /** Sends to the main side. */
  readonly post: (message: FromWorker) => void;
}

type Run = Extract<ToWorker, { type: "run" }>;

/** Tools in a worker are told nothing of their run. */
const SOME_CALL = { run: "", id: "", again: false };

/** Serves the messages of one main side. */
class Server {
  readonly #toolsFor: ToolFactory;
  readonly #ports: ServerPorts;
  readonly #running = new Map<number, AbortController>();
  readonly #questions = new Map<number, (allowed: boolean) => void>();
  #place: Place | null = null;
  #asked = 0;

  constructor(toolsFor: ToolFactory, ports: ServerPorts) {
    this.#toolsFor = toolsFor;
    this.#ports = ports;
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
    const mayRead = (path: string) => this.#ask(call, "read", path);
    const mayReach = (host: string) => this.#ask(call, "reach", host);
    try {
      if (this.#place === null) throw new TypeError("The worker was not told where it is");
      const { collect } = this.#ports;
      const context = { call: SOME_CALL, signal, mayRead, mayReach, collect };
      const tool = this.#toolsFor(this.#place, context).find((tool) => tool.name === name);
      if (tool === undefined) throw new TypeError(`The worker has no tool "${name}"`);
      const { run } = withTextLimits(tool, this.#place.limits);
      this.#ports.post({ type: "outcome", call, outcome: await run(args, context) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#ports.post({ type: "thrown", call, message });
    } finally {
      this.#running.delete(call);
    }
  }

  #ask(call: number, about: "read" | "reach", name: string): Promise<boolean> {
    const question = ++this.#asked;
    return new Promise((resolve) => {
      this.#questions.set(question, resolve);
      this.#ports.post({ type: "question", call, question, about, name });
    });
  }
}

/**
 * Builds what takes the main side's messages in a worker.
 *
 * @param toolsFor Builds the tools of a call.
 */
export function createServer(
  toolsFor: ToolFactory,
  ports: ServerPorts,
): (message: ToWorker) => void {
  const server = new Server(toolsFor, ports);
  return (message) => server.take(message);
}
