import { assertEquals } from "@std/assert";
import { generateLog } from "../../demo/log.ts";
import { calculate } from "../../tools/calculate/evaluate.ts";
import { compareHours, isFailure, type LogLine, parseLog, splitHours, timeOf } from "./_figures.ts";

interface RecordedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

interface RecordedTurn {
  readonly text: string;
  readonly calls?: readonly RecordedCall[];
  readonly finish_reason: string;
}

const LOG = generateLog();
const LINES = parseLog(LOG);
const HOURS = splitHours(LINES);
const COMPARISONS = compareHours(LINES);

const RECORDING = await Deno.readTextFile(new URL("../../demo/demo.jsonl", import.meta.url));
const [HEADER, ...TURNS] = RECORDING.trimEnd().split("\n").map((line) => JSON.parse(line));
const CALLS = (TURNS as RecordedTurn[]).flatMap(({ calls = [] }) => calls);
const COMMANDS = CALLS.filter(({ name }) => name === "run_shell")
  .map((call) => String(call.arguments.command));

/** What the recorded commands may run; each of them only reads. */
const READING = ["tail", "head", "grep", "cut", "tr", "sort", "uniq"];

Deno.test("demo.jsonl is a recording of six turns that says so", () => {
  assertEquals(HEADER.recording, "rein-recording/1");
  const reasons = (TURNS as RecordedTurn[]).map((turn) => turn.finish_reason);
  assertEquals(reasons, ["calls", "calls", "calls", "calls", "calls", "stop"]);
});

Deno.test("demo.jsonl uses five tools", () => {
  assertEquals([...new Set(CALLS.map(({ name }) => name))], [
    "list_files",
    "run_shell",
    "search_files",
    "calculate",
    "read_file",
  ]);
});

