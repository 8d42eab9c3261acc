import { assertEquals } from "@std/assert";
import { builtInSources, loadPolicy } from "../../lib/policy/load.ts";
import { neededPermissions } from "../../lib/policy/permissions.ts";

Deno.test("neededPermissions() follows the policy", () => {
  assertEquals(neededPermissions(loadPolicy(builtInSources("ops"))), {
    read: true,
    write: true,
    run: true,
    net: true,
  });
  assertEquals(neededPermissions(loadPolicy(builtInSources("locked"))), {
    read: true,
    write: false,
    run: false,
    net: false,
  });
});
