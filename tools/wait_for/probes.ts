/**
 * One look at what is waited for: a command, a port or a URL.
 *
 * @module
 */

import { type Network, NetworkError } from "../../lib/ports.ts";
import type { ObservationError, Tool, ToolContext, ToolOutcome } from "../../lib/types.ts";
import { admitNamed } from "../http/admit.ts";
import { receive } from "../http/body.ts";
import { exchange } from "../http/exchange.ts";
import { portOf, prepareRequest } from "../http/request.ts";
import type { RunShellArgs } from "../run_shell.ts";

/** What one look saw. */
export interface Seen {
  readonly holds: boolean;
  /** In a few words: `exit 1`. */
  readonly words: string;
  /** Why looking again is of no use, or null. */
  readonly hopeless: ObservationError | null;
}

/** Looks once; rejects only when it is aborted. */
export type Probe = (signal: AbortSignal) => Promise<Seen>;

/** Characters of an output that are shown. */
const SHOWN_CHARS = 200;

/** What may change by itself is seen; what may not ends the waiting. */
function failed(error: ObservationError): Seen {
  return { holds: false, words: error.message, hopeless: error.retriable ? null : error };
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS)}…`;
}

function seenOf(outcome: ToolOutcome, contains: string | null): Seen {
  if (!outcome.ok) return failed(outcome.error);
  const code = Number(outcome.data["exit_code"]);
  const output = String(outcome.data["stdout"]);
  const complaint = String(outcome.data["stderr"]);
  const holds = code === 0 && (contains === null || output.includes(contains));
  const detail = shown(output === "" ? complaint : output);
  return { holds, words: `exit ${code}${detail === "" ? "" : `: ${detail}`}`, hopeless: null };
}

/** Runs a command as `run_shell` would. */
export function probeCommand(
  shell: Tool<RunShellArgs>,
  command: string,
  contains: string | null,
  context: ToolContext,
): Probe {
  return async (signal) => seenOf(await shell.run({ command }, { ...context, signal }), contains);
}

async function connects(
  network: Network,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Seen> {
  let words = "";
  for (const address of addresses) {
    try {
      await network.connect(address, port, signal);
      return { holds: true, words: `${address} port ${port} is open`, hopeless: null };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      words = error.message;
    }
  }
  return { holds: false, words, hopeless: null };
}

/** Opens a connection. */
export function probePort(network: Network, text: string): Probe {
  const { host, port } = portOf(text);
  return async (signal) => {
    const admission = await admitNamed(network, host, [], signal);
    if (!admission.ok) return failed(admission.error);
    return await connects(network, admission.addresses, port, signal);
  };
}

/** Asks for a page. */
export function probeUrl(
  network: Network,
  url: string,
  contains: string | null,
  context: ToolContext,
): Probe {
  return async (signal) => {
    const prepared = prepareRequest({ url }, undefined);
    if (!prepared.ok) {
      const hint = "Correct the URL.";
      return failed({ code: "invalid_request", message: prepared.fault, hint, retriable: false });
    }
    const result = await exchange(network, prepared.outgoing, [], { ...context, signal });
    if (!result.ok) return failed(result.error);
    const { bytes } = await receive(result.response);
    const text = new TextDecoder().decode(bytes);
    const { status } = result.response;
    const holds = status < 400 && (contains === null || text.includes(contains));
    return { holds, words: `status ${status}, ${bytes.length} bytes`, hopeless: null };
  };
}
