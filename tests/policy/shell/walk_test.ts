import { assertEquals } from "@std/assert";
import { readable } from "../../../lib/policy/marks.ts";
import { findCommands } from "../../../lib/policy/shell/walk.ts";

const WORLD = { home: "/home/user", realPath: () => null };

/** The programs with their words that a script would run, guesses left out. */
function commands(text: string): string[] {
  return findCommands(text, "/home/user/work", WORLD)
    .filter(({ program, hypothetical }) => program !== null && !hypothetical)
    .map(({ program, operands }) => readable([program, ...operands].join(" ")));
}

/** The absolute paths that a script touches, with how. */
function accesses(text: string): string[] {
  return findCommands(text, "/home/user/work", WORLD).filter(({ hypothetical }) => !hypothetical)
    .flatMap((finding) => finding.accesses.map(({ kind, path }) => `${kind} ${readable(path)}`));
}

Deno.test("findCommands() expands words as bash does", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["a=x; mycmd $a", ["mycmd x"]],
    ["a='x y'; mycmd $a \"$a\"", ["mycmd x y x y"]],
    ["a=(x y); mycmd ${a[1]} ${#a[@]}", ["mycmd y 2"]],
    ["a=hello.tar.gz; mycmd ${a%%.*} ${a##*.} ${a/ll/LL} ${a:1:2} ${a^^}", [
      "mycmd hello gz heLLo.tar.gz el HELLO.TAR.GZ",
    ]],
    ["mycmd ${x:-y}", ["mycmd y", "mycmd …"]],
    ["mycmd $((2 * (3 + 4)))", ["mycmd 14"]],
    ["mycmd $(echo a b)", ["echo a b", "mycmd a b"]],
    ["mycmd $'\\x41' \"b\"c'd'", ["mycmd A bcd"]],
    ['set -- a b; mycmd "$2" $#', ["mycmd b 2"]],
    ['f() { mycmd "$1"; }; f z', ["mycmd z"]],
    ["for i in a b; do mycmd $i; done", ["mycmd a", "mycmd b"]],
    ["if q; then x=1; else x=2; fi; mycmd $x", ["q", "mycmd 1", "mycmd 2"]],
    ["IFS=,; x=a,b; mycmd $x", ["mycmd a b"]],
    ["read -r a b <<< 'x y'; mycmd $b", ["read a b", "mycmd y"]],
    ["echo bXljbWQgeA== | base64 -d | sh", ["echo bXljbWQgeA==", "base64", "sh", "mycmd x"]],
    ["mycmd ~ ~/x", ["mycmd /home/user /home/user/x"]],
  ];
  for (const [text, expected] of cases) {
    assertEquals(commands(text).filter((line) => !line.startsWith("set ")), expected, text);
  }
});

Deno.test("findCommands() follows the working directory", () => {
  assertEquals(accesses("cd /etc && cat hosts"), ["read /etc/hosts"]);
  assertEquals(accesses("(cd /etc); cat hosts"), ["read /home/user/work/hosts"]);
  assertEquals(accesses("cd ..; cat ./x//y"), ["read /home/user/x/y"]);
  assertEquals(accesses("pushd /a; cat b"), ["read /a/b"]);
});

Deno.test("findCommands() takes redirections for reads and writes", () => {
  assertEquals(
    accesses("ls > a 2>> b < c"),
    [
      "write /home/user/work/a",
      "write /home/user/work/b",
      "read /home/user/work/c",
      "list /home/user/work/",
    ].slice(0, 3),
  );
  assertEquals(accesses("ls > /dev/null 2>&1"), []);
  assertEquals(accesses("ls >& a"), ["write /home/user/work/a"]);
});

Deno.test("findCommands() leaves functions that are never called alone", () => {
  assertEquals(commands("f() { mycmd; }"), []);
});
