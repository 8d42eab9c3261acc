/**
 * The walls of a run: which tools run in a worker, with which permissions, and
 * who runs commands.
 *
 * @module
 */

import type { Clock, Permissions, Processes, WorkerKind, Workers } from "../ports.ts";
import { type TextLimits, withTextLimits } from "../results/text_limits.ts";
import type { Walls } from "../policy/types.ts";
import type { Subject, Tool, ToolOutcome } from "../types.ts";
import { checkBubblewrap, inBubblewrap } from "./bubblewrap.ts";
import { commandsFor } from "./commands.ts";
import {
  absolutePath,
  type BuildLimits,
  type EffectiveGrants,
  effectiveGrants,
  grantsForCall,
  isGranted,
} from "./grants.ts";
import { WorkerHost } from "./worker_host.ts";

/** What the walls need of the outside world. */
export interface SandboxPorts {
  readonly workers: Workers;
  readonly processes: Processes;
  readonly permissions: Permissions;
  readonly clock: Clock;
}

/** Runs tools behind walls. */
export interface Sandbox {
  readonly grants: EffectiveGrants;
  /** What runs commands on the main side, or says which there are. */
  readonly processes: Processes;
  /** The tools, each of them behind its wall; what it is and does stays the same. */
  confine(tools: readonly Tool[]): readonly Tool[];
  /**
   * Makes sure that what stands around programs works here.
   *
   * @throws {SandboxError} If it does not.
   */
  check(signal: AbortSignal): Promise<void>;
  /** Starts the worker, so that the first call need not wait for it. */
  prepare(): void;
  /** Ends the worker. */
  end(): void;
}

/** Where a run is, and what else its walls are built by. */
export interface SandboxOptions {
  /** The working directory, absolute. */
  readonly cwd: string;
  /** A path without links, or null where nothing is there. */
  readonly realPath: (path: string) => string | null;
  /** The tools that stay on the main side beside the host's shell; none if left out. */
  readonly mainSide?: readonly string[];
  /** How much of texts is kept, where the policy says so. */
  readonly limits?: TextLimits;
}

/** Where `bwrap` is looked for. */
const STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The tool that runs commands. */
const SHELL = "run_shell";

/** Stands for the contained shell on the main side: it says what there is and runs nothing. */
function containedStandIn({ net }: EffectiveGrants): Processes {
  return {
    available: () => true,
    programs: commandsFor(net),
    run: () => Promise.reject(new TypeError("The contained shell runs in the worker")),
  };
}

/** Programs of the machine, with the wall around them that the policy asks for. */
function hostProcesses(grants: EffectiveGrants, { processes }: SandboxPorts): Processes {
  return grants.sandbox === "bubblewrap" ? inBubblewrap(processes, grants) : processes;
}

/** What this build may do, in this directory. */
export function buildLimits(
  { processes, permissions }: Pick<SandboxPorts, "processes" | "permissions">,
  cwd: string,
): BuildLimits {
  return {
    cwd,
    readsAll: permissions.holds("read"),
    writesAll: permissions.holds("write"),
    reachesAll: permissions.holds("net"),
    runsPrograms: processes.available(),
  };
}

/** Gives up what neither the main side nor a worker will need: a worker gets no more than it has. */
function narrow(permissions: Permissions, grants: EffectiveGrants): void {
  if (grants.shell === "contained") permissions.drop("run");
}

/** Where a path leads: links are followed as far as it is there. */
function realPathOf(path: string, { cwd, realPath }: SandboxOptions): string {
  const whole = absolutePath(path, cwd);
  for (let end = whole.length; end > 0; end = whole.lastIndexOf("/", end - 1)) {
    const real = realPath(whole.slice(0, end));
    if (real !== null) return absolutePath(real + whole.slice(end), cwd);
  }
  return whole;
}

