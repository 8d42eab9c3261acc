/**
 * A server of the official SDK that can misbehave, for tests: over stdio or HTTP.
 *
 * @module
 */

import { type CallToolResult, Server } from "@modelcontextprotocol/server";

/** The ways in which a server can go wrong. */
export type Mode = "well" | "broken-schema" | "many" | "greets" | "dies";

const TEXT = { type: "string", description: "Any text." };

const ECHO = {
  name: "echo",
  description: "Says a text once more.",
  inputSchema: { type: "object" as const, properties: { text: TEXT }, required: ["text"] },
};

function plain(name: string) {
  return { name, description: `It does ${name}.`, inputSchema: { type: "object" as const } };
}

const TOOLS = [ECHO, ...["fail", "refuse", "huge", "mixed", "data", "die", "hang"].map(plain)];

/** Is told what happens on the server's side. */
export interface Watcher {
  hung(): void;
  cancelled(): void;
}

const NOBODY: Watcher = { hung: () => {}, cancelled: () => {} };

function textOf(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

const MIXED: CallToolResult = {
  content: [
    { type: "text", text: "first" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "audio", mimeType: "audio/wav", data: "AAAAAAA=" },
    { type: "resource", resource: { uri: "a:b", mimeType: "text/plain", text: "inside" } },
    { type: "resource", resource: { uri: "a:c", blob: "AAAA" } },
    { type: "resource_link", uri: "a:d", name: "a link" },
  ],
};

/** What each tool brings. */
async function called(
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  watcher: Watcher,
): Promise<CallToolResult> {
  switch (name) {
    case "echo":
      return textOf(String(args["text"]));
    case "fail":
      return { ...textOf("no such ticket"), isError: true };
    case "huge":
      return textOf("0123456789abcde\n".repeat(200_000));
    case "mixed":
      return MIXED;
    case "data":
      return { ...textOf('{"open":3}'), structuredContent: { open: 3 } };
    case "die":
      Deno.exit(7);
      break;
    case "hang":
      watcher.hung();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      watcher.cancelled();
      return textOf("");
  }
  throw new Error(`There is nothing like ${name}`);
}

function listed(mode: Mode) {
  if (mode === "many") {
    return [...Array(60).keys()].map((n) => ({
      ...ECHO,
      name: `echo_${n}`,
      description: "Says a text once more. ".repeat(30),
    }));
  }
  if (mode !== "broken-schema") return TOOLS;
  const broken = { type: "object" as const, properties: { a: { $ref: "#/$defs/nowhere" } } };
  return [ECHO, { ...plain("bad"), inputSchema: broken }];
}

/** Builds the server; how it misbehaves beyond its tools is the caller's matter. */
export function createServer(mode: Mode, watcher = NOBODY): Server {
  const server = new Server({ name: "fixture", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: listed(mode) }));
  server.setRequestHandler(
    "tools/call",
    ({ params }, { mcpReq: { signal } }) =>
      called(params.name, params.arguments ?? {}, signal, watcher),
  );
  return server;
}
