/**
 * Posting results to callers that do not want to ask for them.
 *
 * @module
 */

import type { ResultEnvelope } from "../delegate/types.ts";
import type { Clock, Network } from "../ports.ts";

/** Tries, and the waits between them, in milliseconds. Source of their number: issue 8. */
const WAITS_MS = [2_000, 10_000];

/** Time for one try, in milliseconds. */
const TRY_MS = 10_000;

/** What posting takes. */
export interface CallbackPorts {
  readonly network: Network;
  readonly clock: Clock;
}

/** What is posted, and as whom. */
export interface Post {
  /** It was judged before. */
  readonly url: URL;
  readonly result: ResultEnvelope;
  readonly token: string | null;
}

/** Posts once; rejects where it was not taken. Redirects are not followed. */
async function postOnce(
  { url, result, token }: Post,
  { network }: CallbackPorts,
  signal: AbortSignal,
): Promise<void> {
  const [address = ""] = await network.resolve(url.hostname, signal);
  const response = await network.request({
    url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(result),
    address,
  }, signal);
  response.close();
  if (response.status < 200 || response.status > 299) {
    throw new Error(`${url.host} answered ${response.status}`);
  }
}

async function within(
  ms: number,
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const timer = new AbortController();
  const late = new AbortController();
  const waiting = clock.sleep(ms, AbortSignal.any([timer.signal, signal]))
    .then(() => late.abort(new Error(`no answer within ${ms / 1000} s`)), () => {});
  try {
    await work(AbortSignal.any([late.signal, signal]));
  } finally {
    timer.abort();
    await waiting;
  }
}

/**
 * Posts a result, three times at the most.
 *
 * @returns Null once it was taken, else why not.
 * @throws The signal's reason, once it is aborted.
 */
export async function postResult(
  post: Post,
  ports: CallbackPorts,
  signal: AbortSignal,
): Promise<string | null> {
  for (let attempt = 0;; attempt++) {
    try {
      await within(TRY_MS, ports.clock, signal, (bounded) => postOnce(post, ports, bounded));
      return null;
    } catch (error) {
      signal.throwIfAborted();
      const wait = WAITS_MS[attempt];
      if (wait === undefined) return error instanceof Error ? error.message : String(error);
      await ports.clock.sleep(wait, signal);
    }
  }
}
