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

/** What Ctrl-C does instead of ending the program, the newest last. */
const diverted: (() => void)[] = [];

/** Ends at once; nothing that was started and no mode of the terminal is left. */
function exit(code: number): never {
  ports.processes.killAll();
  ports.terminal.restore();
  Deno.exit(code);
}

/** The first time ends the run in order, the second time at once. */
function end(signal: InterruptSignal): void {
  if (run.signal.aborted) exit(SIGNAL_EXIT_CODES[signal]);
  run.abort(new Interruption(signal));
}

function onSignal(signal: InterruptSignal): void {
  const onInterrupt = signal === "SIGINT" && !run.signal.aborted ? diverted.at(-1) : undefined;
  if (onInterrupt) onInterrupt();
  else end(signal);
}

/** Has Ctrl-C do something else until the function that it returns is called. */
function divert(onInterrupt: () => void): () => void {
  diverted.push(onInterrupt);
  return () => void diverted.splice(diverted.indexOf(onInterrupt), 1);
}

for (const signal of Object.keys(SIGNAL_EXIT_CODES) as InterruptSignal[]) {
  Deno.addSignalListener(signal, () => onSignal(signal));
}

/** A promise that nobody waits for: a defect, told like any other. */
globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  ports.processes.killAll();
  const failure = failureOf(event.reason);
  ports.terminal.err(failureLine(failure)).finally(() => exit(failure.exitCode));
});

const interrupts = { signal: run.signal, interrupt: () => end("SIGINT"), divert };
exit(await runCli(Deno.args, ports, interrupts));
