import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { english, loadSay, type Say } from "../../../lib/messages/messages.ts";
import { joinDelegated } from "../../../lib/trace/join_delegated.ts";
import { pageOf } from "../../../lib/trace/page/page.ts";
import { tracedRuns } from "../../../lib/trace/tracer.ts";
import { agentRun, incident, longRun } from "../_story.ts";

function pageFrom(events: Parameters<typeof tracedRuns>[0], say: Say = english): string {
  return pageOf({ session: "s", runs: tracedRuns(events) }, { say, timeText: () => "noon" });
}

/** The elements of a page, in their order, without what they say. */
function elementsOf(page: string): string[] {
  return page.match(/<\/?[a-z][^\s>]*/gi) ?? [];
}

Deno.test("a page has the same elements whatever its texts hold", () => {
  const events = JSON.stringify(incident());
  const evil = `</pre></script><script>x</script>"><img src=x onerror=x>\0\u202e`;
  const hostile = JSON.parse(events, (key, value) => {
    const kept = ["schema", "at", "type", "status", "decision", "by", "scope", "call_id", "call"];
    const isOurs = kept.includes(key) || typeof value !== "string" || value === "";
    return isOurs || key === "id" ? value : `${value}${evil}`;
  });
  assertEquals(elementsOf(pageFrom(hostile)), elementsOf(pageFrom(incident())));
});

Deno.test("a page of 1,000 calls is bounded, and says where the rest is", () => {
  const page = pageFrom(longRun(1000, 20_000));
  assertEquals(page.length < 2_500_000, true, `${page.length} characters`);
  assertStringIncludes(page, "left out here; &quot;rein sessions export s&quot; has all");
});

Deno.test("a page of a usual run leaves nothing out", () => {
  assertEquals(pageFrom(longRun(20, 9000)).includes("left out here"), false);
});

Deno.test("a page tells of a delegated run within the call that led to it", async () => {
  const runs = [];
  for (const run of tracedRuns(incident())) {
    const find = (agent: string) =>
      Promise.resolve(agent === "payments" ? tracedRuns(agentRun()) : []);
    runs.push(await joinDelegated(run, find));
  }
  const page = pageOf({ session: "s", runs }, { say: english, timeText: () => "noon" });
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assertEquals(ids.filter((id) => id?.startsWith("r0s3")), [
    ...["r0s3", "r0s3c0", "r0s3c0t0r0", "r0s3c0t0r0s0", "r0s3c0t0r0s0c0", "r0s3c0t0r0s1"],
  ]);
  assertEquals(ids.length, new Set(ids).size);
});

Deno.test("all links of a page lead to elements that it has", () => {
  const page = pageFrom(incident());
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link ?? "");
  assertEquals(links.filter((link) => !link.startsWith("#") || !ids.has(link.slice(1))), []);
  assertEquals(links.length > 10, true);
});

Deno.test("a page is in the language of its reader", async () => {
  const page = pageFrom(incident("为什么结账失败？"), await loadSay("zh"));
  assertMatch(page, /<html lang="zh">/);
  assertStringIncludes(page, "<h2>时间线</h2>");
  assertStringIncludes(page, "<h1>为什么结账失败？</h1>");
});

Deno.test("a page of a session in which nothing happened is a page", () => {
  assertMatch(pageFrom([]), /^<!DOCTYPE html>\n<html lang="en"><head>.*<main><\/main>/s);
});
