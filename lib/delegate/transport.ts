/**
 * The way to an agent of the directory, whatever it speaks.
 *
 * @module
 */

import { tokenOf, type VariableLookup } from "./agent_token.ts";
import type { HttpTransportPorts } from "./http_transport.ts";
import type { ProcessTransportPorts } from "./process_transport.ts";
import {
  type Agent,
  type AgentReport,
  type ResultEnvelope,
  type TaskEnvelope,
  type Transport,
  TransportError,
  type TransportEvents,
} from "./types.ts";

/** What all transports need. */
export type TransportPorts = HttpTransportPorts & ProcessTransportPorts;

/** How they are set up. */
export interface TransportOptions {
  /** Holds the agents' tokens. */
  readonly variable: VariableLookup;
  /** Builds the way to an agent that speaks A2A; left out: there is none. */
  readonly a2a?: (agent: Agent, token: string | null) => Promise<Transport>;
  /** Bytes of one answer at the most; 8 MiB if left out. */
  readonly maxBytes?: number;
}

/** A transport that is loaded where it is first needed. */
class LazyTransport implements Transport {
  readonly #load: () => Promise<Transport>;
  #loaded: Promise<Transport> | null = null;

  constructor(load: () => Promise<Transport>) {
    this.#load = load;
  }

  async send(
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    return await (await this.#transport()).send(task, events, signal);
  }

  async recover(
    task: TaskEnvelope,
    statusUrl: string | null,
    signal: AbortSignal,
  ): Promise<ResultEnvelope | null> {
    return await (await this.#transport()).recover(task, statusUrl, signal);
  }

  async cancel(taskId: string, statusUrl: string | null, signal: AbortSignal): Promise<void> {
    await (await this.#transport()).cancel(taskId, statusUrl, signal);
  }

  async report(signal: AbortSignal): Promise<AgentReport> {
    return await (await this.#transport()).report(signal);
  }

  async #transport(): Promise<Transport> {
    this.#loaded ??= this.#load();
    try {
      return await this.#loaded;
    } catch (error) {
      this.#loaded = null;
      throw error;
    }
  }
}

async function load(
  agent: Agent,
  ports: TransportPorts,
  { a2a, ...options }: TransportOptions,
): Promise<Transport> {
  const { address } = agent;
  switch (address.transport) {
    case "http": {
      const { HttpTransport } = await import("./http_transport.ts");
      return new HttpTransport(agent, address.url, { ports, options });
    }
    case "process": {
      const { ProcessTransport } = await import("./process_transport.ts");
      return new ProcessTransport(agent, address.command, { ports, options });
    }
    case "a2a": {
      const token = tokenOf(agent, options.variable);
      if (a2a !== undefined) return await a2a(agent, token);
      const message = `Agent "${agent.name}" speaks A2A, which this rein does not`;
      throw new TransportError("unreachable", message, { retriable: false });
    }
  }
}

/** The way to an agent; one for each agent, since it knows which tasks are on their way. */
export function createTransport(
  agent: Agent,
  ports: TransportPorts,
  options: TransportOptions,
): Transport {
  return new LazyTransport(() => load(agent, ports, options));
}
