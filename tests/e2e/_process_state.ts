/**
 * What the system says of a running process: its threads, open files, children
 * and memory.
 *
 * @module
 */

/** A process at one moment. */
export interface ProcessState {
  /** What its descriptors lead to, apart from kept outputs; sorted, numbers left out. */
  readonly files: readonly string[];
  /** Kept outputs: files without a name. */
  readonly spills: number;
  readonly threads: number;
  /** Threads that run workers. */
  readonly workers: number;
  /** Command lines of its children, ended ones that nobody waited for included. */
  readonly children: readonly string[];
  readonly rssMb: number;
  /** The most that it ever was. */
  readonly peakMb: number;
}

/** Deno itself reads nothing below /proc without all permissions. */
async function lines(script: string, about: string): Promise<string[]> {
  const args = ["-c", script, "look", about];
  const { stdout } = await new Deno.Command("bash", { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** Looks at a process. */
export async function stateOf(pid: number): Promise<ProcessState> {
  const [links, comms, status, children] = await Promise.all([
    lines('find "/proc/$1/fd" -type l -printf "%l\\n"', `${pid}`),
    lines('cat "/proc/$1"/task/*/comm', `${pid}`),
    lines('cat "/proc/$1/status"', `${pid}`),
    lines('ps -o stat=,args= --ppid "$1"', `${pid}`),
  ]);
  const megabytes = (name: string) =>
    Number(/\d+/.exec(status.find((line) => line.startsWith(name)) ?? "")?.[0] ?? NaN) / 1024;
  const isSpill = (link: string) =>
    /\/rein-[-\w]+ \(deleted\)$|\/sessions\/[^/]+\/out\d+(\.part)?$/.test(link);
  return {
    files: links.filter((link) => !isSpill(link)).map((link) => link.replace(/\d+/g, "N")).sort(),
    spills: links.filter(isSpill).length,
    threads: comms.length,
    workers: comms.filter((name) => name.startsWith("worker")).length,
    children,
    rssMb: megabytes("VmRSS"),
    peakMb: megabytes("VmHWM"),
  };
}

/** Command lines of the processes that work in a directory or below it. */
export async function processesIn(directory: string): Promise<string[]> {
  const script = 'for at in $(find /proc/[0-9]*/cwd -lname "$1*" 2> /dev/null); do ' +
    "tr '\\0' ' ' < \"${at%/cwd}/cmdline\"; echo; done";
  return await lines(script, directory);
}
