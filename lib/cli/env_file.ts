/**
 * The text of an `--env-file`; loaded only where one was named.
 *
 * @module
 */

import { parse } from "dotenv";

/** Reads `NAME=value` lines; what is no such line is skipped. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  return parse(text);
}
