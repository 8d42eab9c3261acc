import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError } from "../../lib/config/config_error.ts";
import { loadConfig, settingsOf } from "../../lib/config/load.ts";
import { writtenMcpServer } from "../../lib/config/mcp.ts";
import { readConfig } from "../../lib/config/read_config.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const SYSTEM = "/etc/rein/config.yaml";
const USER = "/home/user/.config/rein/config.yaml";
const PROJECT = "/work/.rein/config.yaml";

async function load(files: Readonly<Record<string, string>>) {
  const memory = new MemoryFiles(files);
  memory.ownedBy.add(SYSTEM);
  const ports = { files: memory, env: fakeEnvironment({ HOME: "/home/user" }) };
  return await loadConfig({ flags: {}, variables: [] }, ports);
}

/** Message and hint of what is wrong with a file. */
function fault(text: string): readonly string[] {
  const read = () => readConfig({ path: "c.yaml", layer: "user", text });
  const { message, hint } = assertThrows(read, ConfigError);
  return [message, hint];
}

const BOTH = `mcp:
  files:
    command: [npx, -y, "@modelcontextprotocol/server-filesystem", /srv]
    env: [REIN_TOKEN_X]
    timeout: 90s
    start_timeout: 5
    tools: [read_file, list_directory]
    reads: [read_file]
  tickets: {url: https://mcp.example/mcp, token: REIN_TOKEN_TICKETS, disabled: true}
`;

const FILES = {
  command: ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"],
  url: null,
  token: null,
  env: ["REIN_TOKEN_X"],
  timeoutMs: 90_000,
  startTimeoutMs: 5000,
  tools: ["read_file", "list_directory"],
  reads: ["read_file"],
  disabled: false,
};

const TICKETS = {
  command: null,
  url: "https://mcp.example/mcp",
  token: "REIN_TOKEN_TICKETS",
  env: [],
  timeoutMs: 60_000,
  startTimeoutMs: 10_000,
  tools: null,
  reads: [],
  disabled: true,
};

Deno.test("loadConfig() reads MCP servers, each with its line", async () => {
  const config = await load({ [USER]: BOTH });
  assertEquals(settingsOf(config).mcpServers, { files: FILES, tickets: TICKETS });
  assertEquals(
    Object.values(config.mcp).map(({ origin }) => origin.kind === "file" && origin.at.line),
    [2, 9],
  );
});

Deno.test("a later file replaces a server as a whole, and can turn it off", async () => {
  const config = await load({ [SYSTEM]: BOTH, [USER]: "mcp: {files: {disabled: true}}" });
  const { files, tickets } = settingsOf(config).mcpServers;
  assertEquals([files?.command, files?.disabled, tickets?.url], [null, true, TICKETS.url]);
});

Deno.test("a project's file sets no MCP server", async () => {
  const text = "mcp: {a: {command: [sh]}}";
  const error = await load({ [PROJECT]: text }).catch((error: unknown) => error);
  assertEquals(
    String(error),
    'ConfigError: /work/.rein/config.yaml:1:7: A project\'s file may only lower limits, not set "mcp"',
  );
});

Deno.test("readConfig() says what is wrong with a server, and where", () => {
  const program =
    "It takes a list of a program and its arguments; the program by its name, or by " +
    "its whole path.";
  assertEquals(fault("mcp:\n  a__b: {command: [x]}"), [
    `c.yaml:2:3: An MCP server can't be named "a__b"`,
    "A name has letters, digits and -, and single _ between them; 32 at the most.",
  ]);
  assertEquals(fault("mcp:\n  a: {command: [./x]}"), [
    'c.yaml:2:16: Value ["./x"] of "mcp.a.command" is not possible',
    program,
  ]);
  assertEquals(fault("mcp:\n  a: {comand: [x]}"), [
    'c.yaml:2:7: Unknown key "comand"',
    'Did you mean "command"?',
  ]);
  assertEquals(fault("mcp:\n  a: {command: [x], url: http://h}"), [
    'c.yaml:2:21: "mcp.a" has both "command" and "url"',
    "Say one of them.",
  ]);
  assertEquals(fault("mcp:\n  a: {reads: [x]}"), [
    'c.yaml:2:3: "mcp.a" has neither "command" nor "url"',
    "Say which program it is, or where it is reached.",
  ]);
  assertEquals(fault("mcp:\n  a: {command: [x], token: T}"), [
    'c.yaml:2:21: "mcp.a" has "token" without "url"',
    'A program takes variables: name them in "env".',
  ]);
});

Deno.test("writtenMcpServer() shows what was said, without a password in an address", () => {
  assertEquals(writtenMcpServer({ ...TICKETS, url: "https://me:pw@h/mcp" }), {
    url: "https://***@h/mcp",
    token: "REIN_TOKEN_TICKETS",
    disabled: true,
  });
});
