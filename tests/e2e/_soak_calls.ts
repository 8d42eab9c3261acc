/**
 * The calls of the soak test: one round of what commands, files, servers and
 * models do to an agent, and how each call has to end.
 *
 * @module
 */

import { gzipSync } from "node:zlib";

/** A call and how it ends: the status, then the exit code or the error's code. */
export type SoakCall = readonly [
  ends: string,
  tool: string,
  args: Readonly<Record<string, unknown>> | string,
];

/** What a round is about. */
export interface Round {
  /** From 0; makes a call differ from its like in other rounds. */
  readonly number: number;
  /** A command that nothing else runs, and that takes longer than any test. */
  readonly sleeper: string;
  /** A server with the paths of {@linkcode answerSoak}, without a slash at the end. */
  readonly site: string;
}

/** Time limit of what hangs, in milliseconds. */
const HANG_MS = 100;

/** A policy that lets run what the calls need beside reading. */
export const SOAK_POLICY = `name: soak
rules:
  - id: soak.programs
    decision: allow
    programs: [kill, no-such-program]
    reason: The test ends its own shells
    examples:
      match: [kill -9 $$, no-such-program 1]
  - id: soak.files
    decision: allow
    paths:
      write: [./made/**]
    reason: The test writes in its own directory
    examples:
      match: [echo x > made/x.txt]
      not: [echo x > x.txt]
  - id: soak.server
    decision: allow
    hosts: [127.0.0.1]
    reason: The test has a server
`;

const bytesOf = (text: string) => new TextEncoder().encode(text);

function accessLog(): string {
  return Array.from({ length: 2000 }, (_, index) => {
    const time = `29/Nov/2026:10:${String(index % 60).padStart(2, "0")}:00 +0000`;
    return `10.0.0.${index % 250} - - [${time}] "GET /api/order/${index} HTTP/1.1" ` +
      `${index % 50 === 0 ? 503 : 200} ${index * 7}\n`;
  }).join("");
}

/** Bytes that follow no pattern, the same in each run. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = state * 48271 % 0x7fffffff) & 0xff);
}

/** Writes the files that the calls read. */
export async function writeSoakFiles(directory: string): Promise<void> {
  const log = bytesOf(accessLog());
  const utf16 = Uint8Array.of(0xff, 0xfe, ...[..."ERROR é\n"].flatMap((c) => [c.charCodeAt(0), 0]));
  const files: Readonly<Record<string, Uint8Array>> = {
    "access.log": log,
    "access.log.gz": gzipSync(log),
    "broken.gz": gzipSync(log).subarray(0, 1000),
    "empty.txt": new Uint8Array(),
    "line.txt": bytesOf("x".repeat(3_000_000)),
    "noise.bin": noise(300_000),
    "utf16.txt": utf16,
    "wrong.txt": Uint8Array.of(0x61, 0xff, 0xfe, 0x80, 0x62, 0x0a),
  };
  for (const [name, bytes] of Object.entries(files)) {
    await Deno.writeFile(`${directory}/${name}`, bytes);
  }
  await Deno.mkdir(`${directory}/made`);
  await Deno.mkdir(`${directory}/many`);
  for (let index = 0; index < 60; index++) {
    await Deno.writeTextFile(`${directory}/many/${index}.txt`, `file ${index}\n`);
  }
  await Deno.symlink("nothing", `${directory}/to-nothing`);
  await Deno.symlink("to-itself", `${directory}/to-itself`);
  await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output();
}

/** Answers, floods, breaks off or never answers, as the path says. */
export function answerSoak(request: Request): Response | Promise<Response> {
  switch (new URL(request.url).pathname) {
    case "/hang":
      return new Promise((_, reject) =>
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
      );
    case "/flood":
      return new Response("flood ".repeat(1_000_000));
    case "/binary":
      return new Response(noise(300_000).slice(), { headers: { "content-type": "image/png" } });
    case "/break":
      return new Response(
        new ReadableStream({ pull: (controller) => controller.error(new Error("broken off")) }),
      );
    default:
      return Response.json({ orders: Array.from({ length: 500 }, (_, id) => ({ id })) });
  }
}

