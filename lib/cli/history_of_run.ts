/**
 * The history of a run's session, as `recall` searches it.
 *
 * @module
 */

import type { KeptOutputs } from "../results/spill.ts";
import type { Embedder } from "../retrieval/embed.ts";
import type { History } from "../retrieval/history.ts";
import type { Session } from "../session/store.ts";

/** What a history depends on. */
export interface HistorySources {
  readonly session: Pick<Session, "database" | "eventsAfter">;
  readonly outputs: KeptOutputs;
  readonly embedder: () => Promise<Embedder | null>;
}

/** Builds the history; nothing of it is loaded before the first search. */
export function historyOfRun({ session, outputs, embedder }: HistorySources): History {
  const load = async () => {
    const { createHistory } = await import("../retrieval/history.ts");
    const events = (afterSeq: number) => session.eventsAfter(afterSeq);
    return createHistory(session.database, outputs, { events, embedder: await embedder() });
  };
  let loading: Promise<History> | undefined;
  return {
    search: async (query, limit, signal) =>
      await (await (loading ??= load())).search(query, limit, signal),
  };
}
