import { assertEquals } from "@std/assert";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";

/** A collector on loopback, with the names of the spans that came. */
function startCollector(status = 200) {
  const names: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { resourceSpans } = await request.json();
      for (const { scopeSpans } of resourceSpans) {
        for (const { spans } of scopeSpans) {
          names.push(...spans.map(({ name }: { name: string }) => name));
        }
      }
      return new Response("{}", { status });
    },
  );
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  };
  return { env, names, close: () => server.shutdown() };
}

const LIST = { calls: [{ name: "list_files", arguments: { path: "." } }] };

for (const program of PROGRAMS) {
  Deno.test(`${program.name}: a run sends its spans where the environment names a collector`, async () => {
    const collector = startCollector();
    try {
      await inTempDir(async (cwd) => {
        const model = await recording(cwd, [LIST, { text: "One file." }]);
        const args = ["--no-session", "--model", model, "What is here?"];
        const { code, stdout } = await rein(program, args, { cwd, env: collector.env });
        const chat = `chat ${model}`;
        assertEquals([code, stdout, collector.names], [0, "One file.\n", [
          ...[chat, "execute_tool list_files", "step 1", chat, "step 2", "invoke_agent rein"],
        ]]);
      });
    } finally {
      await collector.close();
    }
  });
}

Deno.test("a collector that refuses or is not there is a note, and changes nothing", async () => {
  const collector = startCollector(503);
  try {
    await inTempDir(async (cwd) => {
      const [program] = PROGRAMS;
      if (program === undefined) throw new TypeError("No program");
      const model = await recording(cwd, [{ text: "Hello." }]);
      const args = ["--no-session", "--model", model, "Hello?"];
      const gone = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
      const wrong = { ...gone, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
      const ends = [];
      for (const env of [collector.env, gone, wrong]) {
        const { code, stdout, stderr } = await rein(program, args, { cwd, env });
        const notes = stderr.split("\n").filter((line) => line.includes("spans"));
        ends.push([code, stdout, notes.length]);
      }
      assertEquals(ends, [[0, "Hello.\n", 1], [0, "Hello.\n", 1], [0, "Hello.\n", 1]]);
    });
  } finally {
    await collector.close();
  }
});
