import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { toolName } from "../../lib/mcp/names.ts";

Deno.test("toolName() joins a server with its tool", () => {
  assertEquals(toolName("files", "read_file"), "files__read_file");
  assertEquals(toolName("a-b_c", "get.user/x y"), "a-b_c__get_user_x_y");
});

Deno.test("toolName() makes a name that models' APIs take, the same for the same tool", () => {
  const server = fc.stringMatching(/^[A-Za-z0-9-]{1,32}$/);
  fc.assert(fc.property(server, fc.string({ unit: "binary", maxLength: 200 }), (server, tool) => {
    const name = toolName(server, tool);
    return /^[a-zA-Z0-9_-]{1,64}$/.test(name) && name === toolName(server, tool);
  }));
});

Deno.test("toolName() tells long names apart that begin alike", () => {
  const [one, other] = ["1", "2"].map((end) => toolName("s", `${"x".repeat(100)}${end}`));
  assertEquals([one?.length, other?.length, one === other], [64, 64, false]);
});
