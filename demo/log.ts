/**
 * Writes the web server's log that the demo asks about: nginx's combined
 * format with the request time at the end, four hours of a shop whose payment
 * service goes down 35 minutes before the log ends. Every call gives the same
 * bytes: the randomness is seeded, and only operations that every engine
 * computes alike are used.
 *
 * @module
 */

import { AGENTS, type Failure, PROBES, type Route, ROUTES, WORDS } from "./traffic.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const DAY = "10/Mar/2026";
const END_MS = Date.UTC(2026, 2, 10, 14, 42);
const START_MS = END_MS - 240 * MINUTE;
const INCIDENT_MS = END_MS - 35 * MINUTE + 12 * SECOND;

/** How much more often what fails is asked for: people and programs try again. */
const RETRY_FACTOR = 2;

const SEED = 1234;
const CLIENTS = 400;
const MEAN_GAP_MS = 660;

/** A source of numbers from 0 up to, not including, 1. */
type Random = () => number;

interface Entry {
  readonly atMs: number;
  readonly address: string;
  readonly request: string;
  readonly status: number;
  readonly bytes: number;
  readonly referrer: string;
  readonly agent: string;
  readonly seconds: number;
}

interface Client {
  readonly address: string;
  readonly agent: string;
}

/**
 * The whole log: about 4 MB, ASCII, one request a line, each line ended by LF,
 * in the order of time, from 10:42:00 to 14:41:59 UTC.
 */
export function generateLog(): string {
  const random = createRandom(SEED);
  const entries = [...shopping(random), ...healthChecks(random), ...scans(random)];
  return entries.sort((a, b) => a.atMs - b.atMs).map(formatEntry).join("");
}

function* shopping(random: Random): Generator<Entry> {
  const clients = Array.from({ length: CLIENTS }, () => createClient(random));
  for (let atMs = START_MS; atMs < END_MS; atMs += between(random, 1, 2 * MEAN_GAP_MS)) {
    yield visit(pickRoute(random, atMs), pick(random, clients), { random, atMs });
  }
}

function visit(
  route: Route,
  { address, agent }: Client,
  { random, atMs }: { readonly random: Random; readonly atMs: number },
): Entry {
  const path = fill(route.path, random);
  const failure = pickFailure(route, random, atMs);
  const status = failure?.status ?? pickStatus(route, random);
  return {
    atMs,
    address,
    agent,
    request: `${route.method} ${path} HTTP/1.1`,
    status,
    bytes: failure ? 157 : status === 304 ? 0 : between(random, ...route.bytes),
    referrer: route.path === "/" || agent.startsWith("shop-app") ? "-" : "https://shop.example/",
    seconds: failure ? failure.seconds + random() * 0.02 : slowed(route.seconds, random),
  };
}

/** Two balancers ask every ten seconds, the last time in the log's last second. */
function* healthChecks(random: Random): Generator<Entry> {
  for (let atMs = START_MS + 9 * SECOND + 900; atMs < END_MS; atMs += 10 * SECOND) {
    for (const address of ["192.0.2.11", "192.0.2.12"]) {
      const agent = "ELB-HealthChecker/2.0";
      const request = "GET /healthz HTTP/1.1";
      const seconds = slowed(0.001, random);
      yield { atMs, address, agent, request, status: 200, bytes: 2, referrer: "-", seconds };
    }
  }
}

function* scans(random: Random): Generator<Entry> {
  for (let startMs = START_MS; startMs < END_MS; startMs += between(random, 5, 14) * MINUTE) {
    const address = `198.51.100.${between(random, 1, 254)}`;
    for (let tried = 0, atMs = startMs; tried < 12 && atMs < END_MS; tried += 1) {
      const { request, status } = pick(random, PROBES);
      const agent = status === 404 ? "Mozilla/5.0 zgrab/0.x" : "-";
      yield { atMs, address, agent, request, status, bytes: 150, referrer: "-", seconds: 0 };
      atMs += between(random, 50, 900);
    }
  }
}

function pickRoute(random: Random, atMs: number): Route {
  const weigh = (route: Route) => {
    const retried = inIncident(atMs) && route.incident !== undefined;
    return route.weight * (retried ? RETRY_FACTOR * route.incident.share + 1 : 1);
  };
  const total = ROUTES.reduce((sum, route) => sum + weigh(route), 0);
  let left = random() * total;
  return ROUTES.find((route) => (left -= weigh(route)) < 0) ?? pick(random, ROUTES);
}

function pickFailure(route: Route, random: Random, atMs: number): Failure | undefined {
  const failure = inIncident(atMs) ? route.incident ?? route.failing : route.failing;
  return failure !== undefined && random() < failure.share ? failure : undefined;
}

function inIncident(atMs: number): boolean {
  return atMs >= INCIDENT_MS;
}

function pickStatus(route: Route, random: Random): number {
  const { refused } = route;
  return refused !== undefined && random() < refused.share ? refused.status : route.status;
}

function fill(path: string, random: Random): string {
  return path
    .replace("{id}", () => String(between(random, 1_000, 99_999)))
    .replace("{word}", () => pick(random, WORDS));
}

/** Most requests take about as long as usual, a few much longer. */
function slowed(seconds: number, random: Random): number {
  const luck = random();
  const luck4 = luck * luck * luck * luck;
  return seconds * (0.6 + 0.6 * random() + 4 * luck4 * luck4);
}

function createClient(random: Random): Client {
  const address = `203.0.113.${between(random, 1, 254)}`;
  return { address, agent: pick(random, AGENTS) };
}

function formatEntry(entry: Entry): string {
  const { address, request, status, bytes, referrer, agent } = entry;
  const time = `${DAY}:${new Date(entry.atMs).toISOString().slice(11, 19)} +0000`;
  const seconds = entry.seconds.toFixed(3);
  return `${address} - - [${time}] "${request}" ${status} ${bytes} "${referrer}" "${agent}" ${seconds}\n`;
}

function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new RangeError("Cannot pick from an empty list");
  return item;
}

/** A whole number, both ends included. */
function between(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** The well-known mulberry32: small, fast, and good enough for a demo. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
