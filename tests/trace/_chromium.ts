/**
 * A headless Chromium, spoken to by the DevTools protocol.
 *
 * Source of the names: https://chromedevtools.github.io/devtools-protocol/.
 *
 * @module
 */

/** Where Debian puts it. */
const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** Seconds that a whole browser may take to start, before that is a failure. */
const START_SECONDS = 60;

type Answer = { readonly [name: string]: unknown };

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A message of the protocol that nobody asked for. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Answer;
  readonly sessionId: string | undefined;
}

/** A connection to a browser. */
class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  onEvent: (event: BrowserEvent) => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)));
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("The browser is gone"));
    };
  }

  send(method: string, params: Answer = {}, sessionId?: string): Promise<Answer> {
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, { resolve, reject });
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return promise;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.addEventListener("close", () => resolve());
    this.#socket.close();
    await promise;
  }

  #take(message: BrowserEvent & { id?: number; result?: Answer; error?: { message: string } }) {
    const { id, result, error } = message;
    if (id === undefined) return this.onEvent(message);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result ?? {});
    else waiting?.reject(new Error(error.message));
  }
}

/** How a page is looked at. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
}

/** One open page. */
export class Tab {
  readonly #connection: Connection;
  readonly #sessionId: string;
  /** The addresses of all requests, that of the page among them. */
  readonly requests: string[] = [];
  /** What went wrong: messages of the console, exceptions, violations of the page's policy. */
  readonly faults: string[] = [];
  #loaded: () => void = () => {};

  constructor(connection: Connection, sessionId: string) {
    this.#connection = connection;
    this.#sessionId = sessionId;
  }

  /** Takes what the browser tells of this page. */
  take({ method, params }: BrowserEvent): void {
    if (method === "Network.requestWillBeSent") {
      this.requests.push((params["request"] as { url: string }).url);
    }
    const told = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
    if (told.includes(method)) this.faults.push(JSON.stringify(params));
    if (method === "Page.loadEventFired") this.#loaded();
  }

  send(method: string, params: Answer = {}): Promise<Answer> {
    return this.#connection.send(method, params, this.#sessionId);
  }

  /** Shows it in a window of this size and in these colours. */
  async view({ width, height, scheme }: View): Promise<void> {
    const mobile = width < 500;
    const metrics = { width, height, deviceScaleFactor: 1, mobile };
    await this.send("Emulation.setDeviceMetricsOverride", metrics);
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  /** Opens an address and waits until all of it is there. */
  async open(url: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = resolve;
    await this.send("Page.navigate", { url });
    await promise;
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", asked) as {
      result: { value: T };
      exceptionDetails?: unknown;
    };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Presses a key and lets it go. */
  async press(key: string): Promise<void> {
    const isEnter = key === "Enter";
    const code = isEnter ? 13 : key.toUpperCase().charCodeAt(0);
    const pressed = {
      key,
      code: isEnter ? "Enter" : `Key${key.toUpperCase()}`,
      windowsVirtualKeyCode: code,
      text: isEnter ? "\r" : key,
    };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...pressed });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed, text: "" });
  }

  /** A picture of what is in the window, or of so many pixels from the top, as PNG. */
  async picture(height?: number): Promise<Uint8Array> {
    const width = await this.value<number>("innerWidth");
    const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height, scale: 1 } };
    const asked = { format: "png", captureBeyondViewport: height !== undefined, ...clip };
    const { data } = await this.send("Page.captureScreenshot", asked) as { data: string };
    return Uint8Array.fromBase64(data);
  }
}

/** A browser of this test alone. */
export interface Browser {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** The path of Chromium, or null (with a printed reason) where it is not there. */
export function findChromium(): string | null {
  for (const path of PATHS) {
    try {
      if (Deno.statSync(path).isFile) return path;
    } catch {
      // The next one may be there.
    }
  }
  console.log(`Skipped: the tests in a browser, since there is no ${PATHS[0]} (apt: chromium)`);
  return null;
}

/** Reads stderr until the browser says where it listens. */
async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let seen = "";
  const reader = stderr.pipeThrough(new TextDecoderStream()).getReader();
  const late = setTimeout(() => void reader.cancel(), START_SECONDS * 1000);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`Chromium does not listen: ${seen}`);
    seen += value;
    const [, address] = /DevTools listening on (ws:\S+)\s/.exec(seen) ?? [];
    if (address === undefined) continue;
    clearTimeout(late);
    // What it says later has to go somewhere.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return address;
  }
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error("Chromium can't be spoken to"));
  await promise;
  return new Connection(socket);
}

/** Opens a page and listens to what it does. */
async function openTab(connection: Connection, tabs: Map<string, Tab>): Promise<Tab> {
  const { targetId } = await connection.send("Target.createTarget", { url: "about:blank" });
  const attached = await connection.send("Target.attachToTarget", { targetId, flatten: true });
  const sessionId = String(attached["sessionId"]);
  const tab = new Tab(connection, sessionId);
  tabs.set(sessionId, tab);
  for (const domain of ["Page", "Network", "Runtime", "Log"]) await tab.send(`${domain}.enable`);
  return tab;
}

/** Starts Chromium with nothing of whoever runs it. */
export async function startChromium(path: string): Promise<Browser> {
  const directory = await Deno.makeTempDir({ prefix: "rein-chromium-" });
  const child = new Deno.Command(path, {
    args: [
      ...["--headless", "--remote-debugging-port=0", "--no-sandbox", "--disable-gpu"],
      ...["--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"],
      ...["--disable-background-networking", "--disable-component-update"],
      `--user-data-dir=${directory}/profile`,
      "about:blank",
    ],
    env: { HOME: directory, XDG_CONFIG_HOME: directory, XDG_CACHE_HOME: directory },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const connection = await connect(await addressIn(child.stderr));
  const tabs = new Map<string, Tab>();
  connection.onEvent = (event) => tabs.get(event.sessionId ?? "")?.take(event);
  return {
    newTab: () => openTab(connection, tabs),
    close: async () => {
      await connection.send("Browser.close");
      await connection.close();
      try {
        child.kill("SIGTERM");
      } catch {
        // It has ended already.
      }
      await child.status;
      await Deno.remove(directory, { recursive: true });
    },
  };
}
