/**
 * Options that many commands have.
 *
 * @module
 */

import { Option } from "commander";

/** Takes an option that may be repeated: the values in their order. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** What is printed: text, or JSON. */
export function outputOption(): Option {
  return new Option("-o, --output <form>", "text or json").choices(["text", "json"])
    .default("text");
}
