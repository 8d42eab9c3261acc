/**
 * What took the room of a run's requests.
 *
 * @module
 */

import type { Say } from "../../messages/messages.ts";
import type { ContextPart } from "../composition.ts";
import { type Html, tag } from "../page/html.ts";
import { figure, partText } from "../wording.ts";
import { drawing, label, LANE, nameIn, rounded, WIDTH } from "./drawing.ts";

/** Where bars begin and end; their numbers stand beside them. */
const [LEFT, RIGHT] = [220, WIDTH - 150];

/** Draws the parts as bars; null where there are none. */
export function compositionBars(parts: readonly ContextPart[], say: Say): Html | null {
  if (parts.length === 0) return null;
  const all = parts.reduce((sum, { sent }) => sum + sent, 0);
  const most = parts.reduce((largest, { sent }) => Math.max(largest, sent), 1);
  const rows = parts.map(({ name, sent }, row) => {
    const width = rounded(Math.max(1, (RIGHT - LEFT) * sent / most));
    const share = `${figure(sent)} · ${Math.round(100 * sent / Math.max(1, all))} %`;
    const [y, height] = [row * LANE + 5, LANE - 10];
    return [
      nameIn(partText(name, say), { x: 0, y: row * LANE, width: LEFT - 12, height: LANE }),
      tag("rect", { class: "part", x: LEFT, y, width, height, rx: 2 }),
      label(share, { x: LEFT + width + 8, y: row * LANE + LANE * 0.7, style: "tick start" }),
    ];
  });
  return drawing(parts.length * LANE, say("report.composition"), rows);
}
