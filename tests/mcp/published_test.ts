import { assertEquals } from "@std/assert";
import { call, published, withServers } from "./_servers.ts";

const EVERYTHING = "@modelcontextprotocol/server-everything";

Deno.test("a server that is published on npm is understood", async () => {
  const servers = { every: { ...published(EVERYTHING, ["stdio"]), reads: ["echo"] } };
  await withServers(servers, async ({ reports }) => {
    const [report] = reports;
    const { fault = null, protocol = null, tools = [], notes = [] } = report ?? {};
    if (fault !== null && /cache/i.test(fault)) {
      return console.log(`Skipped: ${EVERYTHING} is not there, run "deno install": ${fault}`);
    }
    assertEquals([fault, protocol, notes], [null, "2025-11-25", []]);
    const effects = Object.fromEntries(tools.map(({ name, effect }) => [name, effect]));
    assertEquals([effects["every__echo"], effects["every__get-sum"]], ["read", "execute"]);
    assertEquals(await call(tools, "every__get-sum", { a: 1, b: 2 }), {
      ok: true,
      data: { text: "The sum of 1 and 2 is 3." },
      summary: "1 line",
      truncated: [],
    });
    assertEquals(await call(tools, "every__get-tiny-image"), {
      ok: true,
      data: {
        text: "Here's the image you requested:\n[image, image/png, 4033 bytes, not shown]\n" +
          "The image above is the MCP logo.",
      },
      summary: "3 lines",
      truncated: [],
    });
    assertEquals(await call(tools, "every__get-structured-content", { location: "New York" }), {
      ok: true,
      data: { structured: { temperature: 33, conditions: "Cloudy", humidity: 82 } },
      summary: "54 characters",
      truncated: [],
    });
    const wrong = await call(tools, "every__get-sum", { a: "one" });
    assertEquals(wrong.ok ? null : wrong.error.code, "tool_error");
  });
});
