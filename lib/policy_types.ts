/**
 * The shapes of decisions: what is judged, by which rules, and what came of asking a person. Shapes
 * only; they are part of `types.ts`.
 *
 * @module
 */

import type { Effect } from "./types.ts";

/** Ordered: `allow` < `ask` < `deny`. Combining decisions takes the strictest. */
export type Decision = "allow" | "ask" | "deny";

/** One thing that a call is about to do, as a policy judges it. */
export type Subject =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "path"; readonly access: "read" | "write"; readonly path: string }
  | {
    readonly kind: "host";
    readonly host: string;
    /** `write`: what is sent may change something there; where left out it may, too. */
    readonly access?: "read" | "write";
  }
  | {
    readonly kind: "intent";
    readonly agent: string;
    readonly intent: string;
    /** `write`: it may change something; where left out it may, too. */
    readonly access?: "read" | "write";
  }
  | {
    /** A tool that is not rein's own: what it does is known by its owner's word alone. */
    readonly kind: "tool";
    /** Its whole name, such as `files__read_file`. */
    readonly tool: string;
    /** `read`: it only reads; `execute`: a program does it; `network`: it is sent to a host. */
    readonly effect: "read" | "execute" | "network";
    /** The host to which it is sent; left out: none. */
    readonly host?: string;
  };

/** A proposed call, as a policy judges it. */
export interface JudgeRequest {
  readonly tool: string;
  readonly effect: Effect;
  readonly subjects: readonly Subject[];
}

/** A place in a judged text: offsets in UTF-16 units, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One rule that took part in an evaluation. */
export interface RuleMatch {
  /** The rule's id, such as `baseline.rm-root`. */
  readonly rule: string;
  readonly decision: Decision;
  readonly reason: string;
  /** What to do instead, for the model; null if the rule has nothing to say. */
  readonly suggest: string | null;
  /** The piece of the subject that the rule matched. */
  readonly matched: string;
  /** Where the piece stands in the subject's text, if it stands there. */
  readonly span: Span | null;
}

/** One simple command, path or host, with every rule that applied to it. */
export interface EvaluatedPart {
  /** The simple command, path or host, as it was judged. */
  readonly text: string;
  /** Where it stands in the subject's text, if it stands there. */
  readonly span: Span | null;
  readonly decision: Decision;
  /** Never empty; strictest first. */
  readonly matches: readonly RuleMatch[];
}

/** A policy's verdict on a call, with everything that led to it. */
export interface Evaluation {
  /** The strictest decision of all parts. */
  readonly decision: Decision;
  readonly parts: readonly EvaluatedPart[];
}

/** Judges one call; never throws. */
export type Judge = (request: JudgeRequest) => Evaluation;

/** What came of asking for a person's approval. */
export type Approval =
  | {
    readonly granted: true;
    /**
     * `option`: the command line had approved it beforehand. `session`: an earlier answer of this
     * session, which was for good.
     */
    readonly by: "person" | "option" | "session";
    /** `session`: also for the very same call later on. */
    readonly scope: "once" | "session";
  }
  | {
    readonly granted: false;
    readonly by: "person";
    /** `run`: the person ended the run with it. */
    readonly scope: "once" | "run";
    /** In the person's words; null where none were given. */
    readonly reason: string | null;
  }
  | { readonly granted: false; readonly by: "nobody"; readonly reason: string };
