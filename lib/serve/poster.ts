/**
 * Posts results of tasks with a callback, and knows which were taken, over restarts too.
 *
 * @module
 */

import { isAllowedHost } from "./admission.ts";
import { type CallbackPorts, postResult } from "./callback.ts";
import type { KeptTask, TaskRecord } from "./task_record.ts";

/** What posting depends on. */
export interface PosterParts extends CallbackPorts {
  readonly record: TaskRecord;
  /** Hosts, with a port where it is not the usual one. */
  readonly hosts: readonly string[];
  readonly token: string | null;
  /** Is told of what could not be posted. */
  readonly trouble: (text: string) => void;
}

/** Posts results in the background. */
export class Poster {
  readonly #parts: PosterParts;
  readonly #stop = new AbortController();
  readonly #posts = new Set<Promise<void>>();

  constructor(parts: PosterParts) {
    this.#parts = parts;
  }

  /** Posts what an earlier process has left. */
  start(): void {
    for (const kept of this.#parts.record.toPost()) this.post(kept);
  }

  /** Posts the result of a task that has finished, where it has a callback. */
  post(kept: KeptTask): void {
    if (kept.task.callback === null) return;
    const posting = this.#post(kept)
      .catch((error) => this.#tell(kept, error instanceof Error ? error.message : String(error)))
      .finally(() => this.#posts.delete(posting));
    this.#posts.add(posting);
  }

  /** Resolves once all is posted; what is not by the time that the signal is aborted stays due. */
  async end(signal: AbortSignal): Promise<void> {
    const onAbort = () => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    await Promise.all(this.#posts);
    signal.removeEventListener("abort", onAbort);
  }

  #tell({ task }: KeptTask, why: string): void {
    if (this.#stop.signal.aborted) return;
    this.#parts.trouble(`task ${task.task_id}: its result could not be posted: ${why}`);
  }

  async #post(kept: KeptTask): Promise<void> {
    const { record, hosts, token } = this.#parts;
    const { task: { task_id: id, callback }, result } = kept;
    const url = URL.parse(callback ?? "");
    const allowed = url !== null && isAllowedHost(url.href, hosts);
    const why = result === null || !allowed
      ? "its host is none of those that are allowed"
      : await postResult({ url, result, token }, this.#parts, this.#stop.signal);
    record.posted(id);
    if (why !== null) this.#tell(kept, why);
  }
}
