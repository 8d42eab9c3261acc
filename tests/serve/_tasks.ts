/**
 * Tasks, agents and runs for tests of servers.
 *
 * @module
 */

import type { TaskEnvelope } from "../../lib/delegate/types.ts";
import type { RunResult } from "../../lib/events.ts";
import { type AgentFile, readAgentFile } from "../../lib/serve/agent_file.ts";

/** An agent with two intents; `more` are lines of its own. */
export function agentOf(more = ""): AgentFile {
  return readAgentFile(
    `name: worker
description: For tests
${more}intents:
  - name: look
    description: Looks
    effect: read
    parameters: {type: object, properties: {n: {type: number}}, additionalProperties: false}
    prompt: Look
  - name: change
    description: Changes
    prompt: Change
`,
    "agent.yaml",
  ).agent;
}

/** A task. */
export function taskOf(id: string, rest: Partial<TaskEnvelope> = {}): TaskEnvelope {
  return {
    task_id: id,
    protocol: "agent-task/1.0",
    agent: "worker",
    intent: "look",
    params: {},
    callback: null,
    timeout_sec: 60,
    ...rest,
  };
}

/** The result of a run that was answered; `rest` makes it another one. */
export function runOf(rest: Partial<RunResult> = {}): RunResult {
  return {
    schema: "rein-result/1",
    run_id: "r1",
    status: "success",
    stop_reason: "answered",
    answer: '{"summary":"Done."}',
    data: { summary: "Done." },
    model: { name: "scripted", recorded: false },
    steps: 1,
    usage: { input_tokens: 10, output_tokens: 5, estimated: false },
    cost: null,
    elapsed_ms: 3,
    session: "s1",
    calls: [],
    facts: [],
    error: null,
    ending: null,
    ...rest,
  };
}
