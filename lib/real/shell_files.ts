/**
 * The real file system in the form that the contained shell takes, as far as
 * the permissions go, with every link checked.
 *
 * @module
 */

import { posix } from "node:path";
import type { FsStat, IFileSystem } from "just-bash";
import type { Grant } from "../ports.ts";
import { behindDirectoryLinks, behindLinks, behindLinksToWrite } from "./links.ts";

/** A larger file is not read: the shell holds a whole file in memory. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Whether the contents of a file may be read, beside the permissions. */
type MayRead = (path: string) => Promise<boolean>;

/** What is known of a call's files beforehand. */
export interface ShellFilesOptions {
  /** Asked for every file before its contents are read, with the path behind its links. */
  readonly mayRead: MayRead;
  /** What the permissions let this thread read. */
  readonly read: Grant;
  /** Names of the shell's commands. */
  readonly commands: readonly string[];
}

type DirentEntry = Awaited<ReturnType<NonNullable<IFileSystem["readdirWithFileTypes"]>>>[number];

type FileContent = string | Uint8Array;

/** Names of failures as programs know them. */
const CODES: readonly (readonly [abstract new (...args: never) => Error, string, string])[] = [
  [Deno.errors.NotFound, "ENOENT", "no such file or directory"],
  [Deno.errors.NotCapable, "EACCES", "permission denied"],
  [Deno.errors.PermissionDenied, "EACCES", "permission denied"],
  [Deno.errors.AlreadyExists, "EEXIST", "file already exists"],
  [Deno.errors.IsADirectory, "EISDIR", "illegal operation on a directory"],
  [Deno.errors.NotADirectory, "ENOTDIR", "not a directory"],
];

/** A failure in the form that the shell's commands look for. */
class ShellFileError extends Error {
  override readonly name = "ShellFileError";
  readonly code: string;

  constructor(code: string, what: string, path: string) {
    super(`${code}: ${what}, '${path}'`);
    this.code = code;
  }
}

function failure(code: string, what: string, path: string): ShellFileError {
  return new ShellFileError(code, what, path);
}

function asShellError(error: unknown, path: string): ShellFileError {
  for (const [kind, code, what] of CODES) {
    if (error instanceof kind) return failure(code, what, path);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (/not empty/i.test(message)) return failure("ENOTEMPTY", "directory not empty", path);
  if (/is a directory/i.test(message)) return failure("EISDIR", "is a directory", path);
  return failure("EIO", message, path);
}

async function orShellError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ShellFileError ? error : asShellError(error, path);
  }
}

/** Devices that a shell cannot do without; they are not those of the machine. */
const DEVICES: readonly string[] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

const DEVICE: FsStat = {
  isFile: true,
  isDirectory: false,
  isSymbolicLink: false,
  mode: 0o666,
  size: 0,
  mtime: new Date(0),
};

function statOf(info: Deno.FileInfo): FsStat {
  const identity = info.ino === null ? {} : { dev: info.dev, ino: info.ino };
  return {
    isFile: info.isFile,
    isDirectory: info.isDirectory,
    isSymbolicLink: info.isSymlink,
    mode: (info.mode ?? 0o644) & 0o7777,
    size: info.size,
    mtime: info.mtime ?? new Date(0),
    ...identity,
  };
}

/** A directory above those that may be read: it shows the way to them and nothing else. */
const WAY: FsStat = { ...DEVICE, isFile: false, isDirectory: true, mode: 0o555 };

/** Where the shell's own commands appear; nothing of the machine's is seen there. */
const COMMAND_DIRECTORIES: readonly string[] = ["/bin", "/usr/bin"];

const COMMAND: FsStat = { ...DEVICE, mode: 0o555 };

/** What the shell itself brings along: devices and commands. */
function ownStat(path: string, commands: readonly string[]): FsStat | null {
  if (DEVICES.includes(path)) return DEVICE;
  const slash = path.lastIndexOf("/");
  if (!COMMAND_DIRECTORIES.includes(path.slice(0, slash))) return null;
  if (commands.includes(path.slice(slash + 1))) return COMMAND;
  throw failure("ENOENT", "no such file or directory", path);
}

/** The names below a directory on the way to what may be read; none where it is not on the way. */
function wayNames(path: string, { read: granted, commands }: ShellFilesOptions): readonly string[] {
  if (COMMAND_DIRECTORIES.includes(path)) return commands;
  const prefix = path.endsWith("/") ? path : `${path}/`;
  const below = granted === true ? [] : granted.filter((other) => other.startsWith(prefix));
  return [...new Set(below.map((other) => other.slice(prefix.length).split("/")[0] ?? ""))];
}

function bytesOf(content: FileContent, options?: unknown): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = typeof options === "string"
    ? options
    : (options as { encoding?: string } | undefined)?.encoding ?? "utf8";
  if (encoding === "binary" || encoding === "latin1") {
    return Uint8Array.from(content, (char) => char.charCodeAt(0));
  }
  return new TextEncoder().encode(content);
}

const CHUNK = 32 * 1024;

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

async function readBytes(path: string, mayRead: MayRead): Promise<Uint8Array> {
  if (DEVICES.includes(path)) return new Uint8Array();
  return await orShellError(path, async () => {
    const real = await behindLinks(path);
    const info = await Deno.stat(real);
    if (info.isDirectory) throw failure("EISDIR", "illegal operation on a directory, read", path);
    if (!info.isFile) throw failure("EACCES", "not a regular file", path);
    if (info.size > MAX_FILE_BYTES) throw failure("EFBIG", "file too large", path);
    if (!await mayRead(real)) throw failure("EACCES", "permission denied", path);
    return await Deno.readFile(real);
  });
}

