/**
 * A stop sign that a busy thread sees: code that never waits never gets to a
 * message, and ending its thread does not stop it in every version of the
 * runtime (Deno 2.8.3 lets it spin; 2.6.10 stops it after two seconds).
 *
 * @module
 */

/** Memory that two threads share; 1 means stop. */
export type StopFlag = SharedArrayBuffer;

/** A flag that is down. */
export function createStopFlag(): StopFlag {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Raises a flag for good. */
export function raise(flag: StopFlag): void {
  Atomics.store(new Int32Array(flag), 0, 1);
}

/**
 * Lets a signal say at once that it is aborted where the flag is up.
 *
 * @returns The same signal. Its event still waits for the message.
 */
export function watchFlag(signal: AbortSignal, flag: StopFlag): AbortSignal {
  const view = new Int32Array(flag);
  const prototype = Object.getPrototypeOf(signal) as AbortSignal;
  const own = () => Reflect.get(prototype, "aborted", signal) as boolean;
  const aborted = () => Atomics.load(view, 0) === 1 || own();
  return Object.defineProperties(signal, {
    aborted: { get: aborted },
    throwIfAborted: {
      value: () => {
        if (own()) throw signal.reason;
        if (aborted()) throw new DOMException("The call was stopped", "AbortError");
      },
    },
  });
}
