/**
 * Encodings that commands hide in: escapes of `echo` and `printf`, base64, hex,
 * and letters replaced by `tr`.
 *
 * @module
 */

const ESCAPE =
  /\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|0?[0-7]{1,3}|[abefnrtvc\\"'])/g;
const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  c: "",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** Replaces backslash escapes as `echo -e` and `printf` do. */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(ESCAPE, (whole: string, body: string) => {
    const simple = SIMPLE[body];
    if (simple !== undefined) return simple;
    const code = /^[xuU]/.test(body) ? parseInt(body.slice(1), 16) : parseInt(body, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Decodes base64, or null if it is none. */
export function decodeBase64(text: string): string | null {
  const clean = text.replaceAll(/[\s]/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) return null;
  try {
    return fromBytes(atob(clean.replaceAll("=", "")));
  } catch {
    return null;
  }
}

/** Encodes as base64, as `base64` does without wrapping. */
export function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Decodes plain hexadecimal, or null if it is none. */
export function decodeHex(text: string): string | null {
  const clean = text.replaceAll(/\s|0x|\\x/g, "");
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(clean)) return null;
  const bytes = clean.match(/../g) ?? [];
  return fromBytes(bytes.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(""));
}

function fromBytes(binary: string): string {
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

/** Replaces letters as `tr SET1 SET2` does, or null if the sets are not plain. */
export function translate(text: string, from: string, to: string | null): string | null {
  const source = expandSet(from);
  const target = to === null ? "" : expandSet(to);
  if (source === null || target === null) return null;
  const last = target.at(-1) ?? "";
  const map = new Map([...source].map((char, index) => [char, target[index] ?? last] as const));
  return [...text].map((char) => map.get(char) ?? char).join("");
}

const CLASSES: Readonly<Record<string, string>> = {
  "[:lower:]": "a-z",
  "[:upper:]": "A-Z",
  "[:digit:]": "0-9",
  "[:space:]": " \t\n\r\v\f",
  "[:alpha:]": "A-Za-z",
  "[:alnum:]": "A-Za-z0-9",
};

function expandSet(set: string): string | null {
  const plain = decodeEscapes(set.replaceAll(/\[:\w+:\]/g, (name) => CLASSES[name] ?? "\u0000"));
  if (plain.includes("\u0000")) return null;
  return plain.replaceAll(/([^])-([^])/g, (whole: string, first: string, last: string) => {
    const [a, b] = [first.charCodeAt(0), last.charCodeAt(0)];
    if (b < a || b - a > 256) return whole;
    return Array.from({ length: b - a + 1 }, (_, index) => String.fromCharCode(a + index)).join("");
  });
}