function shell(ends: string, command: string): SoakCall {
  return [ends, "run_shell", { command }];
}

function hang(command: string): SoakCall {
  return ["timeout", "run_shell", { command, timeout_ms: HANG_MS }];
}

/** What resists its end takes half a second: no round has more than one of it. */
function hangs({ number, sleeper }: Round): SoakCall[] {
  const stubborn = [
    sleeper,
    `trap '' TERM; ${sleeper}; ${sleeper}`,
    `setsid sh -c 'setsid ${sleeper} & wait' > /dev/null & ${sleeper}`,
  ][number % 3] ?? sleeper;
  const left = number % 2 === 0
    ? `${sleeper} & echo ${number}`
    : `( (while :; do echo tick; ${sleeper}; done) & )`;
  return [
    hang(stubborn),
    hang(`(${sleeper} &); cat; ${sleeper}`),
    hang(`yes ${number}`),
    hang(`while :; do :; done # ${number}`),
    shell("success 0", left),
  ];
}

function floods({ number }: Round): SoakCall[] {
  // Each round leaves at least this many kept outputs, and more in all than are kept at once.
  const id = `out${number * 6 + 1}`;
  return [
    shell("success 0", `seq ${number} 60000`),
    shell("success 1", `seq ${number} 20000 >&2; false`),
    shell("success 0", `yes "flood ${number}" | head -c 10000000`),
    shell("success 0", `head -c 6000000 /dev/zero | tr '\\0' x; echo ${number}`),
    shell("success 0", `for i in {1..3000}; do printf "%s%%\\r" $i; done; echo ${number}`),
    shell("success 0", `seq -f "key password=hunter%g" ${number} 20000`),
    ["success", "read_output", { id, tail: number + 1 }],
    ["success", "read_output", { id, pattern: `9{${number % 5 + 1}}` }],
    shell("success 0", `seq 9999 | tee /dev/stderr; echo ${number}`),
    shell("success 0", `seq -f "ERROR %g in ${number}" 9999`),
    shell("success 0", `cat access.log access.log; echo ${number}`),
  ];
}

function crashes({ number }: Round): SoakCall[] {
  return [
    shell("success 137", `echo ${number}; kill -9 $$`),
    shell("success 139", `echo ${number}; kill -SEGV $$`),
    shell(`success ${number + 3}`, `exit ${number + 3}`),
    shell("success 127", `no-such-program ${number}`),
    shell("success 1", `echo $((${number} / 0))`),
    shell("success 1", `exec >&- 2>&-; echo ${number}`),
    // Finds nothing: a command inherits nothing of what rein has open.
    shell("success 1", `ls -l /proc/self/fd | grep -e /rein- -e eventpoll # ${number}`),
  ];
}

function binaries({ number }: Round): SoakCall[] {
  const start_line = number + 1;
  return [
    shell("success 0", `cat /bin/ls # ${number}`),
    shell("success 0", `cat noise.bin access.log.gz # ${number}`),
    shell("success 0", `tail -c ${100_000 + number} noise.bin >&2`),
    shell("success 0", `cat wrong.txt utf16.txt; echo ${number}`),
    ["error binary", "read_file", { path: "noise.bin", start_line }],
    ["error binary", "read_file", { path: "access.log.gz", start_line }],
  ];
}

