/**
 * Limits of texts that a policy sets in place of a tool's own.
 *
 * @module
 */

import type { TextLimit, Tool, ToolContext } from "../types.ts";

/** Limits by tool, then by the field of its data. */
export type TextLimits = {
  readonly [tool: string]: { readonly [field: string]: TextLimit };
};

/** The same tool with the limits that are set for it; what is not set stays its own. */
export function withTextLimits(tool: Tool, limits: TextLimits): Tool {
  const own = limits[tool.name];
  if (own === undefined) return tool;
  const run = (args: Parameters<Tool["run"]>[0], context: ToolContext) =>
    tool.run(args, {
      ...context,
      collect: (request) => {
        const limit = own[request.field] ?? request.limit;
        return context.collect({ ...request, limit });
      },
    });
  // A field that the tool collects while it reads must not be cut a second time.
  const whole = Object.entries(tool.limits).map(([field, limit]) => [field, own[field] ?? limit]);
  return { ...tool, limits: Object.fromEntries(whole), run };
}
