/**
 * HTML as text, with all that is not ours escaped.
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

/** What a template takes: texts are escaped, markup stays, lists are joined, null is nothing. */
export type HtmlPart = string | number | null | Html | readonly HtmlPart[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text without characters that mean something in HTML, or that no document may have. */
export function escapeHtml(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- Those are the ones.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "�")
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function textOf(part: HtmlPart): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeHtml(String(part));
}

/** A template of markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const text = strings.reduce((sum, piece, index) =>
    sum + textOf(parts[index - 1] ?? null) + piece
  );
  return new Html(text);
}
