/**
 * What bytes are: text of which encoding, or no text.
 *
 * @module
 */

/** How bytes are to be read. */
export type Encoding =
  | {
    readonly kind: "text";
    /** As `TextDecoder` knows it. */
    readonly label: string;
    /** What the reader should know of it; null for plain UTF-8. */
    readonly note: string | null;
    /** Bytes of the byte-order mark. */
    readonly markBytes: number;
  }
  | { readonly kind: "binary"; readonly type: string };

/** How many first bytes decide. */
export const SAMPLE_BYTES = 4096;

/** First bytes of common files that are no text. Source: their specifications, and file(1). */
const MAGIC: readonly (readonly [string, string])[] = [
  ["7f454c46", "ELF executable or library"],
  ["1f8b", "gzip data"],
  ["504b0304", "zip archive"],
  ["504b0506", "zip archive"],
  ["89504e470d0a1a0a", "PNG image"],
  ["ffd8ff", "JPEG image"],
  ["474946383761", "GIF image"],
  ["474946383961", "GIF image"],
  ["255044462d", "PDF document"],
  ["28b52ffd", "zstd data"],
  ["fd377a585a00", "xz data"],
  ["425a68", "bzip2 data"],
  ["377abcaf271c", "7z archive"],
  ["53514c69746520666f726d6174203300", "SQLite database"],
  ["cafebabe", "Java class or Mach-O executable"],
  ["feedface", "Mach-O executable"],
  ["cffaedfe", "Mach-O executable"],
  ["4d5a90", "Windows executable"],
  ["0061736d", "WebAssembly module"],
  ["4c504b5348485248", "systemd journal"],
  ["4f676753", "Ogg media"],
  ["52494646", "RIFF media"],
];

/** Byte-order marks; UTF-16 is what Windows writes. Source: the Unicode Standard, section 23.8. */
const MARKS: readonly (readonly [string, string, string | null])[] = [
  ["efbbbf", "utf-8", null],
  ["fffe", "utf-16le", "decoded from UTF-16"],
  ["feff", "utf-16be", "decoded from UTF-16"],
];

function hex(bytes: Uint8Array, count: number): string {
  return Array.from(bytes.subarray(0, count), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** The first bytes, for people: `7f 45 4c 46`. */
export function firstBytes(bytes: Uint8Array): string {
  return hex(bytes, 16).replace(/..(?=.)/g, "$& ");
}

function text(label: string, note: string | null, markBytes = 0): Encoding {
  return { kind: "text", label, note, markBytes };
}

/** Share of odd control characters up to which bytes may be text. */
const MOST_CONTROLS = 0.1;

/** The same for what is not UTF-8. Source: bytes of any value, as in encrypted data, have 9.4%. */
const MOST_CONTROLS_MALFORMED = 0.03;

/** Control characters that no text has; NUL may separate names, ESC begins terminal codes. */
function controlShare(bytes: Uint8Array): number {
  const odd = bytes.filter((byte) =>
    byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b
  );
  return odd.length / bytes.length;
}

function decoded(bytes: Uint8Array, label: string): string | null {
  try {
    // A character that the sample cuts off is no fault.
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Sequences that are well-formed UTF-8 beyond ASCII, and bytes that belong to none. */
function countSequences(bytes: Uint8Array): { good: number; bad: number } {
  const shown = new TextDecoder().decode(bytes);
  const bad = shown.split("\ufffd").length - 1;
  const good = Array.from(shown.matchAll(/[^\0-\x7f\ufffd]/gu)).length;
  return { good, bad };
}

/** Chinese in GBK or GB18030: every pair of high bytes is a character that people use. */
function looksChinese(bytes: Uint8Array): boolean {
  const shown = decoded(bytes, "gb18030");
  if (shown === null) return false;
  const high = shown.match(/[^\0-\x7f]/gu) ?? [];
  const usual = high.filter((character) =>
    /[\u3000-\u303f\u4e00-\u9fa5\uff00-\uffef]/.test(character)
  );
  return usual.length >= 2 && usual.length >= 0.9 * high.length;
}

function guess(bytes: Uint8Array): Encoding {
  const { good, bad } = countSequences(bytes);
  if (good >= bad) return text("utf-8", null);
  if (looksChinese(bytes)) return text("gb18030", "not UTF-8; decoded as GB18030, a guess");
  const letters = bytes.some((byte) => byte >= 0x41 && byte <= 0x7a);
  const western = letters && bytes.every((byte) => byte < 0x80 || byte >= 0xa0);
  return western
    ? text("windows-1252", "not UTF-8; decoded as ISO-8859-1, a guess")
    : text("utf-8", null);
}

/**
 * Finds out what bytes are.
 *
 * @param sample The first {@linkcode SAMPLE_BYTES} bytes, or all there are.
 * @param declared A charset that whoever sent them declared; an unknown one counts as none.
 */
export function detectEncoding(sample: Uint8Array, declared?: string): Encoding {
  const beginning = hex(sample, 16);
  const mark = MARKS.find(([bytes]) => beginning.startsWith(bytes));
  if (mark) return text(mark[1], mark[2], mark[0].length / 2);
  const magic = MAGIC.find(([bytes]) => beginning.startsWith(bytes));
  if (magic && sample.some((byte) => byte < 0x09 || byte > 0x7e)) {
    return { kind: "binary", type: magic[1] };
  }
  const malformed = decoded(sample, "utf-8") === null;
  const most = malformed ? MOST_CONTROLS_MALFORMED : MOST_CONTROLS;
  if (controlShare(sample) > most) return { kind: "binary", type: "binary data" };
  const label = labelOf(declared);
  if (label !== null && label !== "utf-8") return text(label, `decoded from ${label}`);
  return malformed ? guess(sample) : text("utf-8", null);
}

function labelOf(declared: string | undefined): string | null {
  if (declared === undefined) return null;
  try {
    return new TextDecoder(declared.trim()).encoding;
  } catch {
    return null;
  }
}
