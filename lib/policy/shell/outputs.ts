/**
 * What programs print, as far as it can be known: the text of `echo`, what
 * filters make of it, and the kind of thing that others print.
 *
 * @module
 */
import { ANY, blurred, isFromNetwork, isKnown, NAME, NETWORK, NUMBER } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "./call.ts";
import { decodeBase64, decodeEscapes, decodeHex, encodeBase64, translate } from "./decode.ts";

/** Longer texts are not computed. */
const MAX_CHARS = 65_536;

/** What a call prints, with marks. */
export function outputOf(call: Call): string {
  const known = OUTPUTS[call.program]?.(call);
  if (known !== undefined) return known;
  const { stdin } = call.scene;
  return stdin !== null && isFromNetwork(stdin) ? NETWORK : ANY;
}

type Output = (call: Call) => string;

const OUTPUTS: Readonly<Record<string, Output | undefined>> = Object.assign(
  Object.create(null) as Record<string, Output>,
  {
    echo,
    cat: (call: Call) => passThrough(call),
    tee: (call: Call) => {
      for (const file of call.parsed.operands) call.writes(file, call.scene.stdin ?? ANY);
      return call.scene.stdin ?? "";
    },
    pv: (call: Call) => passThrough(call),
    head: partial,
    tail: partial,
    sort: partial,
    uniq: partial,
    grep: partial,
    sed: partial,
    awk: partial,
    cut: partial,
    tac: partial,
    rev: (call: Call) => computed(call, (text) => text.split("\n").map(reversed).join("\n")),
    tr,
    base64,
    basenc: base64,
    base32: (call: Call) => blurred(stdinOf(call)),
    xxd,
    openssl: (call: Call) =>
      call.args.includes("base64") || call.args.includes("-base64") || call.args.includes("-a")
        ? base64(call)
        : call.args[0] === "s_client"
        ? NETWORK
        : blurred(stdinOf(call)),
    find: (call: Call) => `${startOf(call.parsed.operands[0], call)}/${ANY}\n`,
    ls: (call: Call) => [...call.parsed.operands, NAME, ""].join("\n"),
    mktemp: () => `/tmp/${NAME}\n`,
    date: () => `${NAME}\n`,
    hostname: () => `${NAME}\n`,
    whoami: () => `${NAME}\n`,
    id: () => `${NAME}\n`,
    uname: () => `${NAME}\n`,
    nproc: () => `${NUMBER}\n`,
    wc: () => `${NUMBER}\n`,
    seq: () => `${NUMBER}\n`,
    pgrep: () => `${NUMBER}\n`,
    pidof: () => `${NUMBER}\n`,
    basename,
    which: (call: Call) => `/usr/bin/${call.parsed.operands[0] ?? NAME}\n`,
    type: () => `${NAME}\n`,
    realpath: resolved,
    readlink: resolved,
    dirname: parent,
    true: () => "",
    false: () => "",
    ":": () => "",
    sleep: () => "",
    ssh: network,
    curl: network,
    wget: network,
    lynx: network,
    w3m: network,
    links: network,
    aria2c: network,
    fetch: network,
    http: network,
    nc: network,
    ncat: network,
    netcat: network,
    socat: network,
    telnet: network,
    ftp: network,
    lftp: network,
    tftp: network,
    smbclient: network,
    dig: network,
    nslookup: network,
    host: network,
  } satisfies Record<string, Output>,
);

function network(): string {
  return NETWORK;
}

function stdinOf(call: Call): string {
  return call.scene.stdin ?? "";
}

/** Standard input, or the files named; their text isn't known. */
function passThrough(call: Call): string {
  const files = call.parsed.operands.filter((word) => word !== "-");
  if (files.length === 0) return stdinOf(call);
  return files.map((file) => call.textOf(file) ?? ANY).join("");
}

/** Some of what comes in; what is left can't be told. */
function partial(call: Call): string {
  const { stdin } = call.scene;
  if (stdin === null) return ANY;
  if (stdin === ANY) return ANY;
  return isKnown(stdin) && stdin.length < 2_000 ? `${stdin}\n${ANY}` : blurred(stdin);
}

function computed(call: Call, compute: (text: string) => string | null): string {
  const text = passThrough(call);
  if (!isKnown(text) || text.length > MAX_CHARS) return blurred(text);
  return compute(text) ?? ANY;
}

