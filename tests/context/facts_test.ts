import { assertEquals } from "@std/assert";
import { keepFacts } from "../../lib/context/facts.ts";
import type { Fact } from "../../lib/events.ts";

function factsOf(...texts: readonly string[]): Fact[] {
  return texts.map((text, index) => ({ text, call: `c${index}`, step: index }));
}

/** What stays of facts, of which each counts as one token. */
function kept(max: number, ...texts: readonly string[]): [string[], number] {
  const { facts, left } = keepFacts(factsOf(...texts), max, () => 1);
  return [facts.map(({ text }) => text), left];
}

Deno.test("keepFacts() keeps all that fits, in its order", () => {
  assertEquals(kept(3, "a is up", "b is down", "c has 3 disks"), [
    ["a is up", "b is down", "c has 3 disks"],
    0,
  ]);
});

Deno.test("keepFacts() keeps what is said twice once, however it is written", () => {
  assertEquals(kept(9, "Disk sda1 is full", "disk  sda1 is full.", "b is up"), [
    ["Disk sda1 is full", "b is up"],
    0,
  ]);
});

Deno.test("keepFacts() lets those leave first of which there is a newer one", () => {
  const [facts, left] = kept(
    2,
    "load is 0.4",
    "the leader is node-b",
    "load is 3.1",
    "load is 7.2",
  );
  assertEquals([facts, left], [["the leader is node-b", "load is 7.2"], 2]);
});

Deno.test("keepFacts() keeps an old fact of rare words rather than a newer plain one", () => {
  const plain = ["alpha", "beta", "gamma", "delta"].map((name) => `service ${name} is up and fine`);
  const [facts] = kept(2, "the key of gate-kestrel is rotated by amber-lantern", ...plain);
  assertEquals(facts, [
    "the key of gate-kestrel is rotated by amber-lantern",
    "service delta is up and fine",
  ]);
});

Deno.test("keepFacts() tells Chinese facts apart by their characters", () => {
  assertEquals(kept(1, "密钥由定时任务轮换", "服务正常", "服务正常运行"), [
    ["密钥由定时任务轮换"],
    2,
  ]);
});

Deno.test("keepFacts() keeps nothing where there is no room", () => {
  assertEquals(kept(0, "a is up", "b is down"), [[], 2]);
});
