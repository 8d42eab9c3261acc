/**
 * A machine room in a few lines: a tool whose results are as long and as different as real ones.
 *
 * @module
 */

import type { Tool } from "../../lib/types.ts";
import { fakeTool } from "../fakes.ts";

/** What only the fifth host says. */
export const NOTE = "gate-kestrel rotates its deploy key at 04:17 by job amber-lantern";

/** Numbers that look random and are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const PLACES = ["/var/log", "/srv/www", "/opt/app", "/home/deploy", "/var/lib/docker"];

/** Lines such as a host prints, up to a number of characters. */
export function hostOutput(host: number, chars: number): string {
  const random = randomFrom(host);
  const lines = [`host-${host} up ${Math.floor(random() * 400)} days`];
  for (let length = 0; length < chars;) {
    const place = PLACES[Math.floor(random() * PLACES.length)];
    const line = `${place}/part-${Math.floor(random() * 9999)} ${
      Math.floor(random() * 100)
    }% used ${Math.floor(random() * 1e6)} kB, ${random() < 0.02 ? "error: read failed" : "clean"}`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n");
}

/** A tool that looks at a host; `{"host": 5}`. */
export function probeTool(chars: (host: number) => number): Tool {
  return fakeTool({
    name: "probe",
    description: "Looks at a host: how long it is up, what its disks hold.",
    parameters: {
      type: "object",
      properties: { host: { type: "number", description: "Its number." } },
      required: ["host"],
      additionalProperties: false,
    },
    brief: ({ host }) => `host-${host}`,
    run: ({ host }) => {
      const number = Number(host);
      const note = number === 5 ? `\nNOTE: ${NOTE}` : "";
      const stdout = hostOutput(number, chars(number)) + note;
      return Promise.resolve({ ok: true, data: { stdout }, summary: "looked" });
    },
  });
}
