import { assertEquals, assertRejects } from "@std/assert";
import type { TransportEvents } from "../../lib/delegate/types.ts";
import { HttpTransport } from "../../lib/delegate/http_transport.ts";
import { fakePorts, NEVER } from "../fakes.ts";
import {
  agentAt,
  type Answers,
  failureOf,
  HastyClock,
  meet,
  pending,
  RESULT,
  result,
  TASK,
} from "./_agents.ts";

const UNHEARD: TransportEvents = { accepted: () => {} };

/** What a failing agent is told apart by. */
function sent(answers: Answers, how: Parameters<typeof meet>[2] = {}) {
  return meet(answers, ({ transport }) => failureOf(transport.send(TASK, UNHEARD, NEVER)), how);
}

/** A connection that is cut once the request has arrived. */
function cut(): Response {
  return new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(new Error("cut"));
      },
    }),
  );
}

Deno.test("send() posts the envelope and brings the result", async () => {
  await meet([() => result()], async ({ transport, received, clock }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(received, [{
      line: "POST /tasks",
      prefer: "wait=25",
      authorization: null,
      body: JSON.stringify(TASK),
    }]);
    assertEquals(clock.waits, []);
  });
});

Deno.test("send() polls after 202, within bounds, at the address that it is told", async () => {
  const answers: Answers = [
    () => pending({ status_url: "/elsewhere/t-1", poll_after_ms: 1 }),
    () => pending({ poll_after_ms: 60_000 }, { location: "/third" }),
    () => pending({ poll_after_ms: "soon" }),
    () => result(),
  ];
  await meet(answers, async ({ transport, received, clock, url }) => {
    const told: (string | null)[] = [];
    const events = { accepted: (status: string | null) => void told.push(status) };
    assertEquals(await transport.send(TASK, events, NEVER), RESULT);
    assertEquals(received.map(({ line, prefer }) => [line, prefer]), [
      ["POST /tasks", "wait=25"],
      ["GET /elsewhere/t-1", "wait=25"],
      ["GET /third", "wait=25"],
      ["GET /third", "wait=25"],
    ]);
    assertEquals(told, [new URL("/elsewhere/t-1", url).href]);
    assertEquals(clock.waits, [100, 10_000, 1_000]);
  });
});

Deno.test("send() asks at the default address where a 202 says nothing", async () => {
  const answers: Answers = [() => new Response(null, { status: 202 }), () => result()];
  await meet(answers, async ({ transport, received }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), ["POST /tasks", "GET /tasks/t-1"]);
  });
});

Deno.test("send() never follows a redirect or a status address to another server", async () => {
  assertEquals(await sent([() => Response.redirect("http://127.0.0.1:1/x", 307)]), [
    "bad_result",
    'Agent "orders" answered 307 Temporary Redirect: it redirects to http://127.0.0.1:PORT/x, ' +
    "which is not followed; correct its address",
    false,
  ]);
  assertEquals(await sent([() => pending({ status_url: "http://127.0.0.1:1/x" })]), [
    "bad_result",
    'Agent "orders" gave no result: it names http://127.0.0.1:PORT/x to ask at, which is not its ' +
    "own address",
    false,
  ]);
});

