/**
 * Events in the raw bytes of a file of SQLite, found where SQLite itself can't read it any more.
 * Source: "Database File Format" of SQLite's documentation, sections 1.5, 1.6, 2.1 and 4.1.
 *
 * @module
 */

/** Bytes of a page; what SQLite takes by default. */
const PAGE = 4096;

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** Payload of a row that its own page holds at the most; of a longer one, at the least. */
const MAX_LOCAL = PAGE - 35;
const MIN_LOCAL = Math.floor(((PAGE - 12) * 32) / 255) - 23;

/** Bytes of a page that are for its rows; an overflow page begins with the number of the next. */
const OVERFLOW = PAGE - 4;

/** `{"`, with which the text of an event begins. */
const [BRACE, QUOTE] = [0x7b, 0x22];

type Pages = ReadonlyMap<number, Uint8Array>;

const numberAt = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);

/** Pages by their numbers: those of the file, replaced by what the log has newer. */
function pagesOf(file: Uint8Array, wal: Uint8Array): Pages {
  const pages = new Map<number, Uint8Array>();
  for (let at = 0; at + PAGE <= file.length; at += PAGE) {
    pages.set(at / PAGE + 1, file.subarray(at, at + PAGE));
  }
  for (let at = WAL_HEADER; at + FRAME_HEADER + PAGE <= wal.length; at += FRAME_HEADER + PAGE) {
    // Frames with other salts are left over from before the log was begun anew.
    if (numberAt(wal, at + 8) !== numberAt(wal, 16)) break;
    if (numberAt(wal, at + 12) !== numberAt(wal, 20)) break;
    const start = at + FRAME_HEADER;
    pages.set(numberAt(wal, at), wal.subarray(start, start + PAGE));
  }
  return pages;
}

/** The number that ends right before a place: seven bits a byte, the last one without its high bit. */
function numberBefore(page: Uint8Array, end: number): { readonly value: number; at: number } {
  let at = end - 1;
  while (at > 0 && end - at < 9 && (page[at - 1] ?? 0) >= 0x80) at--;
  let value = 0;
  for (let byte = at; byte < end; byte++) value = value * 128 + ((page[byte] ?? 0) & 0x7f);
  return { value, at };
}

/** Where a row's text is, and how long; null where none begins. */
function rowAt(page: Uint8Array, start: number): { seq: number; bytes: number } | null {
  const kind = numberBefore(page, start);
  // Before the text: the size of the row's header, nothing for `seq`, and the text's length.
  const size = start - kind.at + 2;
  if (page[kind.at - 1] !== 0 || page[kind.at - 2] !== size || kind.value % 2 === 0) return null;
  return { seq: numberBefore(page, kind.at - 2).value, bytes: (kind.value - 13) / 2 };
}

/** A row's text with what overflows its page; cut short where a page is missing. */
function textAt(pages: Pages, page: Uint8Array, start: number, bytes: number): string {
  const header = start - numberBefore(page, start).at + 2;
  const payload = header + bytes;
  const fitting = MIN_LOCAL + ((payload - MIN_LOCAL) % OVERFLOW);
  const local = payload <= MAX_LOCAL ? payload : fitting <= MAX_LOCAL ? fitting : MIN_LOCAL;
  const end = start + local - header;
  const parts = [page.subarray(start, end)];
  let left = payload - local;
  let next = left > 0 && end + 4 <= PAGE ? numberAt(page, end) : 0;
  for (let more = pages.get(next); left > 0 && more !== undefined; more = pages.get(next)) {
    parts.push(more.subarray(4, 4 + Math.min(left, OVERFLOW)));
    left -= OVERFLOW;
    next = numberAt(more, 0);
  }
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/**
 * The texts of rows by their numbers, as far as they begin like an event; whether they are whole
 * is for the caller to see.
 *
 * @param file The bytes of the file.
 * @param wal The bytes of its log; empty if there is none.
 */
export function rowsInBytes(file: Uint8Array, wal: Uint8Array): Map<number, string> {
  const pages = pagesOf(file, wal);
  const rows = new Map<number, string>();
  for (const page of pages.values()) {
    for (let at = page.indexOf(BRACE); at !== -1; at = page.indexOf(BRACE, at + 1)) {
      const row = page[at + 1] === QUOTE ? rowAt(page, at) : null;
      if (row !== null) rows.set(row.seq, textAt(pages, page, at, row.bytes));
    }
  }
  return rows;
}
