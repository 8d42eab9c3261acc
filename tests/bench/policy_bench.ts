/**
 * Speed of the policy engine: plain figures and `bash -n` as the reference.
 * `deno run -A tests/bench/policy_bench.ts`
 *
 * @module
 */
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy } from "../../lib/policy/load.ts";
import type { Decision } from "../../lib/types.ts";

const WORLD = { cwd: "/home/user/work", home: "/home/user", realPath: () => null };

const TYPICAL =
  "cd /srv/app && git log --oneline -n 20 | grep -i fix | head -5; df -h /var 2>/dev/null | tail -n +2";

const LINES = [
  "if [ -f /etc/os-release ]; then . /etc/os-release; fi",
  'for f in /var/log/*.log; do grep -c ERROR "$f" || true; done',
  'x=$(date +%F); echo "today is $x" | tee /tmp/out-$x',
  "rm -rf build/cache",
  "awk -F: '$3 >= 1000 {print $1}' /etc/passwd | sort -u",
];

function time(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function row(name: string, value: string, aim = ""): void {
  console.log(`${name.padEnd(52)}${value.padStart(14)}  ${aim}`);
}

const loading: number[] = [];
for (let round = 0; round < 20; round += 1) {
  loading.push(time(() => createJudge(loadPolicy(builtInSources()), WORLD)));
}
row("load the built-in policy, first", `${loading[0]?.toFixed(2)} ms`, "aim: 10 ms with imports");
row("load the built-in policy, warm", `${median(loading).toFixed(2)} ms`);

const judge = createJudge(loadPolicy(builtInSources()), WORLD);

function decide(command: string): Decision {
  const subjects = [{ kind: "command", command }] as const;
  return judge({ tool: "run_shell", effect: "execute", subjects }).decision;
}

row("judge 100 characters, cold", `${time(() => decide(TYPICAL)).toFixed(3)} ms`);
for (let round = 0; round < 2_000; round += 1) decide(TYPICAL);
const rounds = 5_000;
const each = time(() => {
  for (let round = 0; round < rounds; round += 1) decide(TYPICAL);
}) / rounds;
row("judge 100 characters, warm", `${each.toFixed(4)} ms`, "aim: well under 0.2 ms");

const spawning = median(Array.from({ length: 20 }, () =>
  time(() => {
    new Deno.Command("bash", { args: ["-n", "-c", TYPICAL] }).outputSync();
  })));
row(
  "bash -n of the same, spawned",
  `${spawning.toFixed(2)} ms`,
  `${Math.round(spawning / each)} times`,
);

const big = LINES.join("\n").concat("\n").repeat(Math.ceil(1_000_000 / LINES.join("\n").length));
row("judge a script of 1 MB", `${time(() => decide(big)).toFixed(0)} ms`, "aim: under 1,000 ms");

const HOSTILE: Readonly<Record<string, string>> = {
  "10,000 nested $(": "echo " + "$(".repeat(10_000) + "rm -rf /" + ")".repeat(10_000),
  "10,000 nested (": "(".repeat(10_000) + "rm -rf /" + ")".repeat(10_000),
  "10,000 nested {": "{ ".repeat(10_000) + "ls;" + "}".repeat(10_000),
  "100,000 words": "rm -rf " + "a ".repeat(100_000) + "/",
  "exponential braces": "rm -rf " + "{a,b}".repeat(40),
  "nested braces": "echo " + "{".repeat(5_000) + "a" + ",b}".repeat(5_000),
  "doubling variable": "x=aa; " + "x=$x$x; ".repeat(60) + "rm -rf /$x",
  "doubling array": "x=(a b); " + 'x=("${x[@]}" "${x[@]}"); '.repeat(60) + "ls",
  "nested loops": "for a in {1..60}; do ".repeat(12) + "rm x;" + " done;".repeat(12),
  "nested while": "while x=1; do ".repeat(100) + "y=2;" + " done;".repeat(100),
  "functions that call each other":
    Array.from({ length: 60 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; };`)
      .join(" ") + " f0",
  "a chain of 100,000": "true && ".repeat(100_000) + "ls",
  "a pipe of 20,000": "cat | ".repeat(20_000) + "ls",
  "a sum of 50,000": "echo $((" + "1+".repeat(50_000) + "1))",
  "eval of eval": "eval ".repeat(10_000) + "ls",
  "sudo of sudo": "sudo ".repeat(10_000) + "ls",
  "wrappers of unknown grammar": "valgrind ".repeat(2_000) + "ls",
  "200,000 quotes": `echo ${"'a'".repeat(200_000)}`,
  "a long regular pattern": `x=${"a".repeat(5_000)}; echo \${x/${"*a".repeat(500)}b/}`,
  "a long awk program": `awk '${"{print /a/ > b}".repeat(20_000)}'`,
  "a long sed script": `sed '${"s/a/b/;".repeat(50_000)}'`,
  "unclosed quote": `echo "${"a".repeat(200_000)}`,
  "alternatives": "if a; then x=1; else x=2; fi; ".repeat(2_000) + "echo $x",
};
console.log();
for (const [name, command] of Object.entries(HOSTILE)) {
  let decision: Decision = "allow";
  const ms = time(() => {
    decision = decide(command);
  });
  row(
    `${name} (${command.length.toLocaleString("en")} characters)`,
    `${ms.toFixed(0)} ms`,
    decision,
  );
}
