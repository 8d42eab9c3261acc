/**
 * The debug log of a process: JSON lines without secrets, each written at once.
 *
 * @module
 */

import type { Event } from "../events.ts";
import { FileError, type Files, type LineFile, type Ports } from "../ports.ts";
import { Patterns } from "../results/inspect.ts";
import { redactData } from "../results/redact_data.ts";
import { type Redact, redactArguments, redactEvent } from "../session/redact_event.ts";
import type { Json, JsonObject } from "../types.ts";
import { VERSION } from "../version.ts";
import { DEBUG_SCHEMA, type DebugBody } from "./lines.ts";

/** A debug log that is open. */
export interface DebugLog {
  /** Milliseconds since it was opened. */
  elapsedMs(): number;
  /** Writes a line. What can't be written is dropped, and said once. */
  write(body: DebugBody): void;
  /** Writes an event of a run. */
  event(event: Event): void;
  /** Takes secrets out of data, as every line is rid of them. */
  redact(data: JsonObject): JsonObject;
  close(): void;
}

/** Events that are pieces of a text. */
const PIECES: readonly Event["type"][] = ["text_delta", "reasoning_delta"];

const LF = 0x0a;

/** Whether a file ends in the middle of a line: a process was killed while it wrote. */
async function isTorn(path: string, files: Files): Promise<boolean> {
  try {
    const { size } = await files.stat(path);
    if (size === 0) return false;
    for await (const bytes of files.read(path, undefined, { start: size - 1 })) {
      return bytes[0] !== LF;
    }
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "not_found") throw error;
  }
  return false;
}

/** The same, with the arguments of calls as the JSON that they are: a secret may be escaped there. */
function withoutArguments(value: Json, redact: Redact): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutArguments(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === "arguments" && typeof field === "string"
        ? redactArguments(field, redact)
        : withoutArguments(field, redact),
    ]),
  );
}

class FileLog implements DebugLog {
  readonly #file: LineFile;
  readonly #ports: Pick<Ports, "clock" | "folders">;
  readonly #startedMs: number;
  readonly #patterns: Patterns;
  readonly #onFailure: (text: string) => void;
  #failed = false;

  constructor(file: LineFile, options: DebugOptions, ports: Pick<Ports, "clock" | "folders">) {
    this.#file = file;
    this.#ports = ports;
    this.#startedMs = ports.clock.now();
    this.#patterns = new Patterns(options.secrets);
    this.#onFailure = options.onFailure;
  }

  elapsedMs(): number {
    return this.#ports.clock.now() - this.#startedMs;
  }

  write(body: DebugBody): void {
    if (this.#failed) return;
    const nowMs = this.#ports.clock.now();
    const { type, ...rest } = body;
    const clean = withoutArguments(rest as unknown as Json, (data) => this.redact(data));
    const redacted = this.redact(clean as JsonObject);
    const at = new Date(nowMs).toISOString();
    const line = { schema: DEBUG_SCHEMA, type, at, ms: nowMs - this.#startedMs, ...redacted };
    try {
      this.#file.append(JSON.stringify(line));
    } catch (error) {
      this.#failed = true;
      this.#onFailure(error instanceof Error ? error.message : String(error));
    }
  }

  event(event: Event): void {
    if (PIECES.includes(event.type)) return;
    this.write({ type: "event", event: redactEvent(event, (data) => this.redact(data)) });
  }

  redact(data: JsonObject): JsonObject {
    return redactData(data, this.#patterns);
  }

  close(): void {
    this.#file.close();
  }
}

/** What a debug log depends on. */
export interface DebugOptions {
  readonly path: string;
  /** Values that are secrets whatever they look like. */
  readonly secrets: readonly string[];
  /** Is told, once, that nothing more is written. */
  readonly onFailure: (text: string) => void;
}

/**
 * Opens a debug log; what the file holds already stays.
 *
 * @throws {FileError} If it can't be written.
 */
export async function openDebugLog(
  options: DebugOptions,
  ports: Pick<Ports, "clock" | "files" | "folders">,
): Promise<DebugLog> {
  const { path } = options;
  const torn = await isTorn(path, ports.files);
  const file = await ports.files.openLines(path, { mode: 0o600 });
  if (torn) file.append("");
  const log = new FileLog(file, options, ports);
  log.write({ type: "debug_started", version: VERSION, pid: ports.folders.pid });
  return log;
}
