import { assertEquals } from "@std/assert";
import { type ModelServer, startModelServer } from "../model_server.ts";
import { processesIn, type ProcessState, stateOf } from "./_process_state.ts";
import { ended, inTempDir, LOCKED, type Program, PROGRAMS, start } from "./_program.ts";
import {
  answerSoak,
  callsOf,
  containedCallsOf,
  type Round,
  SOAK_POLICY,
  type SoakCall,
  writeSoakFiles,
} from "./_soak_calls.ts";

/** Calls of one turn: neighbours that only read run at the same time. */
const CALLS_A_TURN = 6;

/**
 * Memory that half a run may add, in megabytes. Source: measured are up to 50, most of it the
 * conversation and what V8 has not collected yet; keeping the floods would add 200.
 */
const MAX_GROWTH_MB = 100;

/** Memory that a run may take at its height, in megabytes. Source: measured are 240 to 370. */
const MAX_PEAK_MB = 600;

/** Outputs that a run keeps at the most, each of them an open file. */
const MAX_SPILLS = 64;

/** A soak: who is soaked in what. */
interface Soak {
  readonly program: Program;
  readonly calls: number;
  readonly args: readonly string[];
  callsOf(round: Round): readonly SoakCall[];
}

/** What a soak came to. */
interface Soaked {
  readonly code: number;
  /** How each call ended that ended otherwise than it should. */
  readonly wrong: readonly string[];
  readonly middle: ProcessState;
  readonly end: ProcessState;
  /** Processes that outlived the run. */
  readonly left: readonly string[];
  /** Files in the working directory that nobody was allowed to make. */
  readonly strange: readonly string[];
  /** Kept outputs that still have a name. */
  readonly spills: readonly string[];
}

/** A server that breaks off is not a failure of the test. */
function startSite(): Deno.HttpServer<Deno.NetAddr> {
  const onError = () => new Response(null, { status: 500 });
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {}, onError }, answerSoak);
}

function allCalls({ calls, callsOf }: Soak, site: string): SoakCall[] {
  const all: SoakCall[] = [];
  // Seconds that no other process sleeps.
  const sleeper = `sleep ${8200 + (Deno.pid % 1000) / 1000}`;
  for (let number = 0; all.length < calls; number++) {
    all.push(...callsOf({ number, sleeper, site }));
  }
  return all.slice(0, calls);
}

function inTurns(calls: readonly SoakCall[]): SoakCall[][] {
  const turns = Math.ceil(calls.length / CALLS_A_TURN);
  return Array.from(
    { length: turns },
    (_, index) => calls.slice(index * CALLS_A_TURN, (index + 1) * CALLS_A_TURN),
  );
}

/** A model, and which of its requests each turn was the answer to: some are for a summary. */
interface SoakModel extends ModelServer {
  readonly asked: readonly number[];
}

/** A model that proposes these turns, and looks at rein in the middle and at the end of them. */
function startModel(
  turns: readonly (readonly SoakCall[])[],
  look: () => Promise<void>,
): SoakModel {
  const middle = Math.floor(turns.length / 2);
  const asked: number[] = [];
  const server = startModelServer(async ({ body }, request) => {
    if (body.tools === undefined) return { text: '{"facts": []}' };
    const index = asked.push(request) - 1;
    // Rein has nothing else to do until it is answered.
    if (index === middle || index === turns.length + 1) await look();
    const turn = turns[index];
    if (turn !== undefined) {
      return { calls: turn.map(([, name, args]) => ({ name, arguments: args })) };
    }
    // The last call is one that nobody denies: right after a denial no run ends well.
    if (index > turns.length) return { text: "Done." };
    return { calls: [{ name: "todo", arguments: { action: "list" } }] };
  });
  return { ...server, asked };
}

interface FinishedEvent {
  readonly type: string;
  readonly call_id: string;
  readonly observation: {
    readonly status: string;
    readonly data: { readonly exit_code?: number } | null;
    readonly error: { readonly code: string } | null;
  };
}

function endOf({ observation: { status, data, error } }: FinishedEvent): string {
  const detail = status === "timeout" ? undefined : data?.exit_code ?? error?.code;
  return detail === undefined ? status : `${status} ${detail}`;
}

/** Compares how calls ended with how they should have, by their ids. */
function wrongEnds(
  stdout: string,
  turns: readonly (readonly SoakCall[])[],
  asked: readonly number[],
): string[] {
  const events: FinishedEvent[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const finished = events.filter(({ type }) => type === "call_finished");
  const ends = new Map(finished.map((event) => [event.call_id, endOf(event)]));
  return turns.flatMap((turn, number) =>
    turn.flatMap(([wanted, tool, args], index) => {
      const seen = ends.get(`call_${asked[number]}_${index}`) ?? "not run";
      return seen === wanted ? [] : [`${tool} ${JSON.stringify(args)}: ${seen}, not ${wanted}`];
    })
  );
}

async function namedSpills(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir("/tmp"));
  return entries.map(({ name }) => name).filter((name) => /^rein-[\da-f]{8}-[-\da-f]+$/.test(name));
}

async function run(soak: Soak, cwd: string): Promise<Soaked> {
  await writeSoakFiles(cwd);
  const names = async () => (await Array.fromAsync(Deno.readDir(cwd))).map(({ name }) => name);
  const before = await names();
  const spillsBefore = await namedSpills();
  const site = startSite();
  const turns = inTurns(allCalls(soak, `http://127.0.0.1:${site.addr.port}`));
  const states: ProcessState[] = [];
  const server = startModel(turns, async () => void states.push(await stateOf(child.pid)));
  const settings = ["--base-url", server.baseUrl, "-m", "m", "--max-steps", "1000", "-o", "jsonl"];
  const child = start(soak.program, [...settings, ...soak.args, "soak"], { cwd });
  const { code, stdout } = await ended(child);
  const left = await processesIn(cwd);
  await Promise.all([server.close(), site.shutdown()]);
  const [middle, end] = states;
  if (middle === undefined || end === undefined) throw new Error("The run ended early");
  return {
    code,
    wrong: wrongEnds(stdout, turns, server.asked),
    middle,
    end,
    left,
    strange: (await names()).filter((name) => !before.includes(name)),
    spills: (await namedSpills()).filter((name) => !spillsBefore.includes(name)),
  };
}

function soakTest(law: string, soak: Soak): void {
  Deno.test(`rein (${soak.program.name}) ${law}`, () =>
    inTempDir(async (cwd) => {
      await Deno.writeTextFile(`${cwd}/policy.yaml`, SOAK_POLICY);
      const { middle, end, ...rest } = await run(soak, cwd);
      assertEquals(rest, { code: 0, wrong: [], left: [], strange: [], spills: [] });
      assertEquals(
        [end.files, end.workers, end.children, end.spills <= MAX_SPILLS],
        [middle.files, middle.workers, [], true],
      );
      const growthMb = end.rssMb - middle.rssMb;
      assertEquals(
        [growthMb <= MAX_GROWTH_MB || growthMb, end.peakMb <= MAX_PEAK_MB || end.peakMb],
        [
          true,
          true,
        ],
      );
    }));
}

for (const program of PROGRAMS) {
  const args = ["--policy", "policy.yaml"];
  soakTest("is after 500 mixed calls what it was before", { program, calls: 500, args, callsOf });
}

if (LOCKED !== null) {
  const soak = {
    program: LOCKED,
    calls: 100,
    args: ["--policy", "policy.yaml"],
    callsOf: containedCallsOf,
  };
  soakTest("is after 100 mixed calls what it was before", soak);
}
