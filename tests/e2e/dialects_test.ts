import { assertEquals } from "@std/assert";
import { obey } from "../cli/_obedient.ts";
import { type Reply, type ServedRequest, startModelServer } from "../model_server.ts";
import { inTempDir, PROGRAMS, rein } from "./_program.ts";

/** Lets the program ask a server that answers so. */
async function asked(
  program: (typeof PROGRAMS)[number],
  args: readonly string[],
  script: (request: ServedRequest, index: number) => Reply,
) {
  const server = startModelServer(script, { models: ["m"] });
  try {
    return await inTempDir(async (cwd) => {
      const place = ["--base-url", server.baseUrl, "--model", "m"];
      const { stdout, stderr, code } = await rein(program, [...args, ...place], { cwd });
      const plain = (text: string) => text.replaceAll(server.baseUrl, "BASE");
      return { code, stdout: plain(stdout), stderr: plain(stderr) };
    });
  } finally {
    await server.close();
  }
}

const THINKING = [
  { delta: { reasoning_content: "Well, " } },
  { delta: { reasoning_content: "yes." } },
  { delta: { content: "Yes." } },
  { delta: {}, finish_reason: "stop" },
];

function thinking(): Response {
  const events = THINKING.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  const headers = { "content-type": "text/event-stream" };
  return new Response(`${events.join("")}data: [DONE]\n\n`, { headers });
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  test("shows what the model thinks on stderr, where it is asked to", async () => {
    assertEquals(await asked(program, ["--reasoning", "is it so?"], thinking), {
      code: 0,
      stdout: "Yes.\n",
      stderr: "Well, yes.\n",
    });
    assertEquals((await asked(program, ["is it so?"], thinking)).stderr, "");
  });

  test("does a job with a model whose server takes no tools", async () => {
    const words = "registry.ollama.ai/library/m does not support tools";
    const task = "Calculate 48273 * 91827 with the tool calculate, and answer with the result.";
    assertEquals(
      await asked(
        program,
        [task],
        (request) =>
          request.body.tools === undefined
            ? obey(request, { inText: true })
            : Response.json({ error: { message: words } }, { status: 400 }),
      ),
      {
        code: 0,
        stdout: "4432764771\n",
        stderr: `rein: the server refused (${words}); tools are described in the prompt and ` +
          "called in plain text\n[Step 1/15] calculate 48273 * 91827 → = 4432764771\n",
      },
    );
  });

  test("examines a model, and exits by what it finds", async () => {
    const good = await asked(program, ["doctor"], (request) => obey(request));
    assertEquals([good.code, good.stdout.trimEnd().split("\n").at(-1)], [
      0,
      "m can do the job: 8 checks, none failed",
    ]);
    const bad = await asked(
      program,
      ["doctor", "-o", "json"],
      (request) => obey(request, { stubborn: true }),
    );
    assertEquals([bad.code, JSON.parse(bad.stdout).passed], [5, false]);
    assertEquals((await asked(program, ["doctor", "--nonsense"], () => ({}))).code, 2);
  });

  test("lists the models of a server", async () => {
    assertEquals(await asked(program, ["models"], () => ({})), {
      code: 0,
      stdout: "model  window        owner\nm      about 128000\n1 model at BASE\n",
      stderr: "",
    });
  });
}
