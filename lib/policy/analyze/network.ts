/**
 * Programs that speak to hosts: what is fetched, what is sent, what is opened.
 *
 * @module
 */
import { isFromNetwork, isKnown, isOpen, NETWORK, readable } from "../marks.ts";
import type { Call } from "../shell/call.ts";

const SENDING = [
  ...["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json"],
  ...["-F", "--form", "--form-string", "-T", "--upload-file", "--post-data", "--post-file"],
  ...["--body-data", "--body-file", "-Q", "--quote"],
];
const SECRET_HEADER =
  /(?:authorization|token|api-?key|cookie|secret|password)\s*[:=]\s*(?:bearer|basic|token)?\s*[\w+/=.-]{8,}/i;

/** `curl`, `wget`: hosts, files sent, methods, secrets spelled out. */
export function analyzeFetch(call: Call): string | null {
  const addresses = [...call.parsed.operands, ...call.values("--url")];
  for (const address of addresses) judgeAddress(address, call);
  for (const { name, value } of call.parsed.flags) {
    if (SENDING.includes(name) && value !== null) judgeSent(name, value, call);
  }
  for (const { name, value } of call.parsed.flags) {
    if (value?.startsWith("@")) call.access("read", value.slice(1));
    else if (/^(?:-b|--cookie)$/.test(name) && value && !value.includes("=")) {
      call.access("read", value);
    }
  }
  const method = (call.values("-X", "--request", "--method")[0] ?? "GET").toUpperCase();
  if (!/^(?:GET|HEAD|OPTIONS)$/.test(method)) call.signal("sends-data", method);
  for (const header of call.values("-H", "--header", "-b", "--cookie", "-A", "-e")) {
    if (SECRET_HEADER.test(header)) call.signal("literal-secret", "header");
    if (isOpen(header)) call.signal("sends-data", readable(header));
  }
  for (const user of call.values("-u", "--user", "--password", "--http-password")) {
    if (/:./.test(user) || call.program === "wget") call.signal("literal-secret", "password");
  }
  noteDownloads(addresses, call);
  return NETWORK;
}

