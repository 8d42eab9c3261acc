/**
 * The person's side, as small interfaces: the standard streams, the keyboard, the screen.
 *
 * @module
 */

/** Nothing more can be written to stdout, or to what stands for it. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** Whether its reader has gone, which is no failure. */
  readonly closed: boolean;

  constructor(closed: boolean, cause: Error, what = "Standard output") {
    super(`${what} can't be written: ${cause.message}`, { cause });
    this.closed = closed;
  }
}

/** How much a terminal shows, in cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The keyboard and the screen of a person, for as long as a question is open: keys come as they are
 * pressed and are not echoed.
 */
export interface Console {
  /** Now; it may change. */
  size(): TerminalSize;
  /** Whether codes that underline and move the cursor do what they say. */
  readonly styled: boolean;
  write(text: string): Promise<void>;
  /**
   * What is pressed next. Keys that come at the same time come together, so that what is pasted is
   * told from a key. Empty once nothing can come any more.
   *
   * @throws The signal's reason, once it is aborted.
   */
  read(signal: AbortSignal): Promise<string>;
  /** Takes away what was typed so far, and returns it. Throws as `read`. */
  drain(signal: AbortSignal): Promise<string>;
  /** Gives the keyboard back; never throws. */
  close(): void;
}

/** The person's side: the standard streams. */
export interface Terminal {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /**
   * Writes all of it before it resolves.
   *
   * @throws {OutputError} If that can't be done.
   */
  out(text: string): Promise<void>;
  /** Writes to stderr; what can't be written is dropped. */
  err(text: string): Promise<void>;
  /**
   * Asks for a yes or no on stderr; Enter alone is a no. Rejects if the signal is
   * aborted, or if the person presses Ctrl-C, of which no signal comes.
   */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Takes the keyboard of whoever looks at stderr: stdin where that is a terminal, else the
   * terminal of stderr itself. Null where stderr is none, since nobody would see what is asked.
   */
  openConsole(): Promise<Console | null>;
  /** Whether stdin is a file or has ended, so that reading it can't hang. */
  readonly stdinIsFile: boolean;
  /** The bytes of stdin, in pieces, until it ends or the signal is aborted. */
  input(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * What is typed, in pieces as they come, until stdin ends or the signal is aborted. Nothing of it
   * is shown by the terminal, and Ctrl-C is a key like any other. What was not asked for is there
   * for whoever asks next.
   */
  keys(signal: AbortSignal): AsyncIterable<string>;
  /**
   * Keeps the terminal from showing what is typed while nobody asks for it; Ctrl-C goes on to be a
   * signal.
   *
   * @returns Ends that.
   */
  hush(): () => void;
  /**
   * Looks out for a key while nobody asks for what is typed, until the signal is aborted; all else
   * is kept for whoever asks next, and nothing of it is shown. Does nothing where stdin or
   * stdout is no terminal, or this process can't be told to be in front of it.
   *
   * @param key A control character.
   */
  watch(key: string, pressed: () => void, signal: AbortSignal): Promise<void>;
  /** The size now; null where there is no terminal or it does not know. */
  size(): TerminalSize | null;
  /** Calls back whenever the size has changed, until the signal is aborted. */
  onResize(changed: () => void, signal: AbortSignal): void;
}