async function write(path: string, bytes: Uint8Array, append: boolean): Promise<void> {
  if (DEVICES.includes(path)) return;
  await orShellError(path, async () => {
    await Deno.writeFile(await behindLinksToWrite(path), bytes, { append });
  });
}

async function copy(from: string, to: string, recursive: boolean, files: IFileSystem) {
  const info = await files.stat(from);
  if (!info.isDirectory) return await files.writeFile(to, await files.readFileBuffer(from));
  if (!recursive) throw failure("EISDIR", "is a directory", from);
  await files.mkdir(to, { recursive: true });
  for (const name of await files.readdir(from)) {
    await copy(posix.join(from, name), posix.join(to, name), true, files);
  }
}

async function removePath(path: string, options: { recursive?: boolean; force?: boolean }) {
  try {
    const place = await behindDirectoryLinks(path, "write");
    await Deno.remove(place, { recursive: options.recursive ?? false });
  } catch (error) {
    if (!(options.force && error instanceof Deno.errors.NotFound)) throw error;
  }
}

type Reading = Pick<
  IFileSystem,
  | "readFile"
  | "readFileBuffer"
  | "readFileBytes"
  | "exists"
  | "stat"
  | "lstat"
  | "readdir"
  | "readdirWithFileTypes"
  | "readlink"
  | "realpath"
>;

function directoryEntry(name: string): DirentEntry {
  return { name, isFile: false, isDirectory: true, isSymbolicLink: false };
}

async function entriesOf(path: string, options: ShellFilesOptions): Promise<DirentEntry[]> {
  const way = wayNames(path, options);
  if (way.length > 0) return way.map(directoryEntry);
  return await orShellError(path, async () => {
    const entries = await Array.fromAsync(Deno.readDir(await behindLinks(path)));
    return entries.map(({ name, isFile, isDirectory, isSymlink }) => ({
      name,
      isFile,
      isDirectory,
      isSymbolicLink: isSymlink,
    }));
  });
}

function reading(options: ShellFilesOptions): Reading {
  const { mayRead, commands } = options;
  /** What is known of a path, by way of the function that looks at the real one. */
  const known = async (path: string, look: () => Promise<Deno.FileInfo>): Promise<FsStat> => {
    if (wayNames(path, options).length > 0) return WAY;
    return ownStat(path, commands) ?? await orShellError(path, async () => statOf(await look()));
  };
  const stat = (path: string) => known(path, async () => Deno.stat(await behindLinks(path)));
  return {
    readFile: async (path) => new TextDecoder().decode(await readBytes(path, mayRead)),
    readFileBuffer: (path) => readBytes(path, mayRead),
    readFileBytes: async (path) => latin1(await readBytes(path, mayRead)) as never,
    exists: (path) => stat(path).then(() => true, () => false),
    stat,
    lstat: (path) => known(path, async () => Deno.lstat(await behindDirectoryLinks(path))),
    readdir: async (path) => (await entriesOf(path, options)).map(({ name }) => name).sort(),
    readdirWithFileTypes: (path) => entriesOf(path, options),
    readlink: (path) =>
      orShellError(path, async () => await Deno.readLink(await behindDirectoryLinks(path))),
    realpath: (path) =>
      wayNames(path, options).length > 0
        ? Promise.resolve(path)
        : orShellError(path, async () => await Deno.realPath(await behindLinks(path))),
  };
}

type Writing = Omit<IFileSystem, keyof Reading>;

function writing(files: () => IFileSystem): Writing {
  return {
    writeFile: (path, content, options) => write(path, bytesOf(content, options), false),
    appendFile: (path, content, options) => write(path, bytesOf(content, options), true),
    mkdir: (path, options) =>
      orShellError(path, async () => {
        await Deno.mkdir(await placeOfNew(path), { recursive: options?.recursive ?? false });
      }),
    rm: (path, options = {}) => orShellError(path, () => removePath(path, options)),
    cp: (from, to, options) => copy(from, to, options?.recursive ?? false, files()),
    mv: (from, to) =>
      orShellError(from, async () => {
        const source = await behindDirectoryLinks(from, "write");
        await Deno.rename(source, await behindDirectoryLinks(to, "write"));
      }),
    chmod: (path, mode) =>
      orShellError(path, async () => await Deno.chmod(await behindLinks(path, "write"), mode)),
    // A link would be a way out for whatever follows it later.
    symlink: (_target, path) => Promise.reject(failure("EPERM", "operation not permitted", path)),
    link: (_existing, path) => Promise.reject(failure("EPERM", "operation not permitted", path)),
    utimes: (path, accessed, modified) =>
      orShellError(path, async () => {
        await Deno.utime(await behindLinks(path, "write"), accessed, modified);
      }),
    resolvePath: (base, path) => posix.resolve(base, path),
    getAllPaths: () => [],
  };
}

/** A new directory's place; the deepest parent that exists is the one that may be a link. */
async function placeOfNew(path: string): Promise<string> {
  try {
    return await behindDirectoryLinks(path, "write");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const parent = await placeOfNew(posix.dirname(path));
    return posix.join(parent, posix.basename(path));
  }
}

/** Builds the file system of one call. Paths are those of the machine. */
export function createShellFiles(options: ShellFilesOptions): IFileSystem {
  const files: IFileSystem = { ...reading(options), ...writing(() => files) };
  return files;
}
