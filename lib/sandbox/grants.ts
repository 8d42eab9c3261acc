/**
 * What a policy grants, as permissions of the runtime.
 *
 * @module
 */

import type { Grant, Grants } from "../ports.ts";
import type { Walls } from "../policy/types.ts";
import type { Subject } from "../types.ts";

/** The walls that a policy asks for can't be had here. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  /** What to do; one sentence. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** Who runs the commands of `run_shell`: programs of the machine, or bash inside rein's worker. */
export type ShellExecutor = "host" | "contained";

/** What this build of rein may do at the most. */
export interface BuildLimits {
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Whether it may read everything, or below the working directory only. */
  readonly readsAll: boolean;
  /** Whether it may write everywhere, or nowhere. */
  readonly writesAll: boolean;
  /** Whether it may reach every host, or none. */
  readonly reachesAll: boolean;
  /** Whether it may start programs. */
  readonly runsPrograms: boolean;
}

/** Everything that holds for a run. */
export interface EffectiveGrants extends Grants {
  /** Whether a call may write the paths that were allowed for it by name. */
  readonly writePerCall: boolean;
  /** Whether a call may reach the hosts that were allowed for it by name. */
  readonly netPerCall: boolean;
  readonly shell: ShellExecutor;
  readonly sandbox: "none" | "bubblewrap";
}

/** A path without `.`, `..` and double slashes. */
export function absolutePath(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || parent === "/" || path.startsWith(`${parent}/`);
}

function coversPath(grant: Grant, path: string): boolean {
  return grant === true || grant.some((parent) => isBelow(path, parent));
}

/** A granted host without a port is granted at every port. */
function coversHost(grant: Grant, host: string): boolean {
  if (grant === true) return true;
  return grant.some((granted) => host === granted || host.startsWith(`${granted}:`));
}

function hostsOf({ net = [] }: Walls): Grant {
  return net.includes("*") || net;
}

function executorOf(policy: Walls, build: BuildLimits): ShellExecutor {
  if (policy.shell === "host" && !build.runsPrograms) {
    const message = 'The policy says "shell: host", and this build may start no program';
    throw new SandboxError(message, 'Take "shell" out of the policy, or use the full build.');
  }
  if (policy.sandbox === "bubblewrap" && !build.runsPrograms) {
    const message = 'The policy says "sandbox: bubblewrap", and this build may start no program';
    throw new SandboxError(message, 'Take "sandbox" out of the policy, or use the full build.');
  }
  return policy.shell ?? (build.runsPrograms ? "host" : "contained");
}

/**
 * Puts a policy and a build together: what neither of them forbids.
 *
 * @throws {SandboxError} If the policy wants programs of the machine and the build may start none.
 */
export function effectiveGrants(policy: Walls, build: BuildLimits): EffectiveGrants {
  const absolute = (paths: readonly string[]) => paths.map((path) => absolutePath(path, build.cwd));
  const most: Grant = build.readsAll ? true : [build.cwd];
  return {
    read: policy.read === undefined
      ? most
      : absolute(policy.read).filter((path) => coversPath(most, path)),
    write: build.writesAll ? absolute(policy.write ?? []) : [],
    net: build.reachesAll ? hostsOf(policy) : [],
    writePerCall: policy.write === undefined && build.writesAll,
    netPerCall: policy.net === undefined && build.reachesAll,
    shell: executorOf(policy, build),
    sandbox: policy.sandbox ?? "none",
  };
}

/** The directory of a path: a file is replaced by way of another one beside it. */
function directoryOf(path: string): string {
  const directory = path.slice(0, path.lastIndexOf("/"));
  return directory === "" ? path : directory;
}

function plus(grant: Grant, name: string): Grant {
  return grant === true ? true : [...grant, name];
}

function withSubject(grants: EffectiveGrants, subject: Subject, cwd: string): EffectiveGrants {
  if (subject.kind === "host") {
    if (!grants.netPerCall || coversHost(grants.net, subject.host)) return grants;
    return { ...grants, net: plus(grants.net, subject.host) };
  }
  if (subject.kind !== "path" || subject.access === "read") return grants;
  const path = absolutePath(subject.path, cwd);
  if (!grants.writePerCall || coversPath(grants.write, path)) return grants;
  return { ...grants, write: plus(grants.write, directoryOf(path)) };
}

/**
 * The grants of one call: those of the run, and where it was allowed to write and whom to reach
 * by name. Nothing widens what may be read.
 *
 * @param subjects What the call is about to do, judged and allowed.
 * @returns The very same grants where the call needs no more.
 */
export function grantsForCall(
  grants: EffectiveGrants,
  subjects: readonly Subject[],
  cwd: string,
): EffectiveGrants {
  return subjects.reduce((sum, subject) => withSubject(sum, subject, cwd), grants);
}

/**
 * Whether the walls leave what a call is about to do, for tools that run outside of the worker.
 * Commands are not held here: what stands around programs is bubblewrap.
 *
 * @param realPath A path without links; the part of it that is not there yet stays as it is.
 */
export function isGranted(
  grants: EffectiveGrants,
  subject: Subject,
  realPath: (path: string) => string,
): boolean {
  switch (subject.kind) {
    case "path":
      return subject.access === "read"
        ? coversPath(grants.read, realPath(subject.path))
        : grants.writePerCall || coversPath(grants.write, realPath(subject.path));
    case "host":
      return grants.netPerCall || coversHost(grants.net, subject.host);
    case "tool":
      return subject.host === undefined || coversHost(grants.net, subject.host);
    case "command":
    case "intent":
      return true;
  }
}

function named(grant: Grant, all: string, none: string): string {
  if (grant === true) return all;
  return grant.length === 0 ? none : grant.join(", ");
}

function runLine(grants: EffectiveGrants): string {
  if (grants.shell === "contained") return "nothing: run_shell interprets bash inside the worker";
  const where = grants.sandbox === "bubblewrap" ? " inside bubblewrap" : "";
  return `programs of the machine${where}, each command after the policy's decision`;
}

/** The grants as lines for people, for `rein policy show --effective`. */
export function renderGrants(grants: EffectiveGrants): string {
  const each = (perCall: boolean) => perCall ? ", and what is allowed for a call by name" : "";
  const write = named(grants.write, "everything", "nothing") + each(grants.writePerCall);
  const net = named(grants.net, "every host", "no host") + each(grants.netPerCall);
  const lines = [
    `read   ${named(grants.read, "everything that the policy allows", "nothing")}`,
    `write  ${write}`,
    `net    ${net}`,
    `run    ${runLine(grants)}`,
    "env    nothing",
  ];
  return lines.map((line) => `${line}\n`).join("");
}
