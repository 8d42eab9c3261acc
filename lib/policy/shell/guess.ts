/**
 * Guesses: what the words of a program could mean if it ran other programs or
 * opened files in ways that its grammar doesn't tell. Only denials of guesses
 * count, so that a guess never stops what only reads.
 *
 * @module
 */
import { type Access, bareFinding } from "../facts.ts";
import { isKnown } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "./call.ts";
import { guessOptionValues } from "./guess_values.ts";

/** Tries every way in which a call's words could be commands, code and paths. */
export function guessWhatRuns(call: Call): void {
  if (call.scene.hypothetical || !call.walk.mayRepeat()) return;
  guessOptionValues(call);
  if (call.spec?.inert) return;
  if (isUnderstoodWrapper(call)) return;
  guessCommands(call);
  guessPaths(call);
  const { stdin } = call.scene;
  if (stdin !== null && isKnown(stdin)) guessCode(stdin, call);
  if (call.spec !== null && !call.spec.opaque) return;
  for (const word of call.args.slice(0, 64)) if (/\s/.test(word)) guessCode(word, call);
}

const WRAPPING: ReadonlySet<string> = new Set(["env", "su", "xargs", "watch", "setarch", "shell"]);

/** Whether the command that a wrapper runs is judged anyway. */
function isUnderstoodWrapper({ spec, parsed }: Call): boolean {
  return (spec?.runs !== undefined || WRAPPING.has(spec?.analyze ?? "")) &&
    parsed.doubtful.length === 0;
}

/** Programs whose names are worth a guess. */
const RISKY: ReadonlySet<string> = new Set([
  ...["rm", "dd", "shred", "wipefs", "mkfs", "mkfs.ext4", "mkfs.xfs", "chmod", "chown", "find"],
  ...["sh", "bash", "dash", "zsh", "sudo", "env", "kill", "cat", "eval"],
]);

function guessCommands(call: Call): void {
  for (const [index, word] of call.args.slice(0, 24).entries()) {
    const base = word.slice(word.lastIndexOf("/") + 1);
    if (RISKY.has(base)) call.run(call.args.slice(index), { hypothetical: true });
  }
}

const CODE =
  /(?:^|[\s"'`([{|!;=@+:])((?:sudo |exec |eval |bash |sh )*(?:\/\S*\/)?(?:rm|dd|mkfs[.\w]*|shred|wipefs|chmod|chown|find|cat|curl|wget|(?:ba|z|da)?sh) [^"'`\n)\]}]*)/gm;

/** Tries what looks like shell code within a text of another kind. */
export function guessCode(text: string, call: Call): void {
  const found = [...text.slice(0, 20_000).matchAll(CODE)].slice(0, 16);
  for (const [, code = ""] of found) {
    call.code(code.replaceAll("\\", ""), { hypothetical: true, stdin: null });
  }
}

/** Options whose files are used to prove who one is, which shows nothing of them. */
const PROVING = /^-i$|key|cert|identity|defaults|kubeconfig|passfile|password-file|login/;

/** Every word that may name a file whose content is read. */
function pathWords(call: Call): readonly string[] {
  const { parsed, program } = call;
  if (program === "ssh-keygen" && parsed.flags.some(({ name }) => name === "-l")) return [];
  const values = parsed.flags.flatMap(({ name, spec, value }) =>
    value !== null && (spec === null || !PROVING.test(name)) ? [value] : []
  );
  return [...parsed.operands, ...values, ...bodyWords(call)];
}

/** Clients that move files as their standard input says. */
const MOVING: ReadonlySet<string> = new Set(
  ["sftp", "ftp", "lftp", "ncftp", "ncftpput", "smbclient", "tftp", "cadaver", "psftp"],
);

/** The words of a client's own script, which it reads or is given as a value. */
function bodyWords({ program, parsed, scene }: Call): readonly string[] {
  if (!MOVING.has(program)) return [];
  const values = parsed.flags.map(({ value }) => value ?? "");
  return [...values, scene.stdin ?? ""].flatMap((text) => text.slice(0, 4_000).split(/[\s;]+/));
}

/** Names of programs that put something in place of what a disk holds. */
const OVERWRITING =
  /dd|wipe|erase|scrub|shred|flash|format|burn|write|clone|image|restore|copy|mkfs|partition/;

const PATH_IN_WORD = /(?:^|['"(=:@,\s])((?:\/|~\/)[\w./~-]+)/g;

/** What looks like a path in the words of a program that isn't known to be harmless. */
function guessPaths(call: Call): void {
  const paths = pathWords(call).slice(0, 64).flatMap((word) =>
    [...word.slice(0, 2_000).matchAll(PATH_IN_WORD)].slice(0, 16).map(([, path = ""]) => path)
  );
  if (paths.length === 0) return;
  const overwrites = call.spec === null && OVERWRITING.test(call.program);
  const { operands } = call.parsed;
  const first = operands.length > 1 ? operands[0] : undefined;
  const accesses = paths.flatMap((word): Access[] => {
    const expanded = word.startsWith("~/") ? call.walk.world.home + word.slice(1) : word;
    const path = resolveWord(expanded, "/");
    const access = { word, path, recursive: false };
    return overwrites && path.startsWith("/dev/") && word !== first
      ? [{ kind: "read", ...access }, { kind: "write", ...access }]
      : [{ kind: "read", ...access }];
  });
  const text = call.extra.text ?? call.program;
  call.walk.report({ ...bareFinding(text, call.outer, true), accesses });
}
