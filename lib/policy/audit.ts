/**
 * What policies say of the audit log: later layers can only ask for more.
 *
 * @module
 */

import type { Layer } from "./types.ts";

/** What a policy says of the audit log; what is left out it does not say. */
export interface AuditTerms {
  /** False: nothing is audited, unless another layer asks for it. */
  readonly enabled?: boolean;
  /** True: no run begins, and nothing happens, without an entry. */
  readonly required?: boolean;
  /** Where it is kept: absolute, or below `~`, the home. */
  readonly path?: string;
  /** A file with the key that seals entries. */
  readonly key_file?: string;
  /** The environment variable with that key. */
  readonly key_variable?: string;
  /** Megabytes of a file before another one is begun. */
  readonly rotate_mb?: number;
  /** True: the system's log gets a copy. */
  readonly syslog?: boolean;
}

/** What one layer says. */
export interface LayerTerms {
  readonly layer: Layer;
  readonly terms: AuditTerms;
}

/** What a layer may say: whoever can put a file into the working directory chooses no file. */
function heard({ layer, terms }: LayerTerms): AuditTerms {
  if (layer !== "project") return terms;
  const { required, syslog } = terms;
  return {
    ...(required ? { required } : {}),
    ...(syslog ? { syslog } : {}),
  };
}

/** Whether a layer wants that there is a log. */
function wants({ enabled, required, path, key_file, key_variable, syslog }: AuditTerms): boolean {
  return [enabled, required, syslog].includes(true) ||
    [path, key_file, key_variable].some((value) => value !== undefined);
}

/** The key of the earliest layer that names one. */
function keyTerms(first: AuditTerms, second: AuditTerms): AuditTerms {
  const { key_file, key_variable } = first.key_file ?? first.key_variable ? first : second;
  return {
    ...(key_file === undefined ? {} : { key_file }),
    ...(key_variable === undefined ? {} : { key_variable }),
  };
}

function joinTwo(first: AuditTerms, second: AuditTerms): AuditTerms {
  const path = first.path ?? second.path;
  const rotate_mb = first.rotate_mb ?? second.rotate_mb;
  const wanted = wants(first) || wants(second);
  const enabled = wanted ? true : first.enabled ?? second.enabled;
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(first.required || second.required ? { required: true } : {}),
    ...(path === undefined ? {} : { path }),
    ...keyTerms(first, second),
    ...(rotate_mb === undefined ? {} : { rotate_mb }),
    ...(first.syslog || second.syslog ? { syslog: true } : {}),
  };
}

/** Joins what layers say, in their order: the earliest names the place, each can ask for more. */
export function joinAudit(layers: readonly LayerTerms[]): AuditTerms {
  return layers.map(heard).reduce(joinTwo, {});
}
