/**
 * Shells: the code that they are given is judged as the script is.
 *
 * @module
 */
import { ANY, isFromNetwork, readable } from "../marks.ts";
import type { Call } from "../shell/call.ts";

/** Judges the code that a shell gets: by `-c`, from a stream, on standard input. */
export function analyzeShell(call: Call): string | null {
  if (call.has("--version", "--help")) return null;
  const { operands } = call.parsed;
  const code = call.values("--command")[0];
  if (code !== undefined) return inside(call, code, operands);
  if (call.has("-c")) return codeArgument(call, operands);
  const file = operands[0];
  if (file === undefined || call.has("-s") || file === "-") return codeFromStdin(call);
  const stream = call.textOf(file);
  if (stream !== null) return inside(call, stream, operands.slice(1));
  call.access("read", file);
  if (isFromNetwork(file)) call.signal("network-code", readable(file));
  if (!call.has("-n")) call.signal("unknown-code", readable(file));
  return ANY;
}

function codeArgument(call: Call, operands: readonly string[]): string {
  const [code = "", name, ...positional] = operands;
  return inside(call, code, positional, name);
}

function codeFromStdin(call: Call): string {
  const { stdin } = call.scene;
  if (stdin === null) {
    call.signal("unknown-code", "interactive shell");
    return ANY;
  }
  if (call.has("-i")) call.signal("reverse-shell", "interactive shell on a pipe");
  return inside(call, stdin, call.parsed.operands);
}

function inside(
  call: Call,
  code: string,
  positional: readonly string[],
  name?: string,
): string {
  const state = call.scene.state.child();
  if (name !== undefined) state.set("0", [name]);
  state.positional = positional;
  for (const assignment of call.extra.env ?? []) {
    const equals = assignment.indexOf("=");
    state.set(assignment.slice(0, equals), [assignment.slice(equals + 1)]);
  }
  return call.code(code, { state, stdin: call.has("-c") ? call.scene.stdin : null });
}
