/**
 * Hashes, as the runtime has them: `node:crypto` would take 30 ms to load.
 *
 * @module
 */

import type { Hashes } from "../ports.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes that the runtime's types take for sure to be in memory of their own. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

/** Imported keys by their bytes: one process has one. */
const keys = new WeakMap<Uint8Array, Promise<CryptoKey>>();

function keyOf(bytes: Uint8Array): Promise<CryptoKey> {
  let key = keys.get(bytes);
  if (key === undefined) {
    key = crypto.subtle.importKey("raw", own(bytes), HMAC, false, ["sign"]);
    keys.set(bytes, key);
  }
  return key;
}

/** The hashes of the runtime. */
export const realHashes: Hashes = {
  sha256: async (bytes) => hexOf(await crypto.subtle.digest("SHA-256", own(bytes))),
  hmac: async (key, bytes) => hexOf(await crypto.subtle.sign("HMAC", await keyOf(key), own(bytes))),
};
