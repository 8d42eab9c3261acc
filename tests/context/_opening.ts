/**
 * What a real run sends before anything happens: rein's prompt and its tools.
 *
 * @module
 */

import systemPrompt from "../../lib/context/system.txt" with { type: "text" };
import { createTools } from "../../tools/registry.ts";
import { fakePorts, fakeResults } from "../fakes.ts";
import type { Opening } from "./_errors.ts";

const tools = createTools(fakePorts(), fakeResults().outputs).map(
  ({ name, description, parameters }) => ({ name, description, parameters }),
);

/** The prompt and the tools of a run. */
export const OPENING: Opening = { system: systemPrompt, tools };
