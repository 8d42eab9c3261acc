/**
 * `rein schema`: the JSON Schemas of what rein prints and reads.
 *
 * @module
 */

import { Argument, type Command } from "commander";
import { message } from "../messages/messages.ts";
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
    "debug",
    "audit",
  ];
  return name;
}

/** Adds `schema`. */
export function addSchemaCommand(program: Command, terminal: Pick<Terminal, "out">): void {
  program
    .command("schema")
    .description("print the JSON Schema of what rein prints or reads")
    .addArgument(schemaName())
    .action(async (name: string) => {
      const { SCHEMAS } = await import("./schemas.ts");
      const schema = SCHEMAS[name];
      if (schema === undefined) {
        const known = Object.keys(SCHEMAS).join(", ");
        const hint = message("usage.no_schema_hint", { known });
        throw new UsageError(message("usage.no_schema", { name }), hint);
      }
      await terminal.out(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