function files({ number }: Round): SoakCall[] {
  const end_line = number + 1;
  const paths = ["access.log", "access.log.gz"];
  const [before, after] = [`round ${number}`, `round ${number}, edited`];
  return [
    ["success", "read_file", { path: "access.log", end_line }],
    ["success", "read_file", { path: "line.txt", end_line }],
    ["success", "read_file", { path: "utf16.txt", end_line }],
    ["success", "read_file", { path: "wrong.txt", end_line }],
    ["success", "read_file", { path: "empty.txt", end_line }],
    ["error unreadable", "read_file", { path: "pipe", end_line }],
    ["error not_found", "read_file", { path: "to-nothing", end_line }],
    ["error unreadable", "read_file", { path: "to-itself", end_line }],
    ["success", "list_files", { path: "many", depth: number % 5 + 1 }],
    ["success", "search_files", { pattern: `file ${number}`, path: "many" }],
    ["success", "search_files", { pattern: `(x+x+)+y${number}`, max_matches: 9 }],
    ["error invalid_pattern", "search_files", { pattern: `(${number}` }],
    ["success", "log_stats", { paths, group_by: ["endpoint"], normalize: true, top: end_line }],
    ["success", "log_stats", { paths: ["*.gz", "noise.bin"], top: end_line }],
    ["success", "write_file", { path: "made/note.txt", content: `${before}\n` }],
    ["success", "edit_file", { path: "made/note.txt", old_text: before, new_text: after }],
  ];
}

function requests({ number, site }: Round): SoakCall[] {
  return [
    ["success", "http_request", { url: `${site}/orders?n=${number}` }],
    ["success", "http_request", { url: `${site}/flood?n=${number}` }],
    ["success", "http_request", { url: `${site}/binary?n=${number}` }],
    ["success", "http_request", { url: `${site}/break?n=${number}` }],
    ["success", "wait_for", { url: `${site}/hang?n=${number}`, within_ms: HANG_MS }],
  ];
}

function mistakes({ number }: Round): SoakCall[] {
  return [
    ["error unknown_tool", "run_shel", { command: `echo ${number}` }],
    ["error invalid_arguments", "run_shell", { command: number }],
    ["error invalid_arguments", "run_shell", `{"command": echo ${number}`],
    ["denied approval_needed", "run_shell", { command: `touch denied-${number}.txt` }],
    ["denied approval_needed", "run_shell", { command: `if [ ${number} ]; then` }],
    ["success", "calculate", { expression: `2^${number + 40} / 7` }],
    ["error unexpected_end", "calculate", { expression: `${number} +` }],
    ["success", "todo", { action: "add", items: [`round ${number}`] }],
    ["success", "todo", { action: "done", ids: [number + 1] }],
  ];
}

/** Takes from each hand in turn, so that neighbours differ in kind and each hand keeps its order. */
function dealt(hands: readonly (readonly SoakCall[])[]): SoakCall[] {
  const longest = Math.max(...hands.map(({ length }) => length));
  return Array.from(
    { length: longest },
    (_, index) => hands.flatMap((hand) => hand.slice(index, index + 1)),
  )
    .flat();
}

/** The calls of one round, in the order in which they are made. */
export function callsOf(round: Round): readonly SoakCall[] {
  const makers = [hangs, floods, crashes, binaries, files, requests, mistakes];
  return dealt(makers.map((make) => make(round)));
}

/** Bash that is interpreted: loops end with their worker, and nothing of the machine is run. */
function contained({ number }: Round): SoakCall[] {
  return [
    hang(`while :; do :; done # ${number}`),
    shell("success 0", `seq ${number} 100000`),
    hang(`while :; do echo ${number}; done`),
    shell("success 0", `cat noise.bin access.log.gz # ${number}`),
    hang(`sleep 60 # ${number}`),
    shell(`success ${number + 3}`, `exit ${number + 3}`),
    hang(`i=0; while :; do i=$i$i${number}; done`),
    shell("success 0", `echo ${number}`),
  ];
}

/** The calls of one round where no program may be started. */
export function containedCallsOf(round: Round): readonly SoakCall[] {
  const reading = files(round).slice(0, -2);
  return dealt([contained(round), reading, requests(round), mistakes(round)]);
}