Deno.test("send() refuses what is no result of the task", async () => {
  const html = { headers: { "content-type": "text/html" } };
  const wrong: readonly (() => Response)[] = [
    () => result({ ...RESULT, task_id: "t-2" }),
    () => pending({ task_id: "t-2" }),
    () => Response.json({ ...RESULT, status: "done" }),
    () => Response.json({ ...RESULT, data: {} }),
    () => new Response("<!doctype html><h1>It  works</h1>", html),
    () => new Response("oh", { headers: { "content-type": "application/json" } }),
    () => new Response("[".repeat(100_000), { headers: { "content-type": "application/json" } }),
    () => new Response(null),
    () => new Response(null, { status: 204 }),
  ];
  const faults: unknown[] = [];
  for (const answer of wrong) faults.push(await sent([answer]));
  const gave = 'Agent "orders" gave no result: ';
  assertEquals(faults, [
    ["bad_result", `${gave}The result is of task "t-2", and not of "t-1"`, false],
    ["bad_result", `${gave}it speaks of task t-2`, false],
    [
      "bad_result",
      `${gave}The result's status "done" is not known; known are success, partial_success, failed`,
      false,
    ],
    [
      "bad_result",
      `${gave}The result is no envelope: field "summary" of "data" is missing`,
      false,
    ],
    ["bad_result", `${gave}it is text/html: It works`, false],
    ["bad_result", `${gave}it is no JSON: oh`, false],
    ["bad_result", `${gave}it is no JSON: ${"[".repeat(119)}…`, false],
    ["bad_result", `${gave}it is no JSON, and empty`, false],
    ["bad_result", 'Agent "orders" answered 204 No Content', false],
  ]);
});

Deno.test("send() cuts an answer of 80 MB off while it is read, whether it says so or not", async () => {
  let pieces = 0;
  const endless = (headers: Record<string, string>) => () => {
    pieces = 0;
    const body = new ReadableStream({
      pull(controller) {
        pieces += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
        if (pieces === 80) controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "application/json", ...headers } });
  };
  const declared = () => new Response(new Uint8Array(9 * 1024 * 1024));
  const fault = ["too_large", 'Agent "orders" answered with more than 8388608 bytes', false];
  assertEquals(await sent([endless({ "cache-control": "no-transform" })]), fault as unknown);
  assertEquals(pieces < 40, true);
  // The server compresses this one to nearly nothing.
  assertEquals(await sent([endless({})]), fault as unknown);
  assertEquals(await sent([declared]), fault as unknown);
});

Deno.test("send() tells refusals apart, in the agent's words, and tries them once", async () => {
  const error = { code: "invalid_params", message: "order is missing", retriable: false };
  const refusals: readonly (readonly [status: number, body: unknown])[] = [
    [400, { ...RESULT, status: "failed", data: null, error }],
    [401, "who"],
    [403, ""],
    [404, { error: { code: "unknown_intent", message: "No" } }],
    [409, { error: { message: "Another task" } }],
    [413, "<html>Too large</html>"],
    [501, ""],
  ];
  const faults: unknown[] = [];
  for (const [status, body] of refusals) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    await meet([() => new Response(text, { status })], async ({ transport, received }) => {
      faults.push(await failureOf(transport.send(TASK, UNHEARD, NEVER)));
      assertEquals(received.length, 1);
    });
  }
  const says = 'Agent "orders" answered ';
  assertEquals(faults, [
    ["refused", `${says}400 Bad Request: invalid_params: order is missing`, false],
    ["unauthorized", `${says}401 Unauthorized: who`, false],
    ["unauthorized", `${says}403 Forbidden`, false],
    ["refused", `${says}404 Not Found: unknown_intent: No`, false],
    ["refused", `${says}409 Conflict: Another task`, false],
    ["refused", `${says}413 Payload Too Large: Too large`, false],
    ["bad_result", `${says}501 Not Implemented`, false],
  ]);
});

Deno.test("send() waits as an overloaded agent asks, in seconds or by a date, with the same id", async () => {
  const busy = (after: string) => () =>
    new Response(null, { status: 429, headers: { "retry-after": after } });
  const answers: Answers = [busy("7"), busy("Mon, 30 Nov 2026 12:00:09 GMT"), () => result()];
  await meet(answers, async ({ transport, received, clock }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(clock.waits, [7_000, 9_000]);
    assertEquals(received.map(({ line }) => line), ["POST /tasks", "POST /tasks", "POST /tasks"]);
    assertEquals(new Set(received.map(({ body }) => body)), new Set([JSON.stringify(TASK)]));
  });
});

