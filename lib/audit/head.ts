/**
 * The small file beside a log that says where it ends: so that it shows when the end is cut off.
 *
 * @module
 */

import { canonical, type ChainEnd, macOf, type Sealing } from "./seal.ts";

/** Where a log ended when it was last written to. */
export interface Head extends ChainEnd {
  /** Bytes of the file. */
  readonly bytes: number;
}

/** The file always has this length: it is replaced in place, in one write. */
const HEAD_BYTES = 320;

const SCHEMA = "rein-audit-head/1";

function headOf({ seq, hash, bytes }: Head) {
  return { schema: SCHEMA, seq, hash, bytes };
}

/** A head as the file holds it, sealed where there is a key. */
export async function renderHead(head: Head, sealing: Sealing): Promise<string> {
  const mac = await macOf(headOf(head), sealing);
  const text = canonical(mac === null ? headOf(head) : { ...headOf(head), mac });
  return `${text.padEnd(HEAD_BYTES - 1)}\n`;
}

/** What the file of a head says. `unsealed`: with a key, a head must bear its seal. */
export type FoundHead =
  | { readonly kind: "whole"; readonly head: Head; readonly sealed: boolean }
  | { readonly kind: "missing" | "damaged" | "unsealed" };

function parsed(text: string): (Head & { readonly mac?: unknown }) | null {
  try {
    const { schema, ...head } = JSON.parse(text);
    const whole = schema === SCHEMA && Number.isSafeInteger(head.seq) &&
      Number.isSafeInteger(head.bytes) && typeof head.hash === "string";
    return whole ? head : null;
  } catch {
    return null;
  }
}

/** Reads the file of a head. Without a key, seals are not looked at. */
export async function readHead(text: string, sealing: Sealing): Promise<FoundHead> {
  if (text.trim() === "") return { kind: "missing" };
  const found = parsed(text);
  if (found === null) return { kind: "damaged" };
  const { mac, ...head } = found;
  const wanted = await macOf(headOf(head), sealing);
  if (wanted === null || mac === wanted) {
    return { kind: "whole", head, sealed: mac !== undefined };
  }
  return { kind: mac === undefined ? "unsealed" : "damaged" };
}
