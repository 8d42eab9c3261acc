/**
 * What a call would do to paths and hosts, for the person who is asked about it.
 *
 * @module
 */

import type { Subject } from "../types.ts";
import type { Finding } from "./facts.ts";
import { readable } from "./marks.ts";
import type { PathWorld } from "./paths.ts";
import { findCommands } from "./shell/walk.ts";

/** Names as the call has them, each once, in their order; unknown pieces are `…`. */
export interface CallEffects {
  /** Paths that it writes. */
  readonly writes: readonly string[];
  /** Paths that it deletes. */
  readonly deletes: readonly string[];
  readonly hosts: readonly string[];
}

function inCommand({ accesses, hosts }: Finding): CallEffects {
  const words = (kind: "write" | "destroy") =>
    accesses.filter((access) => access.kind === kind).map(({ word }) => word);
  return { writes: words("write"), deletes: words("destroy"), hosts };
}

const NONE: CallEffects = { writes: [], deletes: [], hosts: [] };

function effectsOfSubject(subject: Subject, world: PathWorld): readonly CallEffects[] {
  switch (subject.kind) {
    case "command":
      return findCommands(subject.command, world)
        .filter(({ hypothetical }) => !hypothetical).map(inCommand);
    case "path":
      return subject.access === "write" ? [{ ...NONE, writes: [subject.path] }] : [];
    case "host":
      return [{ ...NONE, hosts: [subject.host] }];
    case "tool":
      return subject.host === undefined ? [] : [{ ...NONE, hosts: [subject.host] }];
    case "intent":
      return [];
  }
}

/** What a call would write, delete and reach, as far as its text tells. */
export function effectsOf(subjects: readonly Subject[], world: PathWorld): CallEffects {
  const all = subjects.flatMap((subject) => effectsOfSubject(subject, world));
  const names = (of: (effects: CallEffects) => readonly string[]) => [
    ...new Set(all.flatMap(of).map(readable).filter((name) => name !== "")),
  ];
  const deletes = names((effects) => effects.deletes);
  // What is deleted is written as well, in the eyes of a policy.
  const writes = names((effects) => effects.writes).filter((name) => !deletes.includes(name));
  return { writes, deletes, hosts: names(({ hosts }) => hosts) };
}
