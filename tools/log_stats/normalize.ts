/**
 * Endpoints without what differs from request to request.
 *
 * @module
 */

import { BYTE } from "./entry.ts";

/** What a part of a path is made of, as bits. */
const MADE_OF = { digit: 1, hex: 2, letter: 4, dash: 8, other: 16 } as const;

const CLASS_OF: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (/[0-9]/.test(char)) return MADE_OF.digit;
  if (/[a-fA-F]/.test(char)) return MADE_OF.hex;
  if (/[g-zG-Z]/.test(char)) return MADE_OF.letter;
  return char === "-" ? MADE_OF.dash : MADE_OF.other;
});

/** Shorter hexadecimal numbers may be words or versions. */
const LEAST_HASH_BYTES = 8;

const UUID_BYTES = 36;

/** Letters and digits mixed are a token from this length on, as ULIDs and object ids are. */
const LEAST_TOKEN_BYTES = 20;

const ID = new TextEncoder().encode(":id");

/** Whether a part of a path between slashes and dots stands for one thing out of many. */
function isId(made: number, bytes: number, isFirst: boolean): boolean {
  if ((made & MADE_OF.digit) === 0) return false;
  if (made === MADE_OF.digit) return isFirst || bytes >= LEAST_HASH_BYTES;
  if ((made & MADE_OF.other) !== 0) return false;
  if ((made & MADE_OF.dash) !== 0) return bytes === UUID_BYTES && (made & MADE_OF.letter) === 0;
  return bytes >= ((made & MADE_OF.letter) === 0 ? LEAST_HASH_BYTES : LEAST_TOKEN_BYTES);
}

/** Whether a value is an address or a path: only those are normalised. */
function pathStart(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === BYTE.slash) return start;
  for (let at = start; at < end && at < start + 8; at++) {
    if (bytes[at] !== BYTE.colon || bytes[at + 1] !== BYTE.slash) continue;
    const path = bytes.indexOf(BYTE.slash, at + 3);
    return path < 0 || path > end ? end : path;
  }
  return -1;
}

/**
 * Copies a value and, if it is a path or an address, leaves out its query and
 * puts `:id` for numbers, uuids, hashes and long tokens:
 * `/api/order/123?x=1` becomes `/api/order/:id`.
 *
 * @param into Must have room for as many bytes, and three more for each part.
 * @returns Where the copy ends.
 */
export function copyNormalized(
  [bytes, start, end]: readonly [Uint8Array, number, number],
  into: Uint8Array,
  at: number,
): number {
  const path = pathStart(bytes, start, end);
  let to = at;
  for (let from = start; from < (path < 0 ? end : path); from++) into[to++] = bytes[from] ?? 0;
  return path < 0 ? to : copyPath([bytes, path, end], into, to);
}

function copyPath(
  [bytes, start, end]: readonly [Uint8Array, number, number],
  into: Uint8Array,
  at: number,
): number {
  let to = at;
  let part = at;
  let made = 0;
  let isFirst = true;
  for (let from = start;; from++) {
    const byte = from < end ? bytes[from] ?? 0 : BYTE.question;
    const isLast = byte === BYTE.question || byte === BYTE.hash;
    if (!isLast && byte !== BYTE.slash && byte !== BYTE.dot) {
      made |= CLASS_OF[byte] ?? 0;
      into[to++] = byte;
      continue;
    }
    if (made !== 0 && isId(made, to - part, isFirst)) {
      into.set(ID, part);
      to = part + ID.length;
    }
    if (isLast) return to;
    into[to++] = byte;
    part = to;
    made = 0;
    isFirst = byte === BYTE.slash;
  }
}
