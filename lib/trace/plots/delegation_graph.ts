/**
 * Who gave tasks to whom.
 *
 * @module
 */

import type { Say } from "../../messages/messages.ts";
import { type Html, tag } from "../page/html.ts";
import type { TracedRun } from "../traced_run.ts";
import { nameIn } from "./drawing.ts";

/** Units of a node, and of the room between two. */
const NODE = { width: 200, height: 44, gapX: 56, gapY: 14 };

/** Room around the drawing for the strokes of its nodes. */
const EDGE = 2;

/** Who gave a task, or got it. */
interface Node {
  readonly name: string;
  readonly note: string;
  readonly failed: boolean;
  /** The call that it came from; null for the run itself. */
  readonly target: string | null;
  readonly below: readonly Node[];
}

/** A node at its place. */
interface Placed {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

function nodesBelow({ steps }: TracedRun, id: string): Node[] {
  return steps.flatMap(({ calls }, at) =>
    calls.flatMap(({ tasks }, position) => {
      const target = `${id}s${at}c${position}`;
      return tasks.map(({ agent, intent, status, runs }, index): Node => ({
        name: agent,
        note: `${intent} · ${status}`,
        failed: status !== "success",
        target,
        below: runs.flatMap((run, of) => nodesBelow(run, `${target}t${index}r${of}`)),
      }));
    })
  );
}

function rowsOf({ below }: Node): number {
  return Math.max(1, below.reduce((sum, node) => sum + rowsOf(node), 0));
}

function depthOf({ below }: Node): number {
  return 1 + below.reduce((deepest, node) => Math.max(deepest, depthOf(node)), 0);
}

/** A node and all below it, which stand to its right. */
function* placed(node: Node, depth: number, fromRow: number): Generator<Placed> {
  const row = fromRow + (rowsOf(node) - 1) / 2;
  const [x, y] = [depth * (NODE.width + NODE.gapX), row * (NODE.height + NODE.gapY)];
  yield { node, x: x + EDGE, y: y + EDGE };
  let next = fromRow;
  for (const below of node.below) {
    yield* placed(below, depth + 1, next);
    next += rowsOf(below);
  }
}

function edgePart(from: Placed, to: Placed): Html {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const middle = (x1 + x2) / 2;
  const d = `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
  return tag("path", { class: "edge", d });
}

function nodePart({ node, x, y }: Placed): Html {
  const { name, note, failed, target } = node;
  const width = NODE.width - 20;
  const box = tag(
    "g",
    { class: failed ? "node bad" : "node" },
    tag("rect", { x, y, width: NODE.width, height: NODE.height, rx: 6 }),
    nameIn(name, { x: x + 10, y: y + 3, width, height: 20 }),
    nameIn(note, { x: x + 10, y: y + 22, width, height: 18, style: "note" }),
  );
  return target === null ? box : tag("a", { href: `#${target}`, tabindex: -1 }, box);
}

/**
 * Draws it; null where nothing was given away.
 *
 * @param id Of the run's element: nodes lead to the calls below it.
 */
export function delegationGraph(run: TracedRun, id: string, say: Say): Html | null {
  const below = nodesBelow(run, id);
  if (below.length === 0) return null;
  const root: Node = { name: "rein", note: run.runId, failed: false, target: null, below };
  const width = depthOf(root) * (NODE.width + NODE.gapX) - NODE.gapX + 2 * EDGE;
  const height = rowsOf(root) * (NODE.height + NODE.gapY) - NODE.gapY + 2 * EDGE;
  const all = [...placed(root, 0, 0)];
  const places = new Map(all.map((each) => [each.node, each]));
  const edges = all.flatMap((from) =>
    from.node.below.map((node) => {
      const to = places.get(node);
      return to === undefined ? null : edgePart(from, to);
    })
  );
  const size = { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height };
  const named = { role: "img", "aria-label": say("report.delegation") };
  return tag("svg", { ...size, ...named }, edges, all.map(nodePart));
}
