import { assertEquals } from "@std/assert";
import {
  type CapabilityChange,
  DEFAULT_CAPABILITIES,
  type ToolProtocolSetting,
} from "../../lib/model/capabilities.ts";
import { Dialect } from "../../lib/model/dialect.ts";
import { toTextMessages } from "../../lib/model/text_protocol.ts";
import type { AssistantMessage, Message, ToolDefinition } from "../../lib/types.ts";
import { fakeTool } from "../fakes.ts";

const { name, description, parameters } = fakeTool();
const TOOL: ToolDefinition = { name, description, parameters };
const CALLED: AssistantMessage = {
  role: "assistant",
  content: "",
  reasoning: "Hm.",
  calls: [{ id: "1", name, arguments: "{}" }],
};
const MESSAGES: readonly Message[] = [
  { role: "system", content: "S" },
  { role: "user", content: "U" },
  CALLED,
  { role: "tool", callId: "1", content: "R" },
  { role: "user", content: "P" },
];
const REQUEST = { messages: MESSAGES, tools: [TOOL] };

function dialect(change: CapabilityChange = {}, setting: ToolProtocolSetting = "auto"): Dialect {
  return new Dialect({ ...DEFAULT_CAPABILITIES, ...change }, setting);
}

Deno.test("Dialect.shape() sends a request as it is to a model like most", () => {
  assertEquals(dialect().shape(REQUEST), REQUEST);
});

Deno.test("Dialect.shape() says in text what a model takes in no other way", () => {
  const messages = toTextMessages(MESSAGES, [TOOL]);
  assertEquals(dialect({ toolProtocol: "text" }).shape(REQUEST), { messages, tools: [] });
  assertEquals(dialect({}, "text").shape(REQUEST), { messages, tools: [] });
  assertEquals(dialect({ toolProtocol: "text" }, "native").shape(REQUEST), REQUEST);
});

Deno.test("Dialect.shape() leaves out roles that a model does not take", () => {
  const roles = (change: CapabilityChange) =>
    dialect(change).shape(REQUEST).messages.map(({ role }) => role);
  assertEquals(roles({ userAfterTool: false }), ["system", "user", "assistant", "tool"]);
  assertEquals(roles({ systemRole: "user" }), ["user", "assistant", "tool", "user"]);
  assertEquals(roles({ systemRole: "user", toolProtocol: "text" }), ["user", "assistant", "user"]);
});

Deno.test("Dialect.reasoningFields() sends thoughts back only with calls, and where wanted", () => {
  const said: AssistantMessage = { role: "assistant", content: "A", reasoning: "Hm.", calls: [] };
  const blank: AssistantMessage = { role: "assistant", content: "", calls: CALLED.calls };
  const fields = (change: CapabilityChange) =>
    [CALLED, said, blank].map((message) => dialect(change).reasoningFields(message));
  assertEquals(fields({}), [{}, {}, {}]);
  assertEquals(fields({ reasoningBack: "calls" }), [{ reasoning_content: "Hm." }, {}, {}]);
  assertEquals(fields({ reasoningBack: "calls", reasoningField: "reasoning" }), [
    { reasoning: "Hm." },
    {},
    {},
  ]);
  assertEquals(fields({ reasoningBack: "required" }), [
    { reasoning_content: "Hm." },
    {},
    { reasoning_content: " " },
  ]);
});

Deno.test("Dialect.learn() remembers what a server refused, and is told of it once", () => {
  const spoken = dialect();
  const said = "tools param requires --jinja flag";
  assertEquals(spoken.learn(said, 500)?.change, { toolProtocol: "text" });
  assertEquals(spoken.shape(REQUEST).tools, []);
  assertEquals(spoken.learn(said, 500), null);
});

Deno.test("Dialect.learn() keeps to the protocol that the person wants", () => {
  const spoken = dialect({}, "native");
  assertEquals(spoken.learn("this model does not support tools", 400), null);
  assertEquals(spoken.shape(REQUEST), REQUEST);
});
