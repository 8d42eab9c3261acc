import { Ajv } from "ajv";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ConfigError } from "../../lib/config/config_error.ts";
import { readConfig } from "../../lib/config/read_config.ts";
import { CONFIG_SCHEMA } from "../../lib/config/schema.ts";

const valid = new Ajv({ strict: false }).compile(CONFIG_SCHEMA);

/** Whether the reader takes this content. */
function taken(content: unknown): boolean {
  try {
    readConfig({ path: "a.yaml", layer: "user", text: JSON.stringify(content) });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** Values of every kind, right ones and wrong ones; JSON is YAML. */
const value = fc.constantFrom<unknown>(
  ...[0, 1, 2, 0.2, 1000, 1001, 8000, -1, 1e9, true, false, null, [], {}, [1]],
  ...["", " ", "m", "none", "a\nb", "90s", "10m", "1h30m", "90", "5x", "http://h/v1", "ftp://h"],
);

function mapOf(...names: string[]): fc.Arbitrary<unknown> {
  const record = fc.record(Object.fromEntries(names.map((name) => [name, value])), {
    requiredKeys: [],
  });
  return fc.oneof({ weight: 5, arbitrary: record }, { weight: 1, arbitrary: value });
}

/** A price that is right more often than not. */
const price = fc.constantFrom<unknown>(0, 1, 2.5, 3, 4, 5, -1, "1", null);

const pricesOfModel = fc.record({
  input: price,
  output: price,
  cached_input: price,
  output_: price,
}, {
  requiredKeys: ["input"],
});

const prices = fc.oneof(
  fc.dictionary(fc.constantFrom("m", "*", "4", "__proto__"), pricesOfModel, { maxKeys: 1 }),
  fc.dictionary(fc.constantFrom("m"), value),
  value,
);

/** Words that some settings take. */
const word = fc.constantFrom<unknown>(
  "auto",
  "native",
  "text",
  "calls",
  "xml",
  true,
  false,
  1,
  null,
);

const capabilities = fc.oneof(
  fc.dictionary(
    fc.constantFrom("m", "*", "__proto__"),
    fc.record({ temperature: word, tool_protocol: word, reasoning_back: word, nonsense: word }, {
      requiredKeys: [],
    }),
    { maxKeys: 1 },
  ),
  value,
);

/** A server that is right more often than not. */
const server = fc.record({
  command: fc.constantFrom<unknown>(["npx", "-y", "x"], ["/a/b"], ["./a"], ["a/b"], [], [1], "npx"),
  url: fc.constantFrom<unknown>("https://h/mcp", "ftp://h", null),
  token: fc.constantFrom<unknown>("REIN_TOKEN_X", "A-B"),
  env: fc.constantFrom<unknown>([], ["A"], ["1"], null),
  timeout: value,
  start_timeout: value,
  tools: fc.constantFrom<unknown>(["a"], [], [""], "a"),
  reads: fc.constantFrom<unknown>(["a"], null),
  disabled: fc.constantFrom<unknown>(true, false, 1),
  nonsense: value,
}, { requiredKeys: [] }).chain((whole) =>
  fc.shuffledSubarray(Object.keys(whole), { maxLength: 3 })
    .map((keys) => Object.fromEntries(keys.map((key) => [key, whole[key as keyof typeof whole]])))
);

const mcp = fc.oneof(
  fc.dictionary(fc.constantFrom("files", "a_b-1", "a__b", "_a", "__proto__"), server, {
    maxKeys: 1,
  }),
  value,
);

const content = fc.record({
  model: value,
  base_url: value,
  temperature: value,
  embedding_model: value,
  context_window: value,
  reasoning: value,
  tool_protocol: word,
  session: value,
  limits: mapOf("max_steps", "max_tokens", "max_time", "max_cost", "max_nothing"),
  timeouts: mapOf("connect", "first_byte", "idle", "total", "nothing"),
  prices,
  capabilities,
  mcp,
  nonsense: value,
}, { requiredKeys: [] });

/** Few keys at once, so that many of them are right. */
const few = content.chain((whole) =>
  fc.shuffledSubarray(Object.keys(whole), { maxLength: 2 })
    .map((keys) => Object.fromEntries(keys.map((key) => [key, whole[key as keyof typeof whole]])))
);

Deno.test("CONFIG_SCHEMA admits what readConfig() takes, and nothing else", () => {
  let right = 0;
  fc.assert(
    fc.property(fc.oneof(few, fc.record({ prices }), fc.record({ mcp }), value), (content) => {
      // An empty file says nothing, which is fine; no schema can say so of null alone.
      if (content === null) return;
      assertEquals(taken(content), valid(content), JSON.stringify(content));
      if (valid(content)) right++;
    }),
    { numRuns: 3000 },
  );
  assertEquals(right > 300, true, `${right}`);
});
