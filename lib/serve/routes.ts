/**
 * The faces of a server as a table: a way of asking, and who answers it.
 *
 * @module
 */

import type { HttpHandler } from "../ports.ts";
import { hashOf } from "./content.ts";

/** What an answer is made from. */
export interface Asked {
  readonly request: Request;
  /** What stands in the place of `:name` in the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
}

/** One way of asking. */
export interface Route {
  readonly method: string;
  /** Such as `/tasks/:id`; each `:name` is one segment. */
  readonly path: string;
  /** Whether whoever is there may ask, without a token; false if left out. */
  readonly open?: boolean;
  answer(asked: Asked): Promise<Response> | Response;
}

/** Who may ask. */
export interface Guard {
  /** What callers send; null: nothing is asked for, since it listens on loopback alone. */
  readonly token: string | null;
}

/** An answer in JSON. */
export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = `${JSON.stringify(value)}\n`;
  const type = { "content-type": "application/json; charset=utf-8" };
  return new Response(body, { status, headers: { ...type, ...headers } });
}

/** Names of this machine, as a browser that was led astray would not have them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether an address can only be reached from this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname.includes(":") ? `[${hostname.replace(/^\[|\]$/g, "")}]` : hostname);
}

/** Compares what takes as long whatever is in it: the hashes of both. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [hashOf(given), hashOf(wanted)];
  let difference = 0;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** Whether a request may come from a page in a browser, which reaches loopback by a name of its own. */
function isForeign({ headers }: Request): boolean {
  return headers.has("origin") || !LOOPBACK.test(headers.get("host") ?? "");
}

/** Why a request is turned away; null if it is not. */
function turnedAway(request: Request, { token }: Guard, isOpen: boolean): Response | null {
  if (token === null) return isForeign(request) ? new Response(null, { status: 403 }) : null;
  if (isOpen) return null;
  const { headers } = request;
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (isSame(given, token)) return null;
  return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
}

function partsOf(path: string, pattern: string): Readonly<Record<string, string>> | null {
  const [given, wanted] = [path.split("/"), pattern.split("/")];
  if (given.length !== wanted.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, word] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (!word.startsWith(":")) {
      if (word !== segment) return null;
      continue;
    }
    const decoded = decodedOf(segment);
    if (decoded === null || decoded === "") return null;
    parts[word.slice(1)] = decoded;
  }
  return parts;
}

function decodedOf(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Builds what answers requests by a table. */
export function handlerOf(routes: readonly Route[], guard: Guard): HttpHandler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const there = routes.flatMap((route) => {
      const parts = partsOf(pathname, route.path);
      return parts === null ? [] : [{ route, parts }];
    });
    const found = there.find(({ route }) => route.method === request.method);
    // Whoever has no token is not told what there is.
    const away = turnedAway(request, guard, found?.route.open === true);
    if (away !== null) return away;
    if (found !== undefined) return await found.route.answer({ request, parts: found.parts });
    if (there.length === 0) return new Response(null, { status: 404 });
    const allow = there.map(({ route }) => route.method).join(", ");
    return new Response(null, { status: 405, headers: { allow } });
  };
}