function reversed(line: string): string {
  return [...line].reverse().join("");
}

function echo(call: Call): string {
  let words = call.args;
  let escapes = false;
  let newline = "\n";
  while (/^-[neE]+$/.test(words[0] ?? "")) {
    if (words[0]?.includes("e")) escapes = true;
    if (words[0]?.includes("n")) newline = "";
    words = words.slice(1);
  }
  const text = words.join(" ");
  return (escapes ? decodeEscapes(text) : text) + newline;
}

function tr(call: Call): string {
  const [from = "", to = null] = call.parsed.operands;
  if (call.has("-c", "-C", "-s", "-t", "--complement")) return blurred(stdinOf(call));
  const text = stdinOf(call);
  if (!isKnown(text + from + (to ?? "")) || text.length > MAX_CHARS) return blurred(text);
  if (call.has("-d", "--delete")) return translate(text, from, null) ?? ANY;
  return translate(text, from, to ?? from) ?? ANY;
}

function base64(call: Call): string {
  const decodes = call.has("-d", "-D", "--decode") || call.args.includes("-d");
  const text = call.program === "openssl" ? opensslInput(call) : passThrough(call);
  if (!isKnown(text) || text.length > MAX_CHARS) return blurred(text);
  return decodes ? decodeBase64(text) ?? ANY : `${encodeBase64(text)}\n`;
}

function opensslInput(call: Call): string {
  const at = call.args.indexOf("-in");
  const file = call.args[at + 1];
  return at < 0 || file === undefined ? stdinOf(call) : call.textOf(file) ?? ANY;
}

function xxd(call: Call): string {
  return call.has("-r") ? computed(call, decodeHex) : blurred(stdinOf(call));
}

function startOf(word: string | undefined, call: Call): string {
  return word === undefined || word.startsWith("-") ? call.cwd : word.replace(/\/+$/, "");
}

function resolved(call: Call): string {
  const [word] = call.parsed.operands;
  const path = word === undefined ? ANY : resolveWord(word, call.cwd);
  return isKnown(path) ? `${call.walk.world.realPath(path) ?? path}\n` : `${ANY}\n`;
}

function basename(call: Call): string {
  const [word = ANY, suffix = ""] = call.parsed.operands;
  if (!isKnown(word + suffix) || call.has("-a", "-s", "--suffix", "--multiple")) return `${NAME}\n`;
  const base = word.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return `${base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base}\n`;
}

function parent(call: Call): string {
  const [word] = call.parsed.operands;
  if (word === undefined || !isKnown(word)) return `${ANY}\n`;
  const slash = word.replace(/\/+$/, "").lastIndexOf("/");
  return slash < 0 ? ".\n" : `${word.slice(0, slash) || "/"}\n`;
}

/** What `printf FORMAT WORD…` prints. */
export function formatted(words: readonly string[]): string {
  const [format, ...values] = words;
  if (format === undefined) return "";
  if (!isKnown(format)) return blurred(words.join(" "));
  let output = "";
  let at = 0;
  do {
    const before = at;
    output += decodeFormat(format, () => values[at++] ?? "");
    if (at === before) break;
  } while (at < values.length);
  return output;
}

function decodeFormat(format: string, next: () => string): string {
  return decodeEscapes(format.replaceAll("%%", "\u0001")).replaceAll(
    /%([-+ #0]*)(\d*)(?:\.(\d+))?([A-Za-z])/g,
    (
      _whole: string,
      _flags: string,
      _width: string,
      precision: string | undefined,
      kind: string,
    ) => {
      const value = next();
      if (kind === "s") return precision === undefined ? value : value.slice(0, Number(precision));
      if (kind === "b") return decodeEscapes(value);
      if (kind === "c") return value.slice(0, 1);
      if (kind === "q") return value;
      return isKnown(value) ? numberText(value, kind) : NUMBER;
    },
  ).replaceAll("\u0001", "%");
}

function numberText(value: string, kind: string): string {
  const quoted = /^["']([^])/.exec(value);
  const number = quoted ? quoted[1]?.codePointAt(0) ?? 0 : Number(value || "0");
  if (!Number.isInteger(number)) return NUMBER;
  if (kind === "x" || kind === "X") return number.toString(16);
  return kind === "o" ? number.toString(8) : String(number);
}
