/**
 * The sessions that are there, by their headers.
 *
 * @module
 */

import { databasePath, walPath } from "./names.ts";
import { type CatalogPorts, glanceAt, rootOf, type SessionInfo } from "./read.ts";

interface Found {
  readonly id: string;
  readonly folder: string;
  readonly modifiedMs: number;
}

/** When a session was last written; looking at one leaves an empty log beside its file. */
function writtenMs(folder: string, { folders }: CatalogPorts): number {
  const file = folders.info(databasePath(folder));
  const wal = folders.info(walPath(folder));
  return Math.max(file?.modifiedMs ?? 0, wal === null || wal.size === 0 ? 0 : wal.modifiedMs);
}

/** All folders of sessions, without opening one; the last written first. */
function foldersFound(ports: CatalogPorts): Found[] {
  const root = rootOf(ports);
  if (root === null) return [];
  return ports.folders.list(root)
    .filter((id) => !id.startsWith(".") && ports.folders.info(`${root}/${id}`)?.kind === "folder")
    .map((id) => ({ id, folder: `${root}/${id}`, modifiedMs: 0 }))
    .map((found) => ({ ...found, modifiedMs: writtenMs(found.folder, ports) }))
    .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1));
}

/** The sessions one by one, the last written first: who has seen enough opens no more. */
async function* newestFirst(ports: CatalogPorts): AsyncGenerator<SessionInfo> {
  for (const found of foldersFound(ports)) yield await glanceAt(found, ports);
}

/**
 * The sessions that are there, the newest first; none where there is no place for any. Reads
 * headers alone.
 *
 * @param limit How many at the most.
 * @throws {FileError} If the folder can't be read.
 */
export async function listSessions(
  ports: CatalogPorts,
  limit: number = Infinity,
): Promise<SessionInfo[]> {
  const infos: SessionInfo[] = [];
  for await (const info of newestFirst(ports)) {
    if (infos.push(info) >= limit) break;
  }
  const newest = ({ header }: SessionInfo) => header?.updatedMs ?? 0;
  return infos.sort((a, b) => newest(b) - newest(a) || (a.id < b.id ? -1 : 1));
}

/**
 * How many sessions there are, without opening one.
 *
 * @throws {FileError} If the folder can't be read.
 */
export function countSessions(ports: CatalogPorts): number {
  return foldersFound(ports).length;
}

/** Which session is looked for. */
export interface LatestQuery {
  /** The working directory in which it began. */
  readonly cwd: string;
  /** Whether only one that did not end with an answer, and that nobody has, will do. */
  readonly unfinished: boolean;
}

/**
 * The newest session of a directory that can be gone on with, or null.
 *
 * @throws {FileError} If the folder can't be read.
 */
export async function findLatest(
  { cwd, unfinished }: LatestQuery,
  ports: CatalogPorts,
): Promise<SessionInfo | null> {
  for await (const info of newestFirst(ports)) {
    const { header, condition, inUse } = info;
    if (header === null || condition !== "whole" || header.cwd !== cwd) continue;
    if (header.state === "new") continue;
    if (!unfinished) return info;
    if (!inUse && header.state !== "answered") return info;
  }
  return null;
}
