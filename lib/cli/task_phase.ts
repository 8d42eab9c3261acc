/**
 * What has become of a task, in words.
 *
 * @module
 */

import type { TaskPhase } from "../delegate/task_row.ts";
import { type Message, message, type MessageId } from "../messages/messages.ts";

const PHASES: { readonly [P in TaskPhase]: MessageId } = {
  waiting: "task.waiting",
  sent: "task.sent",
  running: "task.running",
  success: "task.success",
  partial_success: "task.partial_success",
  failed: "task.failed",
  timeout: "task.timeout",
  cancelled: "task.cancelled",
  lost: "task.lost",
};

/** A phase, or the status of a result, for people. */
export function phaseText(phase: TaskPhase): Message {
  return message(PHASES[phase]);
}
