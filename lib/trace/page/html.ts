/**
 * HTML as text, built of elements: whatever a text holds, it stays text.
 *
 * @module
 */

/** Markup that is safe as it is. */
export class Html {
  /** The markup. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What an element holds: texts are escaped, markup stays, lists are joined, null is nothing. */
export type HtmlPart = string | number | null | Html | readonly HtmlPart[];

/** Attributes of an element; those that are null are left out. */
export type Attributes = Readonly<Record<string, string | number | null>>;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Control characters, which no document may have, and those that turn the direction of text.
 */
const FORBIDDEN =
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Elements that have no end. Source: https://html.spec.whatwg.org/#void-elements. */
const VOID = new Set(["meta"]);

/** A text without what means something in HTML; what no document may have is U+FFFD. */
export function escapeHtml(text: string): string {
  return text.toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function textOf(part: HtmlPart): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeHtml(String(part));
}

/**
 * An element.
 *
 * @param name As the attributes' names, a constant of the code: it is not escaped.
 */
export function tag(name: string, attributes: Attributes, ...content: readonly HtmlPart[]): Html {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`)
    .join("");
  // A line end at the beginning of a `pre` is dropped, so it gets one that may be.
  const start = `<${name}${given}>${name === "pre" ? "\n" : ""}`;
  return new Html(VOID.has(name) ? start : `${start}${textOf(content)}</${name}>`);
}

/** Parts one after the other. */
export function joined(...parts: readonly HtmlPart[]): Html {
  return new Html(textOf(parts));
}
