/**
 * Where attachments of results are kept: a folder a task, below that of the agent.
 *
 * @module
 */

import { FileError, type Ports } from "../ports.ts";
import { nameOf } from "./content.ts";

/** The attachments of an agent's results. */
export interface AttachmentStore {
  /**
   * Keeps one.
   *
   * @throws {FileError} If it can't be written.
   */
  put(taskId: string, name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of one; null where there is none. */
  get(taskId: string, name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes those of a task; never throws for what the disk does. */
  remove(taskId: string): void;
}

/**
 * Builds the store.
 *
 * @param folder Absolute; made where it is missing.
 */
export function createAttachmentStore(
  folder: string,
  agent: string,
  { files, folders }: Pick<Ports, "files" | "folders">,
): AttachmentStore {
  const of = (taskId: string) => `${folder}/${nameOf(agent, taskId)}`;
  return {
    put: async (taskId, name, bytes) => {
      folders.make(of(taskId));
      await files.replace(`${of(taskId)}/${name}`, bytes, { makeParents: false, mode: 0o600 });
    },
    get: async (taskId, name) => {
      const path = `${of(taskId)}/${name}`;
      const info = await files.stat(path).catch(() => null);
      return info?.kind === "file" ? files.read(path) : null;
    },
    remove: (taskId) => {
      try {
        if (folders.info(of(taskId)) !== null) folders.remove(of(taskId));
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
      }
    },
  };
}
