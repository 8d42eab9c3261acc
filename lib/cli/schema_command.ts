/**
 * `rein schema`: the command and its argument.
 *
 * @module
 */

import { Argument, type Command } from "commander";
import type { Terminal } from "../ports.ts";
import { UsageError } from "./failure.ts";

/** The names of the schemas, for the help and for completions; what is wrong is told below. */
function schemaName(): Argument {
  const name = new Argument("<name>", "what it describes");
  name.argChoices = [
    "event",
    "result",
    "batch",
    "policy",
    "config",
    "agents",
    "task",
    "result-envelope",
    "agent-file",
  ];
  return name;
}

/** Adds the command. */
export function addSchemaCommand(program: Command, terminal: Terminal): void {
  program
    .command("schema")
    .description("print the JSON Schema of what rein prints or reads")
    .addArgument(schemaName())
    .action(async (name: string) => {
      const { SCHEMAS } = await import("./schemas.ts");
      const schema = SCHEMAS[name];
      if (schema === undefined) {
        const known = Object.keys(SCHEMAS).join(", ");
        throw new UsageError(`There is no schema "${name}"`, `The schemas are ${known}.`);
      }
      await terminal.out(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
