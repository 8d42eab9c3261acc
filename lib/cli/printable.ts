/**
 * Text from elsewhere, made safe for a terminal.
 *
 * @module
 */

// deno-lint-ignore no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Removes control characters and direction overrides; line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(CONTROL, "");
}
