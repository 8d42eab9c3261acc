/**
 * rein, an operations agent. Builds the real ports, runs the command, and is
 * the only exit.
 *
 * @module
 */

import { runCli } from "./lib/cli/cli.ts";
import { Interruption, type InterruptSignal, SIGNAL_EXIT_CODES } from "./lib/cli/exit_code.ts";
import { failureLine, failureOf } from "./lib/cli/failure.ts";
import { createRealPorts } from "./lib/real/ports.ts";

const ports = createRealPorts();
const run = new AbortController();

/** The first signal ends the run in order, the second one at once. */
function onSignal(signal: InterruptSignal): void {
  if (!run.signal.aborted) return run.abort(new Interruption(signal));
  ports.processes.killAll();
  Deno.exit(SIGNAL_EXIT_CODES[signal]);
}

for (const signal of Object.keys(SIGNAL_EXIT_CODES) as InterruptSignal[]) {
  Deno.addSignalListener(signal, () => onSignal(signal));
}

/** A promise that nobody waits for: a defect, told like any other. */
globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  ports.processes.killAll();
  const failure = failureOf(event.reason);
  ports.terminal.err(failureLine(failure)).finally(() => Deno.exit(failure.exitCode));
});

const interrupts = { signal: run.signal, interrupt: () => onSignal("SIGINT") };
const exitCode = await runCli(Deno.args, ports, interrupts);
ports.processes.killAll();
Deno.exit(exitCode);