Deno.test("send() comes again for a minute where an overloaded agent says when", async () => {
  const busy = () => new Response(null, { status: 429, headers: { "retry-after": "1" } });
  await meet([busy], async ({ transport, clock }) => {
    assertEquals(await failureOf(transport.send(TASK, UNHEARD, NEVER)), [
      "busy",
      'Agent "orders" answered 429 Too Many Requests (7 attempts)',
      true,
    ]);
    assertEquals(clock.waits, [1_000, 1_000, 2_000, 4_000, 8_000, 16_000]);
  });
});

Deno.test("send() gives up on an overloaded agent after three retries, or a wait of more than a minute", async () => {
  await meet([() => new Response(null, { status: 503 })], async ({ transport, clock }) => {
    assertEquals(await failureOf(transport.send(TASK, UNHEARD, NEVER)), [
      "busy",
      'Agent "orders" answered 503 Service Unavailable (4 attempts)',
      true,
    ]);
    assertEquals(clock.waits, [500, 1_000, 2_000]);
  });
  const hour = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
  assertEquals(await sent([hour]), [
    "busy",
    'Agent "orders" answered 429 Too Many Requests; it asks to wait 60 minutes',
    true,
  ]);
});

Deno.test("send() asks for a task whose connection broke before it sends it again", async () => {
  const gone = () => new Response(null, { status: 404 });
  await meet([cut, () => result()], async ({ transport, received }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), ["POST /tasks", "GET /tasks/t-1"]);
  });
  await meet([cut, gone, () => result()], async ({ transport, received }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), [
      "POST /tasks",
      "GET /tasks/t-1",
      "POST /tasks",
    ]);
  });
});

Deno.test("send() and recover() tell that a change which the agent may have made is not known", async () => {
  const down = () => new Response(null, { status: 502 });
  const pending = () => Response.json({ task_id: "t-1" }, { status: 202 });
  const always = (first: () => Response) => [first, ...Array.from({ length: 8 }, () => down)];
  const codes: unknown[] = [];
  for (const access of ["write", "read"] as const) {
    const intent = { description: "", parameters: {}, example: null, name: TASK.intent, access };
    for (const first of [pending, down]) {
      await meet(always(first), async ({ transport }) => {
        codes.push((await failureOf(transport.send(TASK, UNHEARD, NEVER)))[0]);
      }, { agent: { intents: [intent] } });
    }
    await meet(always(down), async ({ transport }) => {
      codes.push((await failureOf(transport.recover(TASK, null, NEVER)))[0]);
    }, { agent: { intents: [intent] } });
  }
  const unknown = Array.from({ length: 3 }, () => "unknown_outcome");
  assertEquals(codes, [...unknown, "unreachable", "unreachable", "unreachable"]);
});

/** An agent that speaks HTTP itself: it does a task, once for each id, and drops the connection. */
async function dropping(listener: Deno.Listener, done: Set<string>): Promise<void> {
  for await (const connection of listener) {
    const bytes = new Uint8Array(10_000);
    const request = new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0));
    if (request.startsWith("POST")) {
      done.add(`run ${done.size + 1}`);
    } else {
      const body = JSON.stringify(RESULT);
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n`;
      const whole = `${head}content-length: ${body.length}\r\n\r\n${body}`;
      await connection.write(new TextEncoder().encode(whole));
    }
    connection.close();
  }
}

Deno.test("send() has a task run once whose connection is dropped after its receipt", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const done = new Set<string>();
  const over = dropping(listener, done);
  const url = `http://127.0.0.1:${listener.addr.port}/tasks`;
  for (const idempotent of [true, false]) {
    done.clear();
    const transport = new HttpTransport(agentAt(url, { idempotent }), new URL(url), {
      ports: fakePorts({ fetch, clock: new HastyClock() }),
      options: { variable: () => undefined },
    });
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals([...done], ["run 1"]);
  }
  listener.close();
  await over;
});

