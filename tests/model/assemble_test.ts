import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type AssembledTurn, CallIds, TurnAssembler } from "../../lib/model/assemble.ts";
import { pieceOf } from "../../lib/model/chunk.ts";
import { TurnReader } from "../../lib/model/turn_reader.ts";

/** A piece of a call as a server sends it. */
type CallDelta = { readonly [name: string]: unknown };

/** The turn that comes of chunks after which the server says that it is done. */
function assembled(...chunks: readonly unknown[]): Omit<AssembledTurn, "pieces"> {
  const reader = new TurnReader({ tools: [], opensThinking: false });
  const assembler = new TurnAssembler(new CallIds(), reader);
  for (const chunk of chunks) assembler.push(pieceOf(chunk));
  const { pieces: _pieces, ...turn } = assembler.finish(true);
  return turn;
}

const END = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };

function textChunk(content: string): unknown {
  return { choices: [{ index: 0, delta: { content } }] };
}

function callChunk(...tool_calls: readonly CallDelta[]): unknown {
  return { choices: [{ index: 0, delta: { tool_calls } }] };
}

/** The calls that come of these pieces, one chunk each, as `id name arguments`. */
function calls(...deltas: readonly CallDelta[]): string[] {
  const { message } = assembled(...deltas.map((delta) => callChunk(delta)), END);
  return message.calls.map(({ id, name, arguments: text }) => `${id} ${name} ${text}`);
}

const LS = '{"command":"ls"}';
const PS = '{"command":"ps"}';

Deno.test("TurnAssembler puts a streamed turn together", () => {
  const usage = { prompt_tokens: 12, completion_tokens: 7 };
  const turn = assembled(
    { choices: [{ index: 0, delta: { content: "" } }] },
    textChunk("Let me "),
    textChunk("look."),
    callChunk({ index: 0, id: "a", function: { name: "run_shell", arguments: "" } }),
    callChunk({ index: 0, function: { arguments: '{"command":' } }),
    callChunk({ index: 0, function: { arguments: '"ls"}' } }),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    { choices: [], usage },
  );
  assertEquals(turn, {
    message: {
      role: "assistant",
      content: "Let me look.",
      calls: [{ id: "a", name: "run_shell", arguments: LS }],
    },
    finishReason: "calls",
    usage: { inputTokens: 12, outputTokens: 7 },
  });
});

