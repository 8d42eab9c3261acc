/**
 * A task of A2A, put together from the events of a stream. Pure.
 *
 * @module
 */

import {
  type Artifact,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from "@a2a-js/sdk";

function newTask(id: string, contextId: string): Task {
  const nothing = { status: undefined, metadata: undefined };
  return { id, contextId, artifacts: [], history: [], ...nothing };
}

function withStatus(task: Task, { status, metadata }: TaskStatusUpdateEvent): Task {
  return { ...task, status, metadata: { ...task.metadata, ...metadata } };
}

/** A piece of an artifact goes on where the one before ended, in the same text if both are texts. */
function joined(before: Artifact, piece: Artifact): Artifact {
  const last = before.parts.at(-1);
  const [first, ...rest] = piece.parts;
  if (last?.content?.$case !== "text" || first?.content?.$case !== "text") {
    return { ...before, parts: [...before.parts, ...piece.parts] };
  }
  const value = last.content.value + first.content.value;
  const whole = { ...last, content: { $case: "text" as const, value } };
  return { ...before, parts: [...before.parts.slice(0, -1), whole, ...rest] };
}

function withArtifact(task: Task, { artifact, append }: TaskArtifactUpdateEvent): Task {
  if (!artifact) return task;
  const before = task.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (!before) return { ...task, artifacts: [...task.artifacts, artifact] };
  const now = append ? joined(before, artifact) : artifact;
  return { ...task, artifacts: task.artifacts.map((one) => one === before ? now : one) };
}

/**
 * The task after one more event.
 *
 * @param task As it was; null before the first event.
 * @returns Null where the event is of no task: a message, or nothing that is known.
 */
export function foldEvent(task: Task | null, { payload }: StreamResponse): Task | null {
  switch (payload?.$case) {
    case "task":
      return payload.value;
    case "statusUpdate":
      return withStatus(
        task ?? newTask(payload.value.taskId, payload.value.contextId),
        payload.value,
      );
    case "artifactUpdate":
      return withArtifact(
        task ?? newTask(payload.value.taskId, payload.value.contextId),
        payload.value,
      );
    default:
      return task;
  }
}
