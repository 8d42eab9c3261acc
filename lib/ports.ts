/**
 * The outside world as small interfaces. Only `lib/real/` and `main.ts`
 * touch the runtime; everything else is handed what it needs.
 *
 * @module
 */

import type { Hashes, Machine, SharedLogs } from "./audit_ports.ts";
import type { Say } from "./messages/messages.ts";
import type { Databases, Folders, Memories, SpillFiles } from "./storage_ports.ts";
import type { Terminal } from "./terminal_ports.ts";

export * from "./audit_ports.ts";
export * from "./storage_ports.ts";
export * from "./terminal_ports.ts";

/** Time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason once aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** One entry of a directory. */
export interface DirEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
}

/** What is known of a path. */
export interface FileInfo {
  readonly kind: "file" | "directory" | "other";
  readonly size: number;
  /** Milliseconds since the epoch, or null where unknown. */
  readonly modifiedMs: number | null;
  /** Permission bits; left out where unknown. */
  readonly mode?: number;
}

/** How a file is put in place. */
export interface ReplaceOptions {
  /** Whether missing parent directories are made. */
  readonly makeParents: boolean;
  /** Permission bits of the file, from its first moment; those of the old file if left out. */
  readonly mode?: number;
}

/** The file system. Every method rejects with {@linkcode FileError}. */
export interface Files {
  /** The working directory, absolute; throws if it is gone or may not be read. */
  cwd(): string;
  /** The real path with links resolved, or null where it can't be known. */
  realPathSync(path: string): string | null;
  /** Follows links. */
  stat(path: string): Promise<FileInfo>;
  /** Unsorted. */
  readDir(path: string): AsyncIterable<DirEntry>;
  /** The whole file as UTF-8; malformed bytes become U+FFFD. */
  readText(path: string, signal?: AbortSignal): Promise<string>;
  /** The bytes of a file, in pieces. */
  read(path: string, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** Whether this process may read at a path, whatever is there. */
  readable(path: string): boolean;
  /** Whether root owns a file and its directory, and nobody else may write either. */
  ownedByRoot(path: string): Promise<boolean>;
  /** Whether a path is a file, no link, of this user, which nobody else may read or write. */
  ownedAlone(path: string): Promise<boolean>;
  /** Whether this process may write at a path. */
  writable(path: string): boolean;
  /**
   * Puts a whole file in place at once: who reads it meanwhile gets the old or the new one. A file
   * that was there leaves its mode and, where that may be done, its owner to the new one. A
   * symbolic link is refused, and so is what is no regular file.
   */
  replace(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<void>;
  /** Removes a regular file; a symbolic link is refused. */
  remove(path: string): Promise<void>;
  /** Opens a regular file to which lines are added, made where it is missing. */
  openLines(path: string, options?: { readonly mode?: number }): Promise<LineFile>;
}

/** A file to which lines are added. Every method throws {@linkcode FileError}. */
export interface LineFile {
  /**
   * Takes the file for this process alone, among those that ask for it. The lock ends with the
   * process, however that ends, or with `close`; a file system that knows no locks has none.
   *
   * @returns Whether this process has it; not while another one does.
   */
  lock(): Promise<boolean>;
  /** Adds a line, and a line end, at the end of the file. */
  append(line: string): void;
  /** Takes away all behind the first bytes. */
  cut(bytes: number): void;
  close(): void;
}

/** How the pieces of a file come. */
export interface ReadOptions {
  /** Bytes to leave out at the beginning; 0 if left out. */
  readonly start?: number;
  /** Bytes in a piece at the most; 64 KiB if left out. */
  readonly pieceBytes?: number;
  /**
   * Whether two buffers take turns, so that a large file costs no memory: a
   * piece is overwritten once the next but one is asked for. False if left out.
   */
  readonly reuse?: boolean;
}

/** Why a path could not be used. */
export type FileErrorCode =
  | "not_found"
  | "no_permission"
  | "is_directory"
  | "not_directory"
  | "is_link"
  | "not_file"
  | "unreadable"
  | "unwritable";

/** A path could not be used. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;
  readonly path: string;

  constructor(code: FileErrorCode, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.path = path;
  }
}

/** A program to run. */
export interface ProcessSpec {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * What it reads on stdin, which is closed behind it; left out: nothing. It is given up (its
   * `return` is called) once the program has ended or does not read any more.
   */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Called with every piece of output as it comes. */
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

/** How a program ended. */
export interface ProcessExit {
  /** The exit code; 128 + the signal's number where a signal ended it. */
  readonly code: number;
  /** The signal that ended it, such as `SIGKILL`, or null. */
  readonly signal: string | null;
  /** Whether output was still open when rein stopped listening. */
  readonly outputHeld: boolean;
  /** Whether something of its process group outlived it by itself, and was ended. */
  readonly groupEnded?: boolean;
  /** What left the process group and lived on, or was ended with an aborted run. */
  readonly escaped?: readonly EscapedProcess[];
}

/** A process that left the group in which its command ran. */
export interface EscapedProcess {
  readonly pid: number;
  /** Its program and arguments, as far as they could be read. */
  readonly command: string;
  /** Whether rein ended it. */
  readonly ended: boolean;
}

/** Running programs, each in a process group of its own. */
export interface Processes {
  /** Whether this process may start others at all. */
  available(): boolean;
  /** The only programs that there are; where left out, those of the machine. */
  readonly programs?: readonly string[];
  /**
   * Runs a program to its end. Once the signal is aborted the whole group is
   * killed; the promise then resolves with how it ended.
   *
   * @throws {Error} If the program can't be started.
   */
  run(spec: ProcessSpec, signal: AbortSignal): Promise<ProcessExit>;
}

/** Paths or hosts that may be used; `true` is all of them. An empty list is none. */
export type Grant = true | readonly string[];

/** What a thread may do: absolute paths, and hosts with or without a port. */
export interface Grants {
  readonly read: Grant;
  readonly write: Grant;
  readonly net: Grant;
}

/** What a thread tells of itself. */
export interface WorkerEvents {
  message(message: unknown): void;
  /** It broke and will say nothing more. */
  broken(reason: string): void;
}

/** A running thread; messages are values that `structuredClone` takes. */
export interface WorkerThread {
  post(message: unknown): void;
  /** Ends it at once, whatever it does; nothing comes from it afterwards. */
  end(): void;
}

/** What a thread is for: tools, or commands in the contained shell. */
export type WorkerKind = "tools" | "shell";

/** Threads for code that gets permissions of its own. */
export interface Workers {
  /**
   * Starts a thread that holds these permissions and no other: no environment,
   * no programs.
   *
   * @throws {Error} If this process does not hold them itself.
   */
  start(kind: WorkerKind, grants: Grants, events: WorkerEvents): WorkerThread;
  /** Memory that all threads of this process take, in bytes. */
  memoryBytes(): number;
}

/** A kind of permission that a process can give up. */
export type PermissionKind = "read" | "write" | "net" | "run" | "env";

/** The permissions of this process. */
export interface Permissions {
  /** Whether all of a kind is permitted. */
  holds(kind: PermissionKind): boolean;
  /** Gives up a whole kind for good. */
  drop(kind: PermissionKind): void;
}

/** HTTP, as `fetch` has it. */
export type Fetch = typeof fetch;

/** Why a host could not be reached. */
export type NetworkErrorCode =
  | "unresolved"
  | "refused"
  | "unreachable"
  | "tls"
  | "in_use"
  | "no_permission"
  | "bad_response";

/** A host could not be reached, or did not answer as it should. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** One HTTP request to one address. */
export interface HttpRequest {
  /** `http:` or `https:`. */
  readonly url: URL;
  readonly method: string;
  /** Names in lower case; `host` and what frames the body are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Where to connect: the name was resolved, and judged, before. */
  readonly address: string;
}

/** The answer to a request; redirects are answers like others. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; several of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent, compressed or not. To be read once; who ends early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that nobody wants. */
  close(): void;
}

/** Connections that go where they are told. Rejects with {@linkcode NetworkError}, or the signal's reason. */
export interface Network {
  /** Whether this process may connect to others at all. */
  available(): boolean;
  /** The IP addresses of a host, never empty; an IP address is its own. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens a TCP connection and closes it. */
  connect(address: string, port: number, signal: AbortSignal): Promise<void>;
  /** Sends a request; resolves with the head of the answer. Neither follows nor retries. */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

/** Where a server listens. */
export interface ListenAddress {
  /** A name or an IP address of this machine. */
  readonly hostname: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A server that listens. */
export interface HttpServer {
  /** Where it listens; never port 0. */
  readonly address: ListenAddress;
  /** Takes no new connection and resolves once those that are open have ended; never rejects. */
  drain(): Promise<void>;
}

/** Answers one request that came in; what it throws is answered by 500, without a word of it. */
export type HttpHandler = (
  request: Request,
  peer: { readonly address: string },
) => Promise<Response>;

/** Servers of HTTP on this machine. */
export interface HttpServers {
  /**
   * Listens, until the signal is aborted: then every connection is cut.
   *
   * @throws {NetworkError} `in_use` or `no_permission`, if it can't listen there.
   */
  listen(address: ListenAddress, handle: HttpHandler, signal: AbortSignal): Promise<HttpServer>;
}

/** Environment variables; those that rein may not see are undefined. */
export interface Environment {
  get(name: string): string | undefined;
}

/** All ports together. */
export interface Ports {
  /** The operating system, such as `linux`. */
  readonly os: string;
  readonly clock: Clock;
  readonly files: Files;
  /** Files that go with the process. */
  readonly spills: SpillFiles;
  /** Files that stay in a folder of rein's own. */
  readonly spillsIn: (folder: string) => SpillFiles;
  readonly processes: Processes;
  readonly workers: Workers;
  readonly permissions: Permissions;
  readonly fetch: Fetch;
  readonly network: Network;
  readonly servers: HttpServers;
  readonly databases: Databases;
  readonly folders: Folders;
  readonly logs: SharedLogs;
  readonly hashes: Hashes;
  readonly machine: Machine;
  readonly memories: Memories;
  readonly env: Environment;
  readonly terminal: Terminal;
  /** What people are told, in their language. */
  readonly say: Say;
  /** A new unguessable id, short enough to type. */
  readonly newId: () => string;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
}

/** What tools may be handed, on the main side or in a worker: nobody can be asked there. */
export type ToolPorts = Omit<
  Ports,
  | "terminal"
  | "say"
  | "workers"
  | "permissions"
  | "spills"
  | "spillsIn"
  | "databases"
  | "folders"
  | "logs"
  | "hashes"
  | "machine"
  | "servers"
>;
