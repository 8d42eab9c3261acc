/**
 * `wait_for`: asking again and again until a condition holds or time is over.
 *
 * @module
 */

import type { Clock, Network } from "../lib/ports.ts";
import type {
  ObjectSchema,
  ObservationError,
  Subject,
  Tool,
  ToolContext,
  ToolOutcome,
} from "../lib/types.ts";
import { hostOf, portOf } from "./http/request.ts";
import type { RunShellArgs } from "./run_shell.ts";
import type { Probe } from "./wait_for/probes.ts";

/** What the model may ask for. */
export interface WaitForArgs {
  readonly command?: string;
  readonly port?: string;
  readonly url?: string;
  readonly contains?: string;
  readonly gone?: boolean;
  readonly interval_ms?: number;
  readonly within_ms?: number;
}

/** What it waits with. */
export interface WaitForPorts {
  readonly clock: Clock;
  readonly network: Network;
  /** Runs commands; null where none may run. */
  readonly shell: Tool<RunShellArgs> | null;
}

const DEFAULT_INTERVAL_MS = 2000;
const DEFAULT_WITHIN_MS = 60_000;
const MAX_WITHIN_MS = 600_000;

function invalid(message: string): ToolOutcome {
  const hint = "Correct the arguments and send the call again.";
  return { ok: false, error: { code: "invalid_arguments", message, hint, retriable: false } };
}

/** The one probe that is asked for; null if it is not exactly one. */
async function probeOf(
  ports: WaitForPorts,
  args: WaitForArgs,
  context: ToolContext,
): Promise<Probe | null> {
  const { command, port, url, contains = null } = args;
  const { network, shell } = ports;
  if ([command, port, url].filter((value) => value !== undefined).length !== 1) return null;
  const { probeCommand, probePort, probeUrl } = await import("./wait_for/probes.ts");
  if (port !== undefined) return probePort(network, port);
  if (url !== undefined) return probeUrl(network, url, contains, context);
  if (command === undefined || shell === null) return null;
  return probeCommand(shell, command, contains, context);
}

/** Aborts once the time is over; `clear` ends the waiting for it. */
function timeLimit(clock: Clock, ms: number, parent: AbortSignal) {
  const over = new AbortController();
  const cleared = new AbortController();
  clock.sleep(ms, AbortSignal.any([parent, cleared.signal])).then(() => over.abort(), () => {});
  return {
    signal: AbortSignal.any([parent, over.signal]),
    clear: () => cleared.abort(),
  };
}

/** How the waiting ended. */
interface Waited {
  readonly met: boolean;
  readonly attempts: number;
  /** What the last attempt saw, in a few words. */
  readonly last: string;
  /** Why no attempt can ever succeed, or null. */
  readonly hopeless: ObservationError | null;
}

/** Asks until the probe is as wanted, or the signal is aborted. */
async function poll(
  probe: Probe,
  wanted: boolean,
  intervalMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Waited> {
  let last = "nothing was seen in time";
  for (let attempts = 1;; attempts++) {
    try {
      const seen = await probe(signal);
      if (seen.hopeless !== null) return { met: false, attempts, last, hopeless: seen.hopeless };
      // What was cut off by the deadline has seen nothing.
      if (signal.aborted) return { met: false, attempts, last, hopeless: null };
      last = seen.words;
      if (seen.holds === wanted) return { met: true, attempts, last, hopeless: null };
      await clock.sleep(intervalMs, signal);
      signal.throwIfAborted();
    } catch (error) {
      if (!signal.aborted) throw error;
      return { met: false, attempts, last, hopeless: null };
    }
  }
}

async function waitFor(
  ports: WaitForPorts,
  args: WaitForArgs,
  context: ToolContext,
): Promise<ToolOutcome> {
  const probe = await probeOf(ports, args, context);
  if (probe === null) return invalid("Exactly one of the things to wait for has to be given");
  const { clock } = ports;
  const startedMs = clock.now();
  const limit = timeLimit(clock, args.within_ms ?? DEFAULT_WITHIN_MS, context.signal);
  const wanted = !(args.gone ?? false);
  const intervalMs = args.interval_ms ?? DEFAULT_INTERVAL_MS;
  try {
    const { met, attempts, last, hopeless } = await poll(
      probe,
      wanted,
      intervalMs,
      clock,
      limit.signal,
    );
    if (hopeless !== null) return { ok: false, error: hopeless };
    const waitedMs = clock.now() - startedMs;
    return {
      ok: true,
      data: { met, attempts, waited_ms: waitedMs, last_seen: last },
      summary: `${met ? "met" : "not met"} after ${Math.round(waitedMs / 1000)} s: ${last}`,
    };
  } finally {
    limit.clear();
  }
}

function subjectsOf({ command, port, url }: WaitForArgs): readonly Subject[] {
  const hosts = [
    ...(port === undefined ? [] : [portOf(port).host]),
    ...(url === undefined ? [] : [hostOf(url)]),
  ];
  return [
    ...(command === undefined ? [] : [{ kind: "command", command } as const]),
    ...hosts.map((host) => ({ kind: "host", host, access: "read" } as const)),
  ];
}

function briefOf(args: WaitForArgs): string {
  const what = args.command ?? args.port ?? args.url ?? "";
  const seconds = (args.within_ms ?? DEFAULT_WITHIN_MS) / 1000;
  return `${what}${args.gone ? " gone" : ""}, up to ${seconds} s`;
}

const COMMAND_FIELD = {
  command: {
    type: "string",
    minLength: 1,
    maxLength: 20_000,
    description: "Bash command that is to end with 0.",
  },
} as const;

function parametersOf(withCommand: boolean): ObjectSchema {
  const milliseconds = (minimum: number, maximum: number, otherwise: number) => ({
    type: "integer",
    minimum,
    maximum,
    description: `${otherwise} if left out.`,
  });
  return {
    type: "object",
    properties: {
      ...(withCommand ? COMMAND_FIELD : {}),
      port: {
        type: "string",
        pattern: "^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:/]+):\\d{1,5}$",
        description: "host:port that is to accept TCP connections.",
      },
      url: {
        type: "string",
        pattern: "^https?://",
        description: "URL that is to answer below 400.",
      },
      contains: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "Text that the output or answer has to hold, too.",
      },
      gone: { type: "boolean", description: "Wait until it does not hold." },
      interval_ms: milliseconds(200, 60_000, DEFAULT_INTERVAL_MS),
      within_ms: milliseconds(100, MAX_WITHIN_MS, DEFAULT_WITHIN_MS),
    },
    required: [],
    additionalProperties: false,
  };
}

/** Builds the tool. */
export function createWaitFor(ports: WaitForPorts): Tool<WaitForArgs> {
  const things = ports.shell === null ? "a port or a URL" : "a command, a port or a URL";
  return {
    name: "wait_for",
    description: `Try ${things} (give one) until it succeeds or time is over; says whether it ` +
      "did. For starts, stops and jobs that take a while; not for a single look.",
    parameters: parametersOf(ports.shell !== null),
    effect: ports.shell === null ? "network" : "execute",
    // The call's own bound ends it; this one is for what ignores it.
    timeoutMs: MAX_WITHIN_MS + 10_000,
    limits: {},
    subjects: subjectsOf,
    brief: briefOf,
    run: (args, context) => waitFor(ports, args, context),
  };
}
