/**
 * The calls of one turn: reading ones at the same time, changing ones one after
 * another, results in the order in which they were asked for.
 *
 * @module
 */

import type { EventBody } from "../events.ts";
import type { FinishReason, Tool, ToolCall } from "../types.ts";
import { type Approver, type CallPorts, type FinishedCall, runCall } from "./pipeline.ts";

/** Calls that run at the same time at the most. Source: the issue on calls. */
export const MAX_PARALLEL = 4;

/** A call on its way. */
type Going = AsyncGenerator<EventBody, FinishedCall>;

/**
 * Cuts the calls of a turn into groups that run one after another: neighbours
 * that only read are one group, any other call is a group of its own.
 */
export function groupCalls(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall[][] {
  const readers = new Set(tools.filter(({ effect }) => effect === "read").map(({ name }) => name));
  const groups: ToolCall[][] = [];
  let open: ToolCall[] | null = null;
  for (const call of calls) {
    const reads = readers.has(call.name);
    if (reads && open !== null) open.push(call);
    else groups.push(open = [call]);
    if (!reads) open = null;
  }
  return groups;
}

/** People are asked one thing at a time. */
function oneAtATime(approve: Approver): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const answer = last.then(() => approve(request, signal));
    last = answer.catch(() => {});
    return answer;
  };
}

/** Runs generators at the same time, a few at once; their results keep the order. */
async function* together(waiting: readonly (() => Going)[]): AsyncGenerator<
  EventBody,
  FinishedCall[]
> {
  const results: FinishedCall[] = [];
  const queue = [...waiting.entries()];
  const active = new Map<
    number,
    Promise<[number, Going, IteratorResult<EventBody, FinishedCall>]>
  >();
  const advance = (index: number, going: Going) =>
    active.set(index, going.next().then((next) => [index, going, next]));
  while (queue.length > 0 || active.size > 0) {
    while (active.size < MAX_PARALLEL && queue.length > 0) {
      const [index, begin] = queue.shift()!;
      advance(index, begin());
    }
    const [index, going, next] = await Promise.race(active.values());
    active.delete(index);
    if (next.done) {
      results[index] = next.value;
    } else {
      // What is told is kept before it happens: a call goes on once its event was taken.
      yield next.value;
      advance(index, going);
    }
  }
  return results;
}

/**
 * Runs the calls of one turn.
 *
 * @param onGroup Told of the finished calls of each group, in order; ends the turn by `false`.
 */
export async function* runCalls(
  calls: readonly ToolCall[],
  finishReason: FinishReason,
  ports: CallPorts,
  signal: AbortSignal,
  onGroup: (finished: readonly FinishedCall[]) => boolean,
): AsyncGenerator<EventBody, void> {
  const serial = { ...ports, approve: oneAtATime(ports.approve) };
  for (const group of groupCalls(calls, ports.tools)) {
    const begins = group.map((call) => () => runCall(call, finishReason, serial, signal));
    if (!onGroup(yield* together(begins))) return;
  }
}