function outside(subject: Subject): ToolOutcome {
  const what = subject.kind === "path" ? subject.path : subject.kind === "host" ? subject.host : "";
  const message = `The policy's walls leave no access to "${what}"`;
  const hint = "Use what is granted, or say that a person would have to change the policy.";
  return { ok: false, error: { code: "no_permission", message, hint, retriable: false } };
}

/** The same tool on the main side, which refuses what the walls do not leave. */
function guarded(tool: Tool, grants: EffectiveGrants, options: SandboxOptions): Tool {
  const granted = (subject: Subject) =>
    isGranted(grants, subject, (path) => realPathOf(path, options));
  const run: Tool["run"] = async (args, context) => {
    const refused = tool.subjects(args).find((subject) => !granted(subject));
    if (refused !== undefined) return outside(refused);
    return await tool.run(args, {
      ...context,
      mayRead: async (path) =>
        granted({ kind: "path", access: "read", path }) && await context.mayRead(path),
      mayReach: async (host) => granted({ kind: "host", host }) && await context.mayReach(host),
    });
  };
  return { ...tool, run };
}

/** The workers of a run. */
class Workshop {
  readonly #grants: EffectiveGrants;
  readonly #cwd: string;
  readonly #limits: TextLimits;
  readonly #ports: SandboxPorts;
  readonly #shared: Readonly<Record<WorkerKind, WorkerHost>>;

  constructor(grants: EffectiveGrants, options: SandboxOptions, ports: SandboxPorts) {
    this.#grants = grants;
    this.#cwd = options.cwd;
    this.#limits = options.limits ?? {};
    this.#ports = ports;
    this.#shared = { tools: this.#host("tools", grants), shell: this.#host("shell", grants) };
  }

  prepare(): void {
    // The interpreter takes longest to load; the other one is there within moments.
    this.#shared[this.#grants.shell === "contained" ? "shell" : "tools"].start();
  }

  end(): void {
    for (const host of Object.values(this.#shared)) host.end();
  }

  /** The same tool, run in a worker; a call that needs more than the run grants has its own. */
  confine(tool: Tool): Tool {
    const kind = tool.name === SHELL ? "shell" : "tools";
    const run: Tool["run"] = async (args, context) => {
      const grants = grantsForCall(this.#grants, tool.subjects(args), this.#cwd);
      if (grants === this.#grants) return await this.#shared[kind].run(tool.name, args, context);
      const own = this.#host(kind, grants);
      try {
        return await own.run(tool.name, args, context);
      } finally {
        own.end();
      }
    };
    return { ...tool, run };
  }

  #host(kind: WorkerKind, grants: EffectiveGrants): WorkerHost {
    const { read, write, net } = grants;
    const place = { cwd: this.#cwd, grants: { read, write, net }, limits: this.#limits };
    return new WorkerHost(kind, { place, ports: this.#ports });
  }
}

/**
 * Builds the walls of a run and gives up what the main side does not need.
 *
 * @param policy What the policy says of them.
 * @throws {SandboxError} If the policy wants what this build can't do.
 */
export function createSandbox(
  policy: Walls,
  ports: SandboxPorts,
  options: SandboxOptions,
): Sandbox {
  const { cwd, mainSide = [], limits = {} } = options;
  const grants = effectiveGrants(policy, buildLimits(ports, cwd));
  narrow(ports.permissions, grants);
  const onHost = grants.shell === "host";
  const workshop = new Workshop(grants, options, ports);
  return {
    grants,
    processes: onHost ? hostProcesses(grants, ports) : containedStandIn(grants),
    check: async (signal) => {
      if (!onHost || grants.sandbox === "none") return;
      await checkBubblewrap(ports.processes, { PATH: STANDARD_PATH }, signal);
    },
    confine: (tools) =>
      tools.map((tool) => withTextLimits(tool, limits))
        .map((tool) => {
          if (onHost && tool.name === SHELL) return tool;
          return mainSide.includes(tool.name)
            ? guarded(tool, grants, options)
            : workshop.confine(tool);
        }),
    prepare: () => workshop.prepare(),
    end: () => workshop.end(),
  };
}
