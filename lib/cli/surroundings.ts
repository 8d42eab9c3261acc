/**
 * What commands get from the process around them.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import type { Interrupts } from "./run_options.ts";

/** What a command needs from the process around it. */
export interface Surroundings {
  readonly ports: Ports;
  readonly interrupts: Interrupts;
  /** The exit code that the command came to. */
  exitCode: number;
  /** What help or the version printed; the process must not end before it. */
  printed: Promise<unknown>;
}