Deno.test("send() never sends a task twice to an agent that would do it twice", async () => {
  const agent = { idempotent: false };
  const gone = () => new Response(null, { status: 404 });
  await meet([cut, gone], async ({ transport, received }) => {
    const [code, message, retriable] = await failureOf(transport.send(TASK, UNHEARD, NEVER));
    assertEquals([code, retriable], ["unknown_outcome", false]);
    assertEquals(
      message,
      'Whether agent "orders" did task t-1 is not known (the connection broke), and it must not ' +
        "be sent twice",
    );
    assertEquals(received.map(({ line }) => line), ["POST /tasks", "GET /tasks/t-1"]);
  }, { agent });
  // Nothing but broken connections, to the last retry.
  await meet([cut], async ({ transport, received }) => {
    const [code, , retriable] = await failureOf(transport.send(TASK, UNHEARD, NEVER));
    assertEquals([code, retriable], ["unknown_outcome", false]);
    assertEquals(received.filter(({ line }) => line === "POST /tasks").length, 1);
  }, { agent });
  const reading = agentAt("http://x", agent).intents.map((intent) => ({
    ...intent,
    access: "read" as const,
  }));
  await meet([cut, gone, () => result()], async ({ transport }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
  }, { agent: { ...agent, intents: reading } });
});

Deno.test("send() retries a connection that was never made, whatever the agent", async () => {
  await meet([], async ({ transport, received, clock }) => {
    const [code, , retriable] = await failureOf(transport.send(TASK, UNHEARD, NEVER));
    assertEquals([code, retriable, received.length], ["unreachable", true, 0]);
    assertEquals(clock.waits, [500, 1_000, 2_000]);
  }, {
    agent: { idempotent: false },
    ports: { fetch: () => fetch("http://127.0.0.1:1/tasks") },
  });
});

Deno.test("send() ends at once where it is aborted, while the agent never answers", async () => {
  const arrived = Promise.withResolvers<void>();
  const over = new AbortController();
  const never = () => {
    arrived.resolve();
    return new Promise<Response>(() => {});
  };
  await meet([never], async ({ transport }) => {
    const reason = new Error("Enough");
    const waiting = transport.send(TASK, UNHEARD, over.signal);
    await arrived.promise;
    over.abort(reason);
    assertEquals(await assertRejects(() => waiting), reason);
  });
});

Deno.test("send() says that a task is lost which the agent does not know any more", async () => {
  const gone = () => new Response(null, { status: 404 });
  assertEquals(await sent([() => pending(), gone]), [
    "lost",
    'Agent "orders" does not know task t-1 any more',
    true,
  ]);
  assertEquals((await sent([() => pending(), gone], { agent: { idempotent: false } }))[2], false);
});

Deno.test("send() gives the token to the agent, and shows it to nobody", async () => {
  const agent = { tokenVariable: "REIN_TOKEN_ORDERS" };
  const echo = (request: Request) =>
    new Response(`No: ${request.headers.get("authorization")}`, { status: 401 });
  const options = { variable: (name: string) => name === "REIN_TOKEN_ORDERS" ? "s3cret" : "" };
  await meet([echo], async ({ transport, received }) => {
    assertEquals(await failureOf(transport.send(TASK, UNHEARD, NEVER)), [
      "unauthorized",
      'Agent "orders" answered 401 Unauthorized: No: Bearer ***',
      false,
    ]);
    assertEquals(received.map(({ authorization }) => authorization), ["Bearer s3cret"]);
  }, { agent, options });
});

