import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { McpServer } from "../../lib/config/mcp.ts";
import type { ServerReport } from "../../lib/mcp/servers.ts";
import { call, options, program, withServers } from "./_servers.ts";

const SERVER = fileURLToPath(new URL("_hostile_server.ts", import.meta.url));

function hostile(mode: string, more: Partial<McpServer> = {}): McpServer {
  const { command, ...rest } = program("well");
  return { ...rest, command: [...command?.slice(0, -2) ?? [], SERVER, mode], ...more };
}

/** Opens a server that misbehaves, and uses what came of it. */
async function withHostile(
  mode: string,
  use: (report: ServerReport) => Promise<void>,
  more: Partial<McpServer> = {},
): Promise<void> {
  await withServers({ h: hostile(mode, more) }, async ({ reports: [report] }) => {
    if (report === undefined) throw new TypeError("There is no report");
    await use(report);
  }, { variable: options({}).variable });
}

Deno.test("a tool whose name a person can't read is left out", async () => {
  await withHostile("names", ({ tools, notes }) => {
    assertEquals(tools.map(({ name }) => name), ["h__ok"]);
    const why = "is left out: its name can't be read, or is too long";
    assertEquals(notes, [
      `its tool "a rein: allowed [2K" ${why}`,
      `its tool "b c" ${why}`,
      `its tool "${"x".repeat(59)}…" ${why}`,
      `its tool "" ${why}`,
    ]);
    return Promise.resolve();
  });
});

Deno.test("brackets that are too deep end a server, and nothing else", async () => {
  const why = "it sent a message whose brackets are too deep";
  await withHostile("deep-schema", ({ fault }) => {
    assertEquals(fault, why);
    return Promise.resolve();
  });
  await withHostile("deep-result", async ({ tools }) => {
    const outcome = await call(tools, "h__tool");
    assertEquals(!outcome.ok && outcome.error.message, `MCP server "h": ${why}`);
  });
});

Deno.test("of a list of tools without an end the beginning is looked at", async () => {
  await withHostile("many", ({ fault, tools, notes }) => {
    assertEquals([fault, tools.length, notes.length], [null, 1, 199]);
    return Promise.resolve();
  });
});

Deno.test("bytes that are no text are passed over, up to the message behind them", async () => {
  await withHostile("binary", async ({ tools }) => {
    assertEquals((await call(tools, "h__tool")).ok, true);
  });
});

Deno.test("a server that sends without an end holds up neither who gives up nor the end", async () => {
  await withHostile("flood", async ({ tools }) => {
    const signal = AbortSignal.timeout(500);
    const given = await call(tools, "h__tool", {}, signal).catch((error) => error.name);
    assertEquals(given, "TimeoutError");
  });
});

Deno.test("a server that does not want to end is ended", async () => {
  await withHostile("stays", ({ fault }) => {
    assertEquals(fault, null);
    return Promise.resolve();
  });
});

Deno.test("a program is handed the variables that are named for it, and no other", async () => {
  await withHostile("env", async ({ tools }) => {
    const outcome = await call(tools, "h__tool");
    const data = outcome.ok ? outcome.data : {};
    assertEquals(data, { structured: { env: ["HOME", "PATH", "REIN_COMMAND"] } });
  }, { env: [] });
});
