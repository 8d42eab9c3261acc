import { assertEquals } from "@std/assert";
import { Breaker } from "../../lib/calls/breaker.ts";
import { failed } from "../../lib/results/observe.ts";
import type { Observation } from "../../lib/types.ts";

const SUCCESS: Observation = {
  status: "success",
  data: {},
  error: null,
  truncated: [],
  summary: "",
};

function error(code: string, retriable: boolean): Observation {
  return failed("error", { code, message: "m", hint: "h", retriable });
}

const READER = { name: "t", effect: "read" } as const;

/** Whether a reading tool is available after these observations. */
function availableAfter(...observations: Observation[]): boolean {
  const breaker = new Breaker();
  for (const observation of observations) breaker.note(READER, observation);
  return breaker.available("t");
}

const BROKEN = error("tool_failed", false);
const AWAY = error("network", true);
const LATE = failed("timeout", { code: "timeout", message: "m", hint: "h", retriable: false });
const DENIED = failed("denied", { code: "denied", message: "m", hint: "h", retriable: false });
const MISSING = error("not_found", false);

Deno.test("Breaker takes a tool out after three faults in a row, of whatever kind", () => {
  assertEquals(availableAfter(BROKEN, AWAY), true);
  assertEquals(availableAfter(BROKEN, AWAY, LATE), false);
});

Deno.test("Breaker starts over after one success", () => {
  assertEquals(availableAfter(BROKEN, BROKEN, SUCCESS, BROKEN, BROKEN), true);
});

Deno.test("Breaker does not blame a tool for denials and for wrong arguments", () => {
  assertEquals(availableAfter(DENIED, DENIED, DENIED, MISSING, MISSING, MISSING), true);
  assertEquals(availableAfter(BROKEN, BROKEN, DENIED, BROKEN), false);
});

Deno.test("Breaker counts each tool apart", () => {
  const breaker = new Breaker();
  for (let count = 0; count < 3; count++) breaker.note({ ...READER, name: "a" }, BROKEN);
  assertEquals([breaker.available("a"), breaker.available("b")], [false, true]);
});

Deno.test("Breaker does not blame the shell for slow commands", () => {
  const breaker = new Breaker();
  for (let count = 0; count < 3; count++) breaker.note({ name: "t", effect: "execute" }, LATE);
  assertEquals(breaker.available("t"), true);
});
