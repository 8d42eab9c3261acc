/**
 * What a process tells as lines of JSON on its stdout, as it comes.
 *
 * @module
 */

/** An event of a run or of a server. */
export type Told = Readonly<Record<string, unknown>> & { readonly type?: unknown };

/** What a process has told so far. */
export interface Telling {
  readonly events: readonly Told[];
  /** Resolves once so many events of this type were told, one if left out; with the last of them. */
  told(type: string, count?: number): Promise<Told>;
  /** Resolves once it has closed its stdout. */
  readonly reading: Promise<void>;
}

/** Reads the events of a process as they come; what is no JSON is left out. */
export function listen(
  { stdout }: Pick<Deno.ChildProcess, "stdout">,
  onEvent: (event: Told) => void = () => {},
): Telling {
  const events: Told[] = [];
  let wake = Promise.withResolvers<void>();
  let ended = false;
  const take = (line: string) => {
    if (!line.startsWith("{") || !line.endsWith("}")) return;
    const event: Told = JSON.parse(line);
    events.push(event);
    onEvent(event);
  };
  const reading = (async () => {
    let rest = "";
    for await (const piece of stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
      wake.resolve();
      wake = Promise.withResolvers();
    }
    ended = true;
    wake.resolve();
  })();
  const told = async (type: string, count = 1) => {
    while (true) {
      const found = events.filter((event) => event.type === type)[count - 1];
      if (found !== undefined) return found;
      if (ended) throw new Error(`The process ended before it told of "${type}"`);
      await wake.promise;
    }
  };
  return { events, told, reading };
}
