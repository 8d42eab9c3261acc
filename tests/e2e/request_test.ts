import { assertEquals } from "@std/assert";
import { inTempDir, PROGRAMS, recording } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

/** Serves one page on loopback while the work is done. */
async function serving(work: (url: string) => Promise<void>): Promise<string[]> {
  const asked: string[] = [];
  const stop = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {}, signal: stop.signal };
  const server = Deno.serve(options, (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    const headers = { "content-type": "text/html; charset=utf-8" };
    return new Response("<h1>状态</h1><script>x()</script><p>All <b>good</b>.</p>", { headers });
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}/status`);
    return asked;
  } finally {
    stop.abort();
    await server.finished;
  }
}

/** The data of the only call of a run that a person approves. */
async function approved(
  program: (typeof PROGRAMS)[number],
  call: unknown,
): Promise<Record<string, unknown>> {
  let data = {};
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, [{ calls: [call] }, { text: "Done." }]);
    const pty = new Pty(program, ["-m", model, "-o", "jsonl", "go"], { cwd });
    await pty.waitFor("Allow it? ");
    await pty.type("y\r");
    const { screen } = await pty.end();
    const line = screen.split(/\r?\n/).find((text) => text.includes('"type":"call_finished"'));
    data = JSON.parse(line?.slice(line.indexOf("{")) ?? "{}").observation?.data;
  });
  return data;
}

for (const program of PROGRAMS) {
  Deno.test({
    name: `rein (${program.name}) asks a server, once a person lets it, and reads its page`,
    ignore: NO_PTY !== null,
    fn: async () => {
      const asked = await serving(async (url) => {
        const data = await approved(program, { name: "http_request", arguments: { url } });
        const { status, body_kind, body } = data;
        assertEquals([status, body_kind, body], [200, "html", "状态\n\nAll good."]);
      });
      assertEquals(asked, ["GET /status"]);
    },
  });

  Deno.test({
    name: `rein (${program.name}) waits for a server that is there`,
    ignore: NO_PTY !== null,
    fn: async () => {
      const asked = await serving(async (url) => {
        const args = { url, contains: "good" };
        const { met, attempts } = await approved(program, { name: "wait_for", arguments: args });
        assertEquals([met, attempts], [true, 1]);
      });
      assertEquals(asked, ["GET /status"]);
    },
  });
}
