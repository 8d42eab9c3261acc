import { assertEquals, assertRejects } from "@std/assert";
import { modelsCommand } from "../../lib/cli/models_command.ts";
import type { Ports } from "../../lib/ports.ts";
import { ModelError } from "../../lib/types.ts";
import { fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

const BASE = "http://models.test/v1";

async function listed(answer: () => Response, output: "text" | "json", baseUrl = BASE) {
  const terminal = new FakeTerminal();
  const fetch: Ports["fetch"] = (input) =>
    String(input) === `${BASE}/models`
      ? Promise.resolve(answer())
      : Promise.reject(new TypeError("Connection refused"));
  await modelsCommand({ baseUrl, output }, fakePorts({ terminal, fetch }), NEVER);
  return terminal.stdout;
}

const TWO = () =>
  Response.json({
    data: [{ id: "gpt-oss:20b", max_model_len: 8192, owned_by: "me" }, { id: "qwen3\u001b:8b" }],
  });

Deno.test("modelsCommand() lists what the server lists, with the windows that it tells", async () => {
  assertEquals(
    await listed(TWO, "text"),
    `model        window       owner
gpt-oss:20b  8192         me
qwen3:8b     about 32768
2 models at ${BASE}
`,
  );
});

Deno.test("modelsCommand() gives programs JSON", async () => {
  assertEquals(JSON.parse(await listed(TWO, "json")), {
    schema: "rein-models/1",
    base_url: BASE,
    models: [
      { id: "gpt-oss:20b", window: 8192, assumed_window: 131072, owned_by: "me" },
      { id: "qwen3\u001b:8b", window: null, assumed_window: 32768, owned_by: null },
    ],
  });
});

Deno.test("modelsCommand() says that there are none", async () => {
  assertEquals(await listed(() => Response.json({ data: [] }), "text"), `0 models at ${BASE}\n`);
});

Deno.test("modelsCommand() fails in one line where there is no list", async () => {
  const code = async (answer: () => Response, baseUrl = BASE) =>
    (await assertRejects(() => listed(answer, "text", baseUrl), ModelError)).code;
  assertEquals(await code(() => new Response("no", { status: 404 })), "not_found");
  assertEquals(await code(TWO, "http://other.test/v1"), "unreachable");
});
