import { assertEquals } from "@std/assert";
import { watchFetch } from "../../lib/cli/prepare.ts";

Deno.test("watchFetch() tells of the next response, not of an earlier one", async () => {
  const seen: string[] = [];
  const { fetch, response } = watchFetch((input) => {
    seen.push(`asked ${input}`);
    return Promise.resolve(new Response(String(input)));
  });
  await fetch("models");
  const answering = response().then(() => seen.push("told"));
  await new Promise((resolve) => setTimeout(resolve));
  const answer = await fetch("chat");
  await answering;
  assertEquals([...seen, await answer.text()], ["asked models", "asked chat", "told", "chat"]);
});
