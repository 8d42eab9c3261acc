import { assertEquals } from "@std/assert";
import { servedModels } from "../../lib/model/served_model.ts";

Deno.test("servedModels() finds the window where each server says it", () => {
  const rows: readonly (readonly [server: string, entry: object, window: number | null])[] = [
    ["vLLM", { id: "a", object: "model", max_model_len: 32768 }, 32768],
    ["llama.cpp", { id: "a", meta: { n_ctx: 8192, n_ctx_train: 40960 } }, 8192],
    ["older llama.cpp", { id: "a", meta: { n_ctx_train: 40960 } }, null],
    [
      "LM Studio's own list",
      { id: "a", loaded_context_length: 4096, max_context_length: 131072 },
      4096,
    ],
    [
      "OpenRouter",
      { id: "a", context_length: 200000, top_provider: { context_length: 131072 } },
      131072,
    ],
    ["Kimi", { id: "a", context_length: 262144 }, 262144],
    ["Groq", { id: "a", context_window: 131072 }, 131072],
    ["Mistral", { id: "a", max_context_length: 32768 }, 32768],
    ["OpenAI", { id: "a", object: "model", created: 1, owned_by: "openai" }, null],
    ["nonsense", { id: "a", context_length: "131072", max_model_len: 0 }, null],
  ];
  for (const [server, entry, window] of rows) {
    const found = servedModels(JSON.stringify({ object: "list", data: [entry] }));
    assertEquals([server, found?.[0]?.window], [server, window]);
  }
});

Deno.test("servedModels() takes models as they are listed, and nothing else", () => {
  const data = [
    { id: "m", owned_by: "me" },
    { id: "text-embedding-3", owned_by: "" },
    { id: 7 },
    null,
  ];
  assertEquals(servedModels(JSON.stringify({ data })), [
    { id: "m", window: null, ownedBy: "me", chats: true },
    { id: "text-embedding-3", window: null, ownedBy: null, chats: false },
  ]);
  assertEquals(["", "{}", '{"data":{}}', "null", "<html>"].map(servedModels), Array(5).fill(null));
});
