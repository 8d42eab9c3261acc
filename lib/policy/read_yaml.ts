/**
 * Reads policies that people wrote: YAML, checked against the schema and against
 * their own examples, with the place of every mistake.
 *
 * @module
 */
import schema from "../../policies/schema.json" with { type: "json" };
import { type Path, readDocument } from "../yaml/document.ts";
import { exampleFault } from "./examples.ts";
import { readContent, type SourceContent } from "./read_source.ts";
import { createCheck, faultWords } from "./schema_fault.ts";
import { PolicyError, type PolicySource } from "./types.ts";

const check = createCheck(schema);

/** Makes the error of something at a path. */
type ErrorAt = (path: Path, message: string) => PolicyError;

/**
 * Reads one source.
 *
 * @throws {PolicyError} If it is not YAML, not a policy, or contradicts its examples.
 */
export function readYaml(source: PolicySource): SourceContent {
  const written = readDocument(
    source.text,
    source.name,
    (message, at) => new PolicyError(message, at),
  );
  const errorAt: ErrorAt = (path, message) => new PolicyError(message, written.placeOf(path));
  const fault = check(written.content);
  if (fault !== null) {
    const { message, at } = faultWords(fault, written);
    throw new PolicyError(message, at);
  }
  const lineOf = (index: number) => written.placeOf(["rules", index]).line;
  const read = readContent(written.content, source, lineOf);
  checkIds(read, errorAt);
  read.rules.forEach((rule, index) => {
    const wrong = exampleFault(rule);
    if (wrong !== null) throw errorAt(["rules", index, "examples"], wrong);
  });
  return read;
}

function checkIds({ rules }: SourceContent, errorAt: ErrorAt): void {
  const seen = new Set<string>();
  rules.forEach(({ id }, index) => {
    if (seen.has(id)) {
      throw errorAt(["rules", index, "id"], `Rule "${id}" is there twice: rename one`);
    }
    seen.add(id);
  });
}
