import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

/** Every module of the program with the modules of the program that it imports. */
type Graph = Map<string, readonly string[]>;

function modulesBelow(directory: string): string[] {
  return [...Deno.readDirSync(new URL(directory, ROOT))].flatMap((entry) => {
    if (entry.isDirectory) return modulesBelow(`${directory}${entry.name}/`);
    return entry.name.endsWith(".ts") ? [`${directory}${entry.name}`] : [];
  });
}

/** Imports that are there at run time, static ones and those where a module is first needed. */
function importsOf(module: string): string[] {
  const source = Deno.readTextFileSync(new URL(module, ROOT));
  const found = source.matchAll(
    /^(import|export)\b[^;]*? from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gms,
  );
  return [...found]
    .filter(([statement]) => !/^(import|export) type/.test(statement))
    .map(([, , fixed, lazy]) => new URL(fixed ?? lazy ?? "", new URL(module, ROOT)))
    .map((url) => fileURLToPath(url).slice(fileURLToPath(ROOT).length))
    .filter((path) => path.endsWith(".ts"));
}

const graph: Graph = new Map(
  ["main.ts", ...modulesBelow("lib/"), ...modulesBelow("tools/")]
    .map((module) => [module, importsOf(module)]),
);

function cycleFrom(module: string, path: readonly string[]): readonly string[] | null {
  if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
  for (const next of graph.get(module) ?? []) {
    const cycle = cycleFrom(next, [...path, module]);
    if (cycle) return cycle;
  }
  return null;
}

/** Imports from modules below one place to modules below another. */
function crossings(from: RegExp, to: RegExp): string[] {
  return [...graph].filter(([module]) => from.test(module))
    .flatMap(([module, imports]) =>
      imports.filter((name) => to.test(name)).map((name) => `${module} → ${name}`)
    );
}

Deno.test("no module imports itself through others", () => {
  assertEquals(cycleFrom("main.ts", []), null);
});

Deno.test("the loop and the pipelines import neither a face, nor a tool, nor the real world", () => {
  const inner =
    /^lib\/(loop|turn|stop|repetition|conversation|record|orphans|ending|result|types|events|ports|storage_ports|terminal_ports|audit_ports)\.ts$|^lib\/(answer|audit|messages|context|calls|results|model|policy|session|retrieval|undo)\//;
  assertEquals(crossings(inner, /^(lib\/(cli|real)\/|tools\/|main\.ts)/), []);
});

Deno.test("tools see only shapes, ports and what they are handed", () => {
  const allowed =
    /^lib\/(types|ports)\.ts$|^lib\/results\/(head_tail|characters|transcode)\.ts$|^tools\//;
  const seen = crossings(/^tools\//, /./).filter((line) =>
    !allowed.test(line.split(" → ")[1] ?? "")
  );
  assertEquals(seen, []);
});

Deno.test("only the entries, main.ts and the workers, build the real ports", () => {
  const users = crossings(/./, /^lib\/real\//).filter((line) => !line.startsWith("lib/real/"));
  assertEquals([...users.slice(0, 1), ...users.slice(1).toSorted()], [
    "main.ts → lib/real/ports.ts",
    "lib/sandbox/shell_worker.ts → lib/real/contained_shell.ts",
    "lib/sandbox/shell_worker.ts → lib/real/worker_ports.ts",
    "lib/sandbox/tool_worker.ts → lib/real/worker_ports.ts",
  ]);
});

// Packages with ES modules, or of which only the default is used.
const LAZY_PACKAGES: readonly string[] = [
  "@inquirer/prompts",
  "diff",
  "html-to-text",
  "jsonrepair",
  "just-bash",
  "re2js",
];

// The executable is bundled into several files, where a CommonJS package that is imported
// dynamically has no names. One that is heavy belongs into a module of ours that names it.
Deno.test("only packages that are ES modules are imported where they are first needed", () => {
  const packages = [...graph.keys()].flatMap((module) => {
    const source = Deno.readTextFileSync(new URL(module, ROOT));
    return [...source.matchAll(/\bimport\("([^."][^"]*)"\)/g)].map(([, name]) => name);
  });
  const own = packages.filter((name) => !name?.startsWith("node:"));
  assertEquals([...new Set(own)].toSorted(), LAZY_PACKAGES);
});

Deno.test("no source file has more than 400 lines", () => {
  const long = [...graph.keys()].filter((module) =>
    Deno.readTextFileSync(new URL(module, ROOT)).split("\n").length > 401
  );
  assertEquals(long, []);
});
