import { assertEquals, assertThrows } from "@std/assert";
import { type FilePlace, readDocument } from "../../lib/yaml/document.ts";

function faultOf(text: string): string {
  const fault = (message: string, { file, line, column }: FilePlace) =>
    new SyntaxError(`${file}:${line}:${column}: ${message}`);
  return assertThrows(() => readDocument(text, "a.yaml", fault), SyntaxError).message;
}

function read(text: string) {
  return readDocument(text, "a.yaml", (message) => new SyntaxError(message));
}

Deno.test("readDocument() takes an empty text for an empty object", () => {
  assertEquals(["", "# nothing\n", "---\n"].map((text) => read(text).content), [{}, {}, {}]);
});

Deno.test("readDocument() knows the places of values and of keys", () => {
  const written = read('a: 1\nb:\n  "c/d": [x, y]\n');
  assertEquals([
    written.placeOf(["b", "c/d", 1]),
    written.placeOfKey(["b"], "c/d"),
    written.placeOf(["b", "missing"]),
    written.placeOfKey([], "missing"),
  ], [
    { file: "a.yaml", line: 3, column: 14 },
    { file: "a.yaml", line: 3, column: 3 },
    { file: "a.yaml", line: 3, column: 3 },
    { file: "a.yaml", line: 1, column: 1 },
  ]);
});

Deno.test("readDocument() refuses what is not YAML, or has a key twice, in one line", () => {
  assertEquals(["a: [1\n", "a: 1\na: 2\n", "a: b: c\n"].map(faultOf), [
    "a.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
    "a.yaml:2:1: Map keys must be unique",
    "a.yaml:1:4: Nested mappings are not allowed in compact mappings",
  ]);
});

Deno.test("readDocument() refuses aliases that unfold into gigabytes", () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const below = level === 0 ? "x" : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array(9).fill(below).join(", ")}]\n`;
  });
  assertEquals(
    faultOf(levels.join("")),
    "a.yaml:1:1: Excessive alias count indicates a resource exhaustion attack",
  );
});
