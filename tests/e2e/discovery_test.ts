import { assertEquals, assertMatch } from "@std/assert";
import { LOCAL_SERVERS } from "../../lib/model/discover.ts";
import { type ModelServer, startModelServer } from "../model_server.ts";
import { type Program, PROGRAMS, rein } from "./_program.ts";

/** A server at a usual port of this machine, or null (and a printed reason) if one is in use. */
function startLocal(program: string): ModelServer | null {
  const server = LOCAL_SERVERS.find((known) => known.program === program);
  const port = Number(new URL(server?.baseUrl ?? "").port);
  try {
    return startModelServer(() => ({ text: "ok" }), {
      port,
      models: ["nomic-embed-text", "qwen3:8b"],
    });
  } catch {
    console.log(`Skipped: a test of finding a server, since port ${port} is in use`);
    return null;
  }
}

async function anyServer(): Promise<boolean> {
  const connects = LOCAL_SERVERS.map(async ({ baseUrl }) => {
    const port = Number(new URL(baseUrl).port);
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      return false;
    }
  });
  return (await Promise.all(connects)).includes(true);
}

async function findsServer(program: Program): Promise<void> {
  const server = startLocal("LM Studio");
  if (server === null) return;
  try {
    const { code, stdout, stderr } = await rein(program, ["hi"]);
    assertEquals([code, stdout], [0, "ok\n"]);
    assertEquals(
      stderr,
      `rein: found a server at the port of LM Studio: ${server.baseUrl}, model qwen3:8b\n`,
    );
  } finally {
    await server.close();
  }
}

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) takes a server of this machine and says which`, () =>
    findsServer(program));

  Deno.test(`rein (${program.name}) names the ways to set a model where there is none`, async () => {
    if (await anyServer()) {
      return console.log("Skipped: a test without a model server, since one runs on this machine");
    }
    const { code, stdout, stderr } = await rein(program, ["hi"]);
    assertEquals([code, stdout, stderr.split("\n").length], [5, "", 2]);
    assertMatch(stderr, /--base-url URL --model NAME.*OPENAI_API_KEY.*ollama, llama\.cpp/);
  });
}