function judgeAddress(address: string, call: Call): void {
  if (/^file:\/\//i.test(address)) {
    call.access("read", address.slice(7));
    return;
  }
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !/^(?:https?|ftps?|sftp|scp)$/.test(scheme)) {
    call.signal("sends-data", `${scheme}:`);
  }
  const written = address.replace(/^[a-z][\w+.-]*:\/\//i, "").replace(/^[^/@]*@/, "")
    .replace(/[/:?#].*$/s, "");
  // What follows a private host directly is taken for the path that it most likely is.
  const bare = written.replace(/[\uFDD0-\uFDEF]+$/, "");
  const host = isPrivateHost(bare) && !/^[\w-]+$/.test(bare) || bare === "localhost"
    ? bare
    : written;
  if (/^[a-z][\w+.-]*:\/\/[^/@:]*:[^/@]+@/i.test(address)) call.signal("literal-secret", "address");
  call.host(host);
  if (isOpen(host) || isFromNetwork(host)) call.signal("network-target", readable(address));
  else if (!isKnown(address) && !isPrivateHost(host)) call.signal("sends-data", readable(address));
}

const PRIVATE =
  /^(?:localhost|[\w-]+|[\w.-]+\.(?:local|internal|localdomain|lan|svc|test)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[::1\])$/;

/** Whether a host can't be outside: this machine, private addresses, bare names. */
function isPrivateHost(host: string): boolean {
  return PRIVATE.test(host);
}

function judgeSent(name: string, value: string, call: Call): void {
  const asQuery = call.has("-G", "--get") && isKnown(value) && !/[@<]/.test(value);
  if (!asQuery) call.signal("sends-data", name);
  const file = /^(?:-T|--upload-file|--post-file|--body-file)$/.test(name)
    ? value
    : /^(?:[^@=]*=)?[@<](.+)$/s.exec(value)?.[1]?.replace(/;.*$/s, "");
  if (file !== undefined && file !== "-") call.access("read", file);
}

function noteDownloads(addresses: readonly string[], call: Call): void {
  const named = call.values("-o", "--output", "-O", "--output-document");
  for (const file of named) call.writes(file, NETWORK);
  for (const address of addresses) {
    const base = address.replace(/[?#].*$/s, "").split("/").at(-1);
    if (base) call.writes(base, NETWORK);
  }
  if (call.program === "wget") {
    if (call.has("-i", "--input-file")) {
      call.signal("network-target", call.values("-i", "--input-file").join(" "));
      call.access("write", ".");
    }
    const toStdout = call.values("-O", "--output-document").some((file) => file === "-");
    const given = call.has("-O", "--output-document");
    if (!toStdout && !given && !call.has("--spider") && addresses.length > 0) {
      call.access("write", call.values("-P", "--directory-prefix")[0] ?? ".");
    }
    return;
  }
  if (call.has("-O", "--remote-name", "-J", "--remote-name-all")) call.access("write", ".");
}

/** `nc`, `socat`, `telnet`: programs at the end of a connection, doors left open. */
export function analyzeSocket(call: Call): string | null {
  const { args } = call;
  const text = args.join(" ");
  if (call.program === "socat") return judgeSocat(args, call);
  if (call.has("-e", "-c", "--exec", "--sh-exec", "--lua-exec")) {
    call.signal("reverse-shell", readable(text));
  }
  const [host] = call.parsed.operands;
  if (call.has("-l", "--listen", "-k")) call.signal("listens", readable(text));
  else if (host !== undefined) call.host(host);
  const sends = call.scene.stdin !== null && !call.has("-z");
  if (sends) call.signal("sends-data", host ?? "");
  else if (!call.has("-z")) call.signal("remote", host ?? "");
  if (call.parsed.operands.some((word) => isOpen(word))) {
    call.signal("network-target", readable(text));
  }
  return NETWORK;
}

function judgeSocat(args: readonly string[], call: Call): string {
  const text = args.join(" ");
  if (/\b(?:exec|system|shell):/i.test(text)) call.signal("reverse-shell", readable(text));
  if (/listen/i.test(text)) call.signal("listens", readable(text));
  call.signal("sends-data", readable(text));
  return NETWORK;
}

/** `http`: a method, an address, and items that are sent. */
export function analyzeHttpie(call: Call): string | null {
  const [first = "", ...rest] = call.parsed.operands;
  const isMethod = /^[A-Z]+$/.test(first);
  const address = isMethod ? rest.shift() ?? "" : first;
  judgeAddress(address, call);
  const sends = rest.some((item) => /[^=]=[^=]|:=|@/.test(item) && !item.includes("=="));
  if (sends || isMethod && !/^(?:GET|HEAD|OPTIONS)$/.test(first)) call.signal("sends-data", first);
  for (const item of rest) {
    const file = /[@]([^;]+)/.exec(item)?.[1];
    if (file !== undefined) call.access("read", file);
  }
  if (call.has("-a", "--auth")) call.signal("literal-secret", "password");
  return NETWORK;
}

/** Text browsers read files as they read pages. */
export function analyzeBrowser(call: Call): string | null {
  for (const word of call.parsed.operands) {
    const path = word.replace(/^file:(?:\/\/)?/i, "");
    if (/^[/.~]/.test(path)) call.access("read", path);
  }
  return NETWORK;
}

const IP_VERBS = /^(?:sh|sho|show|l|li|lis|list|ls|lst|g|ge|get|identify|pids|monitor|help)$/;

/** `ip`: an object and a verb; without a verb it shows. */
export function analyzeIp(call: Call): string | null {
  const [object = "", verb] = call.parsed.operands;
  const shows = verb === undefined || IP_VERBS.test(verb) ||
    verb === "s" && !/^l/.test(object) ||
    /^mo(?:n|ni|nit|nito|nitor)?$/.test(object) ||
    object.startsWith("nets") === false && /^(?:help|netconf)$/.test(object);
  if (!shows) call.signal("data-change", [object, verb].join(" "));
  return null;
}
