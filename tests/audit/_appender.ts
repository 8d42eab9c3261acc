/**
 * A process that adds entries to a log until it has added as many as it should, or is killed.
 *
 * @module
 */

import { draftOf, logAt } from "./_logs.ts";

const [path = "", from = "0", count = "0", rotateBytes = "0"] = Deno.args;
const log = logAt(path, Number(rotateBytes) > 0 ? { rotateBytes: Number(rotateBytes) } : {});
for (let number = Number(from); number < Number(from) + Number(count); number++) {
  await log.append([draftOf(number, { pid: Deno.pid })], false);
  if (number === Number(from)) console.log("began");
}
await log.close();
