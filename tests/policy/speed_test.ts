import { assert } from "@std/assert";
import { decide } from "./judging.ts";

const N = 40_000;

/** Texts on which a careless pattern takes quadratic time. */
const HOSTILE: Readonly<Record<string, string>> = {
  "slashes": `foo '${"/".repeat(N)} x'`,
  "quotes in code": `python3 -c '${'"'.repeat(N)}'`,
  "words in quotes in code": `python3 -c '${'"a",'.repeat(N / 2)}'`,
  "calls in code": `perl -e '${'system("'.repeat(N / 4)}'`,
  "backticks in code": `perl -e '${"`".repeat(N)}'`,
  "lines of SQL": `psql -c '${"\n".repeat(N)}'`,
  "comments of SQL": `psql -c '${"/*".repeat(N)}'`,
  "quotes of SQL": `psql -c "${"'".repeat(N + 1)}"`,
  "addresses of sed": `sed '${"/[a".repeat(N)}'`,
  "patterns of awk": `awk '${"/[".repeat(N)}'`,
  "settings of git": `git ${"-c a=b ".repeat(N / 4)} log`,
  "starting points of find": `find ${"a ".repeat(N / 2)} -exec rm {} +`,
  "segments of a path": `cat /${"a/".repeat(N / 2)}`,
  "stars in a path": `rm -rf /${"*a".repeat(900)}`,
  "variables of variables": Array.from({ length: 10_000 }, (_, i) => `v${i + 1}=$v${i}a`).join(";"),
  "paths": `rm ${Array.from({ length: N }, (_, i) => `/srv/data/${i}`).join(" ")}`,
  "printed words": `printf '%s\\n' ${"x ".repeat(N)}| xargs rm`,
  "hosts": `ping ${Array.from({ length: N }, (_, i) => `h${i}.example.com`).join(" ")}`,
  "loops within loops": `${
    Array.from({ length: 60 }, (_, i) => `for i${i} in 1 2 3; do `).join("")
  }rm $i1; ${"done; ".repeat(60)}`,
  "conditions within conditions": `${"while ".repeat(40)}x=1; ${"do ls; done; ".repeat(40)}`,
  "alternatives within substitutions": `if a; then x=1; elif b; then x=2; else x=3; fi; ${
    "echo $x$(".repeat(12)
  }ls${")".repeat(12)}`,
  "aliases of aliases": `${
    Array.from({ length: 60 }, (_, i) => `alias a${i + 1}='a${i}; a${i}'\n`).join("")
  }a60`,
  "braces": `echo {${"a,".repeat(N)}b}`,
};

for (const [what, command] of Object.entries(HOSTILE)) {
  Deno.test(`many ${what} are judged in time`, () => {
    const start = performance.now();
    decide(command);
    const ms = performance.now() - start;
    assert(ms < 3_000, `${ms.toFixed(0)} ms`);
  });
}
