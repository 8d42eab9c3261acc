import { assertEquals } from "@std/assert";
import { prepareValidation, validateArguments } from "../../lib/calls/validate.ts";
import type { JsonObject, ObjectSchema } from "../../lib/types.ts";

const SCHEMA: ObjectSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1, maxLength: 5 },
    timeout_ms: { type: "integer", minimum: 100 },
    mode: { enum: ["fast", "slow"] },
    filter: { type: "object", properties: { name: { type: "string" } } },
  },
  required: ["command"],
  additionalProperties: false,
};

function faults(args: JsonObject): Promise<string | null> {
  return validateArguments(SCHEMA, args);
}

Deno.test("validateArguments() finds nothing wrong with what fits", async () => {
  assertEquals(await faults({ command: "ls", timeout_ms: 100, mode: "fast" }), null);
});

Deno.test("validateArguments() never takes a number for a command", async () => {
  assertEquals(await faults({ command: 12345 }), 'field "command" must be string, but is 12345');
});

Deno.test("validateArguments() names the field that is missing", async () => {
  assertEquals(await faults({}), 'field "command" is missing');
});

Deno.test("validateArguments() says which fields are unknown and what was meant", async () => {
  assertEquals(
    await faults({ command: "ls", comand: "x" }),
    'field "comand" is not known (did you mean "command"?)',
  );
  assertEquals(
    await faults({ command: "ls", sandbox: false, approved: true }),
    'field "sandbox" is not known (known are command, timeout_ms, mode, filter); ' +
      'field "approved" is not known (known are command, timeout_ms, mode, filter)',
  );
});

Deno.test("validateArguments() lists every fault in one line", async () => {
  assertEquals(
    await faults({ command: "", timeout_ms: 1.5, mode: "idle", filter: { name: 1 } }),
    'field "command" must NOT have fewer than 1 characters, but is ""; ' +
      'field "timeout_ms" must be integer, but is 1.5; ' +
      'field "timeout_ms" must be >= 100, but is 1.5; ' +
      'field "mode" must be equal to one of the allowed values (["fast","slow"]), but is "idle"; ' +
      'field "filter.name" must be string, but is 1',
  );
});

Deno.test("validateArguments() shows the beginning of a long value", async () => {
  assertEquals(
    await faults({ command: "😀".repeat(100) }),
    'field "command" must NOT have more than 5 characters, ' +
      `but is "${"😀".repeat(29)}…`,
  );
});

Deno.test("validateArguments() is not fooled by the names of an object's own machinery", async () => {
  const args = JSON.parse('{"command": "ls", "__proto__": {"x": 1}, "constructor": 1}');
  assertEquals(
    await faults(args),
    'field "__proto__" is not known (known are command, timeout_ms, mode, filter); ' +
      'field "constructor" is not known (known are command, timeout_ms, mode, filter)',
  );
});

Deno.test("prepareValidation() makes no difference to what is found", async () => {
  await prepareValidation([SCHEMA]);
  assertEquals(await faults({ command: true }), 'field "command" must be string, but is true');
});
