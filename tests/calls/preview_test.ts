import { assertEquals } from "@std/assert";
import { previewOf } from "../../lib/calls/preview.ts";
import { fakeTool } from "../fakes.ts";

Deno.test("previewOf() gives what the tool would do, or null where it does not tell", async () => {
  const telling = fakeTool({ preview: (args) => Promise.resolve(`would say ${args["text"]}`) });
  assertEquals(await previewOf(telling, { text: "hi" }), "would say hi");
  assertEquals(await previewOf(fakeTool(), { text: "hi" }), null);
});

Deno.test("previewOf() never throws", async () => {
  const broken = fakeTool({ preview: () => Promise.reject(new Error("Out of luck")) });
  assertEquals(await previewOf(broken, {}), "What it would do can't be shown: Out of luck");
});
