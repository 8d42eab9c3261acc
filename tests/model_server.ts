/**
 * An OpenAI-compatible server on loopback, for tests and benchmarks: it answers
 * chat completions as streams, from a script, and keeps what it was asked.
 *
 * @module
 */

/** A request as the server got it. */
export interface ServedRequest {
  readonly path: string;
  readonly headers: Headers;
  /** The body's length in bytes. */
  readonly bytes: number;
  readonly body: ChatBody;
  /** `performance.now()` when the body had arrived. */
  readonly atMs: number;
}

/** The part of a chat completion request that tests look at. */
export interface ChatBody {
  readonly model: string;
  readonly temperature?: number;
  readonly stream?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string }[];
  }[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description: string };
  }[];
}

/** A turn that the server streams. */
export interface Turn {
  /** Sent in pieces, one event each. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly finishReason?: string;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Waited for after the first piece of text. */
  readonly gate?: Promise<void>;
  /** Waited before anything is sent, in milliseconds. */
  readonly thinkMs?: number;
}

/** What the server says to one request. */
export type Reply = Turn | Response;

/** A running server. */
export interface ModelServer {
  /** With the version: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  /** Chat requests in the order in which they came. */
  readonly requests: readonly ServedRequest[];
  /** `performance.now()` when the last piece of each answer was handed over. */
  readonly answeredMs: readonly number[];
  close(): Promise<void>;
}

const encoder = new TextEncoder();

function event(value: unknown): Uint8Array {
  return encoder.encode(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
}

function chunk(delta: unknown, finish_reason: string | null = null): unknown {
  const choices = [{ index: 0, delta, finish_reason }];
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "m", choices };
}

function callDeltas(turn: Turn, requestNumber: number): unknown[] {
  return (turn.calls ?? []).map((call, index) => ({
    tool_calls: [{
      index,
      id: `call_${requestNumber}_${index}`,
      type: "function",
      function: {
        name: call.name,
        arguments: typeof call.arguments === "string"
          ? call.arguments
          : JSON.stringify(call.arguments),
      },
    }],
  }));
}

async function* eventsOf(
  turn: Turn,
  requestNumber: number,
  onLast: () => void,
): AsyncGenerator<Uint8Array> {
  if (turn.thinkMs) await new Promise((resolve) => setTimeout(resolve, turn.thinkMs));
  const pieces = typeof turn.text === "string" ? [turn.text] : turn.text ?? [];
  for (const [index, content] of pieces.entries()) {
    yield event(chunk({ role: "assistant", content }));
    if (index === 0) await turn.gate;
  }
  for (const delta of callDeltas(turn, requestNumber)) yield event(chunk(delta));
  const finish = turn.finishReason ?? (turn.calls?.length ? "tool_calls" : "stop");
  yield event(chunk({}, finish));
  const usage = turn.usage ?? { prompt_tokens: 10, completion_tokens: 5 };
  yield event({ choices: [], usage });
  onLast();
  yield event("[DONE]");
}

function streamed(turn: Turn, requestNumber: number, onLast: () => void): Response {
  const events = eventsOf(turn, requestNumber, onLast);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await events.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/**
 * Starts a server at a free port of loopback.
 *
 * @param script What to say to the n-th chat request, from 0.
 * @param options `models`: what it lists; an error reply where left out. `port`: 0 for a free one.
 */
export function startModelServer(
  script: (request: ServedRequest, index: number) => Reply | Promise<Reply>,
  options: { models?: readonly string[]; port?: number } = {},
): ModelServer {
  const requests: ServedRequest[] = [];
  const answeredMs: number[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: options.port ?? 0, onListen: () => {} },
    async (request) => {
      const path = new URL(request.url).pathname;
      if (path.endsWith("/models")) {
        if (!options.models) return new Response("not found", { status: 404 });
        return Response.json({ object: "list", data: options.models.map((id) => ({ id })) });
      }
      const text = await request.text();
      const bytes = encoder.encode(text).length;
      const { headers } = request;
      const served = { path, headers, bytes, body: JSON.parse(text), atMs: performance.now() };
      const index = requests.push(served) - 1;
      const reply = await script(served, index);
      if (reply instanceof Response) return reply;
      return streamed(reply, index, () => answeredMs.push(performance.now()));
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    answeredMs,
    close: () => server.shutdown(),
  };
}
