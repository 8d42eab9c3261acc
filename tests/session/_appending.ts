/**
 * A process that stores events until it is killed, and says after each that it is stored.
 * Arguments: the directory of its state, the session's name, `hold` to store nothing and wait.
 *
 * @module
 */

import { open, portsIn, turn } from "./_sessions.ts";

const [directory = "", id = "", hold] = Deno.args;
const { session } = await open({ ...portsIn(directory), clock: await realClock() }, { id });
const said = new TextEncoder();

async function realClock() {
  return (await import("../../lib/real/clock.ts")).realClock;
}

if (hold === "hold") {
  Deno.stdout.writeSync(said.encode(`${Deno.pid}\n`));
  for await (const _ of Deno.stdin.readable);
  session.close();
} else {
  for (let step = 1;; step++) {
    session.append(turn(step, "x".repeat((step % 7) * 900)), { durable: step % 5 === 0 });
    Deno.stdout.writeSync(said.encode(`${step}\n`));
  }
}
