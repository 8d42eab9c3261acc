/**
 * The least that a turn can be: ask the server, read its stream, run one
 * command, ask again with a longer history, until it calls nothing more.
 *
 * @module
 */

const [baseUrl] = Deno.args;
const messages: unknown[] = [{ role: "user", content: "hi" }];

async function ask(): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages, stream: true }),
  });
  return await response.text();
}

for (let answer = await ask(); answer.includes("tool_calls"); answer = await ask()) {
  const bash = new Deno.Command("bash", { args: ["-c", "echo hi"], stdin: "null" });
  const { stdout } = await bash.output();
  messages.push({ role: "assistant", content: answer });
  messages.push({ role: "tool", content: new TextDecoder().decode(stdout) });
}
