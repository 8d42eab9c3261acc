/**
 * Debug files in memory.
 *
 * @module
 */

import { type DebugLog, openDebugLog } from "../../lib/debug/debug_log.ts";
import { readDebugLines } from "../../lib/debug/read.ts";
import type { DebugLine } from "../../lib/debug/lines.ts";
import { debugFaults } from "../_schemas.ts";
import { fakePorts, MemoryFiles } from "../fakes.ts";

/** A debug log on a file in memory. */
export interface MemoryLog {
  readonly log: DebugLog;
  /** The file as it is. */
  text(): string;
  /** Its lines; each one fits the published schema. */
  lines(): readonly DebugLine[];
}

/** Opens a debug log on a file that may hold something already. */
export async function memoryLog(before = "", secrets: readonly string[] = []): Promise<MemoryLog> {
  const files = new MemoryFiles(before === "" ? {} : { "d.jsonl": before });
  const onFailure = () => {};
  const log = await openDebugLog({ path: "d.jsonl", secrets, onFailure }, fakePorts({ files }));
  const text = () => files.text("d.jsonl") ?? "";
  return {
    log,
    text,
    lines: () => {
      const lines = readDebugLines(text(), "d.jsonl");
      const faults = lines.flatMap(debugFaults);
      if (faults.length > 0) throw new TypeError(faults.join("\n"));
      return lines;
    },
  };
}

/** Lines without what differs every time. */
export function withoutTimes(lines: readonly DebugLine[]) {
  return lines.map(({ schema: _schema, at: _at, ms: _ms, ...rest }) => rest);
}
