/**
 * Joins what several sources say of the walls: each can only draw them closer.
 *
 * @module
 */
import type { Walls } from "./types.ts";

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** Whether a granted path or host takes in another one, as both are written. */
function takesIn(grant: string, other: string): boolean {
  const [wide, narrow] = [trimmed(grant), trimmed(other)];
  if (wide === narrow || wide === "*") return true;
  if (wide === "/") return narrow.startsWith("/");
  if (wide === ".") return !/^(\/|~|\.\.(\/|$))/.test(narrow);
  return narrow.startsWith(`${wide}/`);
}

/** What both lists grant; a list that is left out grants everything. */
function both(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const within = (list: readonly string[], limits: readonly string[]) =>
    list.filter((entry) => limits.some((limit) => takesIn(limit, entry)));
  return [...new Set([...within(second, first), ...within(first, second)])];
}

function joinTwo(first: Walls, second: Walls): Walls {
  const lists = (["read", "write", "net"] as const).flatMap((kind) => {
    const list = both(first[kind], second[kind]);
    return list === undefined ? [] : [[kind, list] as const];
  });
  const shells = [first.shell, second.shell];
  const shell = shells.includes("contained") ? "contained" : first.shell ?? second.shell;
  const recursions = [first.recursive, second.recursive].filter((word) => word !== undefined);
  const bubblewrap = [first.sandbox, second.sandbox].includes("bubblewrap");
  return {
    ...Object.fromEntries(lists),
    ...(shell === undefined ? {} : { shell }),
    ...(bubblewrap ? { sandbox: "bubblewrap" as const } : {}),
    ...(recursions.length === 0 ? {} : { recursive: !recursions.includes(false) }),
  };
}

/** Joins walls in the order of their layers: lists to what all of them grant, the rest to the closer one. */
export function joinWalls(walls: readonly Walls[]): Walls {
  return walls.reduce(joinTwo, {});
}