Deno.test("demo.jsonl runs plain pipelines of programs that read", () => {
  const unquoted = COMMANDS.map((command) => command.replaceAll(/'[^']*'/g, "''"));
  assertEquals(unquoted.filter((command) => /[^\w\s|.,:'-]/.test(command)), []);
  const programs = unquoted.flatMap((command) => command.split("|"))
    .map((stage) => stage.trim().split(" ")[0] ?? "");
  assertEquals(programs.filter((program) => !READING.includes(program)), []);
});

Deno.test("demo.jsonl answers with the figures of the log", () => {
  const answer = (TURNS as RecordedTurn[]).at(-1)?.text;
  assertEquals(answer, renderAnswer());
});

Deno.test("demo.jsonl calculates with the figures of the log", () => {
  const all = byClass(HOURS.lastHour);
  const before = byClass(HOURS.hourBefore);
  const [top] = COMPARISONS;
  const expressions = CALLS.filter(({ name }) => name === "calculate")
    .map((call) => String(call.arguments.expression));
  assertEquals(expressions, [
    `round(100 * ${all.get("5")} / (${[...all.values()].join(" + ")}), 1)`,
    `round(100 * ${before.get("5")} / (${[...before.values()].join(" + ")}), 1)`,
    `round(100 * ${top?.lastHour} / ${all.get("5")}, 1)`,
  ]);
  assertEquals(
    expressions.map(calculate).map((result) => result.ok && result.value),
    [percent(HOURS.lastHour), percent(HOURS.hourBefore), share(checkoutFailures().length)],
  );
});

Deno.test("demo.jsonl's commands print the figures that the answer relies on", async () => {
  const counts = (key: "lastHour" | "hourBefore") =>
    COMPARISONS.map((row) => [row[key], row.endpoint.replaceAll(":id", "#")] as const)
      .filter(([count]) => count > 0);
  assertEquals(await runRecorded(), [
    LOG.split("\n").slice(-4, -1),
    counts("lastHour").slice(0, 5).map(([count, name]) => `${count} ${name}`),
    counts("hourBefore").toSorted(mostFirst).map(([count, name]) => `${count} ${name}`),
    [...byClass(HOURS.lastHour)].map(([digit, count]) => `${count} ${digit}`),
    [...byClass(HOURS.hourBefore)].map(([digit, count]) => `${count} ${digit}`),
    [...tenMinutes(checkoutFailures())].map(([time, count]) => `${count} ${time}`),
  ]);
});

Deno.test("demo.jsonl searches for the first failure and reads the lines around it", () => {
  const search = CALLS.find(({ name }) => name === "search_files");
  const read = CALLS.find(({ name }) => name === "read_file");
  const pattern = new RegExp(String(search?.arguments.pattern));
  const found = LOG.split("\n").findIndex((line) => pattern.test(line)) + 1;
  assertEquals(found, onset().number);
  const lines = LINES.slice(
    Number(read?.arguments.start_line) - 1,
    Number(read?.arguments.end_line),
  );
  assertEquals(lines.filter(isFailure).map(timeOf), [timeOf(paymentOnset()), timeOf(onset())]);
});

Deno.test("demo.jsonl says truly how checkouts and payments fail", () => {
  const failures = [...checkoutFailures(), ...paymentFailures()];
  assertEquals(failures.filter(({ seconds }) => Math.round(seconds) !== 3), []);
  assertEquals(failures.filter(({ status }) => status !== 502), []);
  assertEquals(timeOf(checkoutFailures().at(-1) ?? onset()).slice(0, 5), "14:41");
});

/** The answer as it must be, every figure taken from the log. */
function renderAnswer(): string {
  const { lastHour, hourBefore } = HOURS;
  const rows = COMPARISONS.slice(0, 5).map((row) => {
    const change = row.lastHour - row.hourBefore;
    const signed = change > 0 ? `+${change}` : `${change}`;
    return `| \`${row.endpoint}\` | ${row.lastHour} | ${row.hourBefore} | ${signed} |`;
  });
  const checkout = checkoutFailures();
  const during = checkout.filter(({ number }) => number >= onset().number);
  return [
    `Counted back from the log's last entry (${LINES.slice(-1).map(timeOf)} UTC), ` +
    `**${lastHour.filter(isFailure).length} requests failed with a 5xx in the last hour ` +
    `(${percent(lastHour)}% of all)**, against ${hourBefore.filter(isFailure).length} ` +
    `(${percent(hourBefore)}%) in the hour before.`,
    "",
    "| Endpoint | Last hour | Hour before | Change |",
    "|:---|---:|---:|---:|",
    ...rows,
    "",
    `**What stands out:** \`POST /api/checkout\` alone is ${share(checkout.length)}% of it. ` +
    `${during.length} of its ${checkout.length} failures are 502s from ${timeOf(onset())} ` +
    `(line ${onset().number}) to the end of the log, each after about 3 s, as when a service ` +
    `behind it cannot be reached. Payment confirmations began to fail in the same way at ` +
    `${timeOf(paymentOnset())}, so look at the payment service first. Report exports and search ` +
    `failed more often in the hour before: a separate matter.`,
  ].join("\n");
}

function percent(lines: readonly LogLine[]): string {
  return String(Math.round(1_000 * lines.filter(isFailure).length / lines.length) / 10);
}

function share(count: number): string {
  return String(Math.round(1_000 * count / HOURS.lastHour.filter(isFailure).length) / 10);
}

function checkoutFailures(): readonly LogLine[] {
  return HOURS.lastHour.filter(isFailure)
    .filter(({ endpoint }) => endpoint === "POST /api/checkout");
}

function paymentFailures(): readonly LogLine[] {
  return HOURS.lastHour.filter(isFailure)
    .filter(({ endpoint }) => endpoint === "POST /api/payments/:id/confirm");
}

/** The first failed checkout that others follow within a minute. */
function onset(): LogLine {
  return firstOfSeries(checkoutFailures());
}

function paymentOnset(): LogLine {
  return firstOfSeries(paymentFailures());
}

function firstOfSeries(failures: readonly LogLine[]): LogLine {
  const found = failures.find(({ atMs }, index) =>
    (failures[index + 1]?.atMs ?? Infinity) - atMs < 60_000
  );
  if (found === undefined) throw new RangeError("No failures follow each other within a minute");
  return found;
}

/** Requests by the first digit of their status, in its order. */
function byClass(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(lines, ({ status }) => String(status).slice(0, 1));
  return new Map(
    [...groups].map(([digit, group]) => [digit, group.length] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

/** Requests by ten minutes, such as `14:0`, in the order of time. */
function tenMinutes(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(lines, (line) => timeOf(line).slice(0, 4));
  return new Map([...groups].map(([time, group]) => [time, group.length]));
}

function mostFirst(a: readonly [number, string], b: readonly [number, string]): number {
  return b[0] - a[0] || (a[1] < b[1] ? 1 : -1);
}

/** The lines that each recorded command prints, without the spaces around them. */
async function runRecorded(): Promise<string[][]> {
  const cwd = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${cwd}/access.log`, LOG);
    return await Promise.all(COMMANDS.map((command) => runBash(command, cwd)));
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

async function runBash(command: string, cwd: string): Promise<string[]> {
  const bash = new Deno.Command("bash", { args: ["-c", command], cwd, env: { LC_ALL: "C" } });
  const { code, stdout, stderr } = await bash.output();
  assertEquals({ code, stderr: new TextDecoder().decode(stderr) }, { code: 0, stderr: "" });
  return new TextDecoder().decode(stdout).trimEnd().split("\n").map((line) => line.trim());
}
