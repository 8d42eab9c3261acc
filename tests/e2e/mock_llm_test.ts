/**
 * rein against a mock server that others wrote and keep: `@dwmkerr/mock-llm` (MIT; 36 kB of its
 * own, Express and others beneath). It says what it says, not what our own test server does: errors
 * come as a stream with status 200, for one.
 *
 * Deno fetches it from the npm registry when it is first run; where that can't be done, these tests
 * are left out, and say why.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { inTempDir, PROGRAMS, rein } from "./_program.ts";

const MOCK = "npm:@dwmkerr/mock-llm@0.1.29";

/** Time to fetch and start it, in milliseconds. */
const START_MS = 60_000;

const CONFIG = String.raw`
streaming: {chunkSize: 7, chunkIntervalMs: 1}
rules:
  - path: "/v1/chat/completions"
    match: "contains(to_string(body.messages), 'hello')"
    response:
      status: 200
      content: '{"id": "c1", "model": "m", "choices": [{"message": {"role": "assistant", "content": "你好，世界 😀. Hi there!"}, "finish_reason": "stop"}]}'
  - path: "/v1/chat/completions"
    match: "contains(to_string(body.messages), 'error-401')"
    response:
      status: 401
      content: '{"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}}'
  - path: "/v1/models"
    response:
      status: 200
      content: '{"data": [{"id": "mock-1", "object": "model"}]}'
`;

interface Mock {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** A port of loopback that was free a moment ago. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Waits for a line of output; false if it ends first, or takes too long. */
async function says(output: ReadableStream<Uint8Array>, words: string): Promise<boolean> {
  let said = "";
  try {
    const reading = output.pipeThrough(new TextDecoderStream());
    for await (const text of reading.values({ preventCancel: true })) {
      said += text;
      if (said.includes(words)) return true;
    }
  } catch {
    // It was ended.
  }
  return false;
}

/** Starts the mock server; null, with a printed reason, where it can't be had. */
async function startMock(directory: string): Promise<Mock | null> {
  const port = freePort();
  await Deno.writeTextFile(`${directory}/mock.yaml`, CONFIG);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-lock", "-A", MOCK, "--config", `${directory}/mock.yaml`],
    cwd: directory,
    // How to reach the registry is a matter of the machine's environment.
    env: { PORT: String(port), HOST: "127.0.0.1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const late = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const started = await says(child.stdout, "server running");
  clearTimeout(late);
  const stop = async () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await child.status;
  };
  if (started) return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
  await stop();
  console.log(`Skipped: the tests against ${MOCK}, since it can't be fetched or started`);
  return null;
}

Deno.test("rein understands a mock server that others wrote", async () => {
  await inTempDir(async (directory) => {
    const mock = await startMock(directory);
    if (mock === null) return;
    try {
      for (const program of PROGRAMS) {
        const ask = (...args: string[]) =>
          rein(program, ["-q", "-o", "json", "--base-url", mock.baseUrl, ...args]);
        const answered = JSON.parse((await ask("-m", "m", "hello")).stdout);
        const found = JSON.parse((await ask("hello")).stdout);
        const refused = JSON.parse((await ask("-m", "m", "error-401")).stdout);
        assertEquals(
          [answered.answer, answered.usage.estimated, found.model.name, refused.error],
          ["你好，世界 😀. Hi there!", true, "mock-1", {
            code: "unauthorized",
            message: `The model server at ${mock.baseUrl} sent an error: Incorrect API key ` +
              "provided.",
            hint: "Set OPENAI_API_KEY, or pass --env-file FILE with it.",
          }],
        );
      }
    } finally {
      await mock.stop();
    }
  });
});
