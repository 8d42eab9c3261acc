/**
 * A process that writes tasks into the table of a state folder, for tests with several.
 * Arguments: the folder, a name, how many.
 *
 * @module
 */

import { openTaskTable } from "../../lib/delegate/task_table.ts";
import { createDatabases } from "../../lib/real/databases.ts";

const [folder = "", name = "", count = "0"] = Deno.args;
const table = await openTaskTable(createDatabases(folder), { keep: true, redact: (data) => data });
for (let number = 0; number < Number(count); number++) {
  const task = { run: name, call: "c", name: `${number}` };
  table.add([{ ...task, agent: "a", intent: "i", access: "write" }], number);
  const key = table.find(name, "c", `${number}`)?.key ?? 0;
  const id = `t-${name}-${number}`;
  table.sent(key, { envelope: { task_id: id }, params: { number }, durable: true }, number);
  table.ended(key, { phase: "success", error: null, result: null }, number + 5);
}
table.close();
