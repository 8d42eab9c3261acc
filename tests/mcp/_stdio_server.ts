/**
 * The fixture over stdio: `deno run _stdio_server.ts MODE`.
 *
 * @module
 */

import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createServer, type Mode } from "./_tools.ts";

const mode = (Deno.args[0] ?? "well") as Mode;

if (mode === "dies") {
  console.error("first line\nno database here");
  Deno.exit(3);
}
if (mode === "greets") console.log('Welcome!\n{"level":"info"}\n');
console.error("ready");
await createServer(mode).connect(new StdioServerTransport());
