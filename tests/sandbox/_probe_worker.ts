/**
 * A worker that tries what no tool may do, and tells what came of each try.
 *
 * @module
 */

import process from "node:process";

/** What is tried, by name. */
export const PROBES: Readonly<Record<string, () => unknown>> = {
  "an environment variable": () => Deno.env.get("HOME"),
  "the whole environment": () => Object.keys(Deno.env.toObject()),
  "the environment by way of node": () => process.env["HOME"] ?? "nothing",
  "a program": () => new Deno.Command("true").outputSync(),
  "a signal": () => Deno.kill(process.pid, "SIGCONT"),
  "a file outside": () => Deno.readTextFileSync("/etc/hostname"),
  "a file to write": () => Deno.writeTextFileSync("/tmp/rein-probe", "x"),
  "a host": () => Deno.connect({ hostname: "127.0.0.1", port: 1 }),
  "a port": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  "a name": () => Deno.resolveDns("localhost", "A"),
  "a library": () => Deno.dlopen("/lib/libc.so.6", {}),
  "the system": () => Deno.hostname(),
  "code from elsewhere": () =>
    // deno-lint-ignore no-import-prefix -- it is not to be found
    import("https://127.0.0.1:1/x.ts").catch((error) => {
      throw /Requires import access/.test(error.message) ? denied() : error;
    }),
  "more permissions": async () => {
    if ((await Deno.permissions.request({ name: "env" })).state !== "granted") throw denied();
  },
};

function denied(): Error {
  return new Deno.errors.NotCapable("Not granted");
}

async function outcome(probe: () => unknown): Promise<string> {
  try {
    await probe();
    return "done";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

if ("WorkerGlobalScope" in globalThis) {
  const outcomes: Record<string, string> = {};
  for (const [name, probe] of Object.entries(PROBES)) outcomes[name] = await outcome(probe);
  (globalThis as unknown as { postMessage(value: unknown): void }).postMessage(outcomes);
}