Deno.test("TurnAssembler makes do with chunks that lack everything", () => {
  const turn = assembled(
    {},
    { choices: null, usage: null },
    { choices: [{}] },
    { choices: [{ delta: null, finish_reason: null }] },
    { choices: [{ delta: { content: null, tool_calls: null } }] },
    { choices: [], usage: { prompt_tokens: null } },
    { choices: [{ finish_reason: "stop" }] },
  );
  assertEquals(turn, {
    message: { role: "assistant", content: "", calls: [] },
    finishReason: "stop",
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

Deno.test("TurnAssembler reads the first of several choices, whatever comes first", () => {
  const other = { index: 1, delta: { content: "other" }, finish_reason: "length" };
  const turn = assembled({ choices: [other] }, {
    choices: [other, { index: 0, delta: { content: "one" }, finish_reason: "stop" }],
  });
  assertEquals([turn.message.content, turn.finishReason], ["one", "stop"]);
});

Deno.test("TurnAssembler knows how turns end, and takes an unknown end for a stop", () => {
  const ends = ["stop", "tool_calls", "function_call", "length", "content_filter", "eos"];
  const reasons = ends.map((finish_reason) =>
    assembled({ choices: [{ finish_reason }] }).finishReason
  );
  assertEquals(reasons, ["stop", "calls", "calls", "length", "refused", "stop"]);
});

Deno.test("TurnAssembler keeps five calls at once apart, in their order", () => {
  const begun = [0, 1, 2, 3, 4].map((index) => ({
    index,
    id: `c${index}`,
    function: { name: "f" },
  }));
  const filled = [3, 0, 4, 2, 1].map((index) => ({
    index,
    function: { arguments: `{"n":${index}}` },
  }));
  assertEquals(
    calls(...begun, ...filled),
    [0, 1, 2, 3, 4].map((index) => `c${index} f {"n":${index}}`),
  );
});

Deno.test("TurnAssembler does without indices", () => {
  assertEquals(
    calls(
      { id: "a", function: { name: "run_shell", arguments: '{"command":' } },
      { function: { arguments: '"ls"}' } },
      { id: "b", function: { name: "run_shell", arguments: PS } },
    ),
    [`a run_shell ${LS}`, `b run_shell ${PS}`],
  );
});

Deno.test("TurnAssembler tells calls apart that all have index 0", () => {
  assertEquals(
    calls(
      { index: 0, id: "a", function: { name: "run_shell", arguments: LS } },
      { index: 0, id: "b", function: { name: "run_shell", arguments: '{"command":' } },
      { index: 0, function: { arguments: '"ps"}' } },
    ),
    [`a run_shell ${LS}`, `b run_shell ${PS}`],
  );
});

Deno.test("TurnAssembler tells whole calls apart that have neither index nor id", () => {
  assertEquals(
    calls(
      { function: { name: "run_shell", arguments: LS } },
      { function: { name: "run_shell", arguments: PS } },
      { function: { name: "list_files", arguments: "" } },
      { function: { name: "read_file", arguments: '{"path":"a"}' } },
    ),
    [
      `rein_1 run_shell ${LS}`,
      `rein_2 run_shell ${PS}`,
      "rein_3 list_files ",
      'rein_4 read_file {"path":"a"}',
    ],
  );
});

Deno.test("TurnAssembler takes a name or an id that comes with every piece for the same call", () => {
  const pieces = ['{"comm', 'and":"l', 's"}', ""];
  const named = pieces.map((text) => ({
    index: 0,
    function: { name: "run_shell", arguments: text },
  }));
  const both = named.map((delta) => ({ ...delta, id: "a" }));
  assertEquals([calls(...named), calls(...both)], [
    [`rein_1 run_shell ${LS}`],
    [`a run_shell ${LS}`],
  ]);
});

Deno.test("TurnAssembler takes arguments as text, as an object, as null and as nothing", () => {
  assertEquals(
    calls(
      { index: 0, id: "a", function: { name: "f", arguments: { command: "ls" } } },
      { index: 1, id: "b", function: { name: "f", arguments: null } },
      { index: 2, id: "c", function: { name: "f", arguments: "" } },
      { index: 3, id: "d", function: { name: "f" } },
      { index: 4, id: "e", function: null },
    ),
    [`a f ${LS}`, "b f ", "c f ", "d f ", "e  "],
  );
});

Deno.test("CallIds gives every call of a run an id of its own", () => {
  const ids = new CallIds();
  const given = ["call_0", "", "call_0", "", "x"].map((id) => ids.take(id));
  assertEquals(given, ["call_0", "rein_2", "rein_3", "rein_4", "x"]);
});

Deno.test("TurnAssembler gives the same wherever a stream is cut", () => {
  const pieces = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 6 });
  const oneCall = fc.record({ name: fc.constantFrom("f", "g"), pieces });
  const turn = fc.record({ text: pieces, calls: fc.array(oneCall, { maxLength: 4 }) });
  fc.assert(fc.property(turn, fc.boolean(), ({ text, calls: all }, indexed) => {
    const deltas = all.flatMap((call, number) =>
      call.pieces.map((piece, at) => ({
        ...(indexed ? { index: number } : {}),
        ...(at === 0 ? { id: `c${number}` } : {}),
        function: { ...(at === 0 ? { name: call.name } : {}), arguments: piece },
      }))
    );
    const chunks = [...text.map(textChunk), ...deltas.map((d) => callChunk(d)), END];
    const { message } = assembled(...chunks);
    assertEquals(message, {
      role: "assistant",
      content: text.join(""),
      calls: all.map(({ name, pieces: args }, number) => ({
        id: `c${number}`,
        name,
        arguments: args.join(""),
      })),
    });
  }));
});
