/**
 * Reads policies that people wrote: YAML, checked against the schema and against
 * their own examples, with the place of every mistake.
 *
 * @module
 */
import { Ajv, type ErrorObject } from "ajv";
import { type Document, isMap, isNode, LineCounter, parseDocument } from "yaml";
import schema from "../../policies/schema.json" with { type: "json" };
import { exampleFault } from "./examples.ts";
import { readContent, type SourceContent } from "./read_source.ts";
import { PolicyError, type PolicySource } from "./types.ts";

const validate = new Ajv({ meta: false, validateSchema: false, strict: false, verbose: true })
  .compile(schema);

/**
 * Reads one source.
 *
 * @throws {PolicyError} If it is not YAML, not a policy, or contradicts its examples.
 */
export function readYaml(source: PolicySource): SourceContent {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines });
  const place = new Place(source, document, lines);
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw place.errorAt(
      fault.pos[0],
      fault.message.split("\n")[0]?.replace(/ at line.*$/, "") ?? "",
    );
  }
  const content: unknown = document.toJS() ?? {};
  if (!validate(content)) throw schemaError(validate.errors ?? [], place);
  const read = readContent(content, source, (index) => place.lineOf(["rules", index]));
  checkIds(read, place);
  read.rules.forEach((rule, index) => {
    const wrong = exampleFault(rule);
    if (wrong !== null) throw place.error(["rules", index, "examples"], wrong);
  });
  return read;
}

type Path = readonly (string | number)[];

/** Where things stand in a source. */
class Place {
  constructor(
    readonly source: PolicySource,
    readonly document: Document.Parsed,
    readonly lines: LineCounter,
  ) {}

  errorAt(offset: number, message: string): PolicyError {
    const { line, col } = this.lines.linePos(offset);
    return new PolicyError(message, { file: this.source.name, line, column: col });
  }

  error(path: Path, message: string): PolicyError {
    return this.errorAt(this.#offset(path), message);
  }

  lineOf(path: Path): number {
    return this.lines.linePos(this.#offset(path)).line;
  }

  /** The place of a node, or of the nearest one around it. */
  #offset(path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }

  /** The place of a key that should not be there. */
  keyError(path: Path, key: string, message: string): PolicyError {
    const node = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    const pair = isMap(node) ? node.items.find((item) => String(item.key) === key) : undefined;
    const range = isNode(pair?.key) ? pair.key.range : undefined;
    return range ? this.errorAt(range[0], message) : this.error(path, message);
  }
}

/** The message for the first fault, which names the value and what is wanted. */
function schemaError(errors: readonly ErrorObject[], place: Place): PolicyError {
  const error = errors.find(({ keyword }) => keyword !== "oneOf") ?? errors[0];
  if (error === undefined) return place.error([], "This is not a policy");
  const path = error.instancePath.split("/").slice(1)
    .map((step) => /^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/"));
  const where = String(path.at(-1) ?? "policy");
  const value = JSON.stringify(error.data)?.slice(0, 60) ?? "nothing";
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      return place.keyError(path, key, `Unknown key "${key}": remove it or correct its name`);
    }
    case "required":
      return place.error(path, `Key "${params["missingProperty"]}" is missing: add it`);
    case "enum":
      return place.error(
        path,
        `Value ${value} is not possible here: use one of ${listed(params["allowedValues"])}`,
      );
    case "type":
      return place.error(path, `Value ${value} of "${where}" must be of type ${params["type"]}`);
    default:
      return place.error(
        path,
        `Value ${value} of "${where}" ${error.message ?? "is not possible"}`,
      );
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.join(", ") : String(values);
}

function checkIds({ rules }: SourceContent, place: Place): void {
  const seen = new Set<string>();
  rules.forEach(({ id }, index) => {
    if (seen.has(id)) {
      throw place.error(["rules", index, "id"], `Rule "${id}" is there twice: rename one`);
    }
    seen.add(id);
  });
}