Deno.test("send() says whose token is not taken, where the agent has no words for it", async () => {
  const refuse = () => new Response(null, { status: 401 });
  const variable = () => "s3cret";
  const said: unknown[] = [];
  for (const tokenVariable of ["REIN_TOKEN_ORDERS", null]) {
    await meet([refuse], async ({ transport }) => {
      said.push((await failureOf(transport.send(TASK, UNHEARD, NEVER)))[1]);
    }, { agent: { tokenVariable }, options: { variable } });
  }
  const answered = 'Agent "orders" answered 401 Unauthorized: ';
  assertEquals(said, [
    `${answered}it does not take the token in REIN_TOKEN_ORDERS`,
    `${answered}it wants a token; name the variable that holds it as "token" in its directory`,
  ]);
});

Deno.test("send() sends nothing where the token is missing or none", async () => {
  const agent = { tokenVariable: "REIN_TOKEN_ORDERS" };
  const faults: unknown[] = [];
  for (const token of [undefined, "", "two words"]) {
    await meet([() => result()], async ({ transport, received }) => {
      faults.push(await failureOf(transport.send(TASK, UNHEARD, NEVER)));
      assertEquals(received, []);
    }, { agent, options: { variable: () => token } });
  }
  const missing = 'Agent "orders" needs a token, and the variable REIN_TOKEN_ORDERS is not set';
  assertEquals(faults, [
    ["unauthorized", missing, false],
    ["unauthorized", missing, false],
    [
      "unauthorized",
      "The variable REIN_TOKEN_ORDERS holds characters that no token can have",
      false,
    ],
  ]);
});

Deno.test("recover() asks where it was told, and waits for the result", async () => {
  await meet([() => pending(), () => result()], async ({ transport, received, url }) => {
    const status = new URL("/status/1", url).href;
    assertEquals(await transport.recover(TASK, status, NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), ["GET /status/1", "GET /status/1"]);
  });
  await meet([() => result()], async ({ transport, received }) => {
    assertEquals(await transport.recover(TASK, "http://127.0.0.1:1/other", NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), ["GET /tasks/t-1"]);
  });
});

Deno.test("recover() is null for a task that may be sent, and fails for one that may not", async () => {
  const gone = () => new Response(null, { status: 404 });
  await meet([gone], async ({ transport }) => {
    assertEquals(await transport.recover(TASK, null, NEVER), null);
  });
  await meet([gone], async ({ transport }) => {
    const [code, , retriable] = await failureOf(transport.recover(TASK, null, NEVER));
    assertEquals([code, retriable], ["unknown_outcome", false]);
  }, { agent: { idempotent: false } });
});

Deno.test("cancel() is content with an agent that does not know the task", async () => {
  for (const status of [200, 202, 204, 404, 405, 409]) {
    await meet([() => new Response(null, { status })], async ({ transport, received }) => {
      await transport.cancel("t-1", null, NEVER);
      assertEquals(received.map(({ line }) => line), ["DELETE /tasks/t-1"]);
    });
  }
  await meet([() => new Response("no", { status: 401 })], async ({ transport }) => {
    assertEquals((await failureOf(transport.cancel("t-1", null, NEVER)))[0], "unauthorized");
  });
});

Deno.test("report() reads what the agent says of itself, and no more than it says", async () => {
  const description = {
    schema: "agent-description/1.0",
    name: "orders",
    protocols: ["agent-task/1.0", 7],
    intents: [{ name: "refund", description: "Refunds", access: "read" }, { nameless: true }],
  };
  await meet([() => Response.json(description)], async ({ transport }) => {
    assertEquals(await transport.report(NEVER), {
      protocols: ["agent-task/1.0"],
      intents: [{
        name: "refund",
        description: "Refunds",
        parameters: { type: "object" },
        example: null,
        access: "read",
      }],
    });
  });
  await meet([() => new Response(null, { status: 405 })], async ({ transport }) => {
    assertEquals(await transport.report(NEVER), { protocols: [], intents: null });
  });
  await meet([() => Response.json({ hello: 1 })], async ({ transport }) => {
    assertEquals(await failureOf(transport.report(NEVER)), [
      "bad_result",
      'Agent "orders" answered with what does not describe an agent',
      false,
    ]);
  });
});
