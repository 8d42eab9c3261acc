/**
 * How one model at one server is spoken to: what is known of it beforehand, and what was learned
 * within the run.
 *
 * @module
 */

import type { Message, ModelRequest } from "../types.ts";
import type { Capabilities, CapabilityChange, ToolProtocolSetting } from "./capabilities.ts";
import { type Adaptation, learnFrom } from "./learn.ts";
import type { ReasoningField } from "./reasoning.ts";
import { toTextMessages, withinResults, withoutSystem } from "./text_protocol.ts";
import { TurnReader } from "./turn_reader.ts";

/** A blank that counts as thoughts where there are none and some are demanded. */
const NO_THOUGHTS = " ";

/** Speaks to one model. */
export class Dialect {
  #now: Capabilities;
  readonly #setting: ToolProtocolSetting;

  /** @param setting Which protocol the person wants. */
  constructor(capabilities: Capabilities, setting: ToolProtocolSetting) {
    this.#setting = setting;
    this.#now = setting === "auto" ? capabilities : { ...capabilities, toolProtocol: setting };
  }

  /** What is assumed now. */
  get capabilities(): Capabilities {
    return this.#now;
  }

  /** The request as this model takes it. */
  shape({ messages, tools }: ModelRequest): ModelRequest {
    const { toolProtocol, userAfterTool, systemRole } = this.#now;
    const isText = toolProtocol === "text";
    const spoken = isText
      ? toTextMessages(messages, tools)
      : userAfterTool
      ? messages
      : withinResults(messages);
    return {
      messages: systemRole === "user" ? withoutSystem(spoken) : spoken,
      tools: isText ? [] : tools,
    };
  }

  /** The fields in which the thoughts of a message are sent back; none for most. */
  reasoningFields(message: Message): { readonly [F in ReasoningField]?: string } {
    const { reasoningBack, reasoningField } = this.#now;
    if (message.role !== "assistant" || message.calls.length === 0) return {};
    if (reasoningBack === "no") return {};
    const thoughts = message.reasoning || (reasoningBack === "required" ? NO_THOUGHTS : "");
    return thoughts === "" ? {} : { [reasoningField]: thoughts };
  }

  /** Starts reading a turn. */
  reader({ tools }: ModelRequest): TurnReader {
    return new TurnReader({ tools, opensThinking: this.#now.opensThinking });
  }

  /** Notes in which field the server tells thoughts: they go back in the same. */
  notice(change: Pick<CapabilityChange, "reasoningField" | "opensThinking">): void {
    this.#now = { ...this.#now, ...change };
  }

  /**
   * Learns from a refusal.
   *
   * @returns Null if the request must not be made again: nothing new was learned.
   */
  learn(said: string, status: number | null): Adaptation | null {
    const learned = learnFrom(said, status, this.#now);
    if (learned === null) return null;
    if (learned.change.toolProtocol !== undefined && this.#setting !== "auto") return null;
    this.#now = { ...this.#now, ...learned.change };
    return learned;
  }
}
