/**
 * Where a path leads behind its links, and whether that is permitted.
 *
 * The runtime checks a path as it is written; a link below a permitted
 * directory would lead out of it. So the path behind the links is checked and
 * used.
 *
 * @module
 */

function holds(access: "read" | "write", path?: string): boolean {
  const descriptor = path === undefined ? { name: access } : { name: access, path };
  return Deno.permissions.querySync(descriptor).state === "granted";
}

const holdsAll = { read: holds("read"), write: holds("write") };

function check(access: "read" | "write", path: string, real: string): string {
  if (holds(access, real)) return real;
  throw new Deno.errors.NotCapable(`"${path}" leads out of what may be ${PASSIVE[access]}`);
}

const PASSIVE = { read: "read", write: "written" };

/**
 * The path behind the links of one that exists.
 *
 * @throws {Deno.errors.NotCapable} If it may not be used.
 */
export async function behindLinks(
  path: string,
  access: "read" | "write" = "read",
): Promise<string> {
  if (access === "read" && holdsAll.read) return path;
  const real = await Deno.realPath(path);
  check("read", path, real);
  return check(access, path, real);
}

/** The name below its directory, with the links of the directory resolved but not its own. */
export async function behindDirectoryLinks(
  path: string,
  access: "read" | "write" = "read",
): Promise<string> {
  if (access === "read" && holdsAll.read) return path;
  const trimmed = path.replace(/(?<=.)\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  const name = trimmed.slice(slash + 1);
  if (name === "" || name === "." || name === "..") return await behindLinks(path, access);
  const above = slash < 0 ? "." : trimmed.slice(0, slash) || "/";
  // The topmost directory that is granted has a parent that is not.
  if (!holds("read", above)) return await behindLinks(path, access);
  const directory = await Deno.realPath(above);
  return check(access, path, `${directory === "/" ? "" : directory}/${name}`);
}

/** The path to write a file at: an existing one behind its links, or a new one that is no link. */
export async function behindLinksToWrite(path: string): Promise<string> {
  try {
    return await behindLinks(path, "write");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const place = await behindDirectoryLinks(path, "write");
  const isLink = await Deno.lstat(place).then((info) => info.isSymlink, () => false);
  if (isLink) throw new Deno.errors.NotCapable(`"${path}" is a link to what does not exist`);
  return place;
}
