/**
 * The person's own environment file, which holds the key for rein.
 *
 * @module
 */

import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { FileError } from "../ports.ts";
import { UsageError } from "./failure.ts";

/** What reading it needs. */
export type UserEnvPorts = Pick<Ports, "files" | "env">;

/** Where it is; null where there is no home. */
export function userEnvPath({ env }: Pick<UserEnvPorts, "env">): string | null {
  const home = env.get("HOME");
  return home ? `${home}/.config/rein/env` : null;
}

async function isThere(path: string, { files }: UserEnvPorts): Promise<boolean> {
  // A locked build reads no user's home.
  if (!files.readable(path)) return false;
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.code === "not_found" || error.code === "not_directory") return false;
    // A home that may not be looked into has nothing for this process.
    if (error.code === "no_permission") return false;
    throw error;
  }
}

/**
 * Its variables, where there is such a file.
 *
 * @throws {UsageError} If others than its owner, who runs rein, may read or write it: what it holds
 *   may be known, or somebody else's.
 */
export async function readUserEnv(ports: UserEnvPorts): Promise<
  { readonly path: string; readonly held: Readonly<Record<string, string>> } | null
> {
  const path = userEnvPath(ports);
  if (path === null || !await isThere(path, ports)) return null;
  if (!await ports.files.ownedAlone(path)) {
    const fault = message("usage.env_not_alone", { path });
    throw new UsageError(fault, message("usage.env_not_alone_hint", { path }));
  }
  const { parseEnvFile } = await import("./env_file.ts");
  return { path, held: parseEnvFile(await ports.files.readText(path)) };
}
