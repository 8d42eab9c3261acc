import { assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import { CONTAINED_COMMANDS } from "../../lib/sandbox/commands.ts";
import { onGround, shell } from "./_workers.ts";

/** A command in the contained shell, and what it must bring. */
const READS: readonly (readonly [string, string])[] = [
  ["cat a.txt | awk '{n++} END {print n}'", "2\n"],
  ["find . -name '*.txt' -type f | sort", "./a.txt\n"],
  ["grep -rn two sub ../in/a.txt", "../in/a.txt:2:two\n"],
  ["for f in *.txt; do wc -l < $f; done", "2\n"],
  ['cat <<\'EOF\' | jq -c \'.a[0]\'\n{"a":[{"b":"是"}]}\nEOF', '{"b":"是"}\n'],
  ["cat nothing 2> /dev/null || echo none > /dev/stdout; cat < /dev/null", "none\n"],
  ["cat; echo ended", "ended\n"],
  ["cd sub && pwd | sed 's,.*/,,'", "sub\n"],
  ["seq 200000 | tail -n 1", "200000\n"],
  ["i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i", "20000\n"],
];

Deno.test("the contained shell reads what is granted", () =>
  onGround(async ({ inside }) => {
    const seen = [];
    for (const [command] of READS) seen.push(await shell(command, { cwd: inside }));
    assertEquals(seen, READS.map(([, stdout]) => [0, stdout, ""]));
  }));

for (
  const command of [
    "cat /etc/hostname",
    "cat ../out.txt",
    "cat to-file",
    "cat to-directory/out.txt",
    "cat to-proc/environ",
    "cat /proc/self/environ /proc/$PPID/environ",
    "head -c 10 /dev/sda",
    "read x < ../out.txt; echo $x",
    ". ../out.txt",
    "grep -r secret to-directory",
    "cp ../out.txt sub/",
    "tar -cf - ../out.txt",
    "echo $OPENAI_API_KEY; printenv | grep -i -e key -e token",
    "curl -s http://127.0.0.1:1/",
    "python3 -c 'print(1)'",
    "/usr/bin/python3 -c 1; ls /usr/bin/python3",
    "exec /usr/bin/perl -e 1",
    "echo x > new.txt",
    "rm a.txt",
    "mv a.txt b.txt",
    "chmod 777 a.txt",
    "touch a.txt",
    "ln -s /etc/hostname sub/link",
  ]
) {
  Deno.test(`the contained shell brings nothing from: ${command}`, () =>
    onGround(async ({ inside }) => {
      const before = await Deno.readTextFile(`${inside}/a.txt`);
      const [, stdout] = await shell(command, { cwd: inside });
      const names = [...Deno.readDirSync(inside), ...Deno.readDirSync(`${inside}/sub`)];
      assertEquals(
        [`${stdout}`.trim(), before, names.length],
        ["", await Deno.readTextFile(`${inside}/a.txt`), 6],
      );
    }));
}

Deno.test("the contained shell writes where writing is granted, and behind no link", () =>
  onGround(async ({ inside, outside }) => {
    const options = { cwd: inside, grants: { write: [`${inside}/sub`] } };
    const command = "mkdir -p sub/x/y && echo 1 > sub/x/y/f && cp sub/x/y/f sub/g && " +
      "echo 2 >> sub/g && mv sub/g sub/h && cat sub/h && rm -r sub/x && ls sub";
    assertEquals(await shell(command, options), [0, "1\n2\nh\n", ""]);
    await new Deno.Command("ln", { args: ["-s", outside, `${inside}/sub/to-file`] }).output();
    await new Deno.Command("ln", { args: ["-s", `${inside}/..`, `${inside}/sub/up`] }).output();
    await new Deno.Command("ln", { args: ["-s", `${outside}.new`, `${inside}/sub/new`] }).output();
    await shell("echo 3 > sub/to-file; echo 3 > sub/up/out.txt; echo 3 > sub/new", options);
    const exists = await Deno.stat(`${outside}.new`).then(() => true, () => false);
    assertEquals([await Deno.readTextFile(outside), exists], ["secret\n", false]);
  }));

Deno.test("the contained shell reads no file that the policy keeps", () =>
  onGround(async ({ inside }) => {
    const mayRead = (path: string) => Promise.resolve(!path.endsWith("a.txt"));
    const [code, stdout] = await shell('n=a; cat "$n".txt', { cwd: inside, context: { mayRead } });
    assertEquals([code, stdout], [1, ""]);
  }));

Deno.test("the contained shell reaches granted hosts and no other", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    return new Response("here\n");
  });
  await onGround(async ({ inside }) => {
    const host = `127.0.0.1:${server.addr.port}`;
    const options = { cwd: inside, grants: { net: [host] } };
    assertEquals(await shell(`curl -s http://${host}/x`, options), [0, "here\n", ""]);
    const [code, stdout] = await shell(`curl -s http://localhost:${server.addr.port}/x`, options);
    assertEquals([code === 0, stdout], [false, ""]);
  });
  await server.shutdown();
});

for (
  const command of [
    "while :; do :; done",
    "sleep 300",
    "x=$(while :; do echo y; done)",
    "f() { f | f; }; f",
    "yes() { while :; do echo y; done; }; yes | head -n 1; echo",
  ]
) {
  Deno.test(`the contained shell ends with its time: ${command}`, () =>
    onGround(async ({ inside }) => {
      const signal = AbortSignal.timeout(300);
      const running = shell(command, { cwd: inside, context: { signal } });
      // A shell that heeds nothing would never come to an end of either kind.
      assertEquals(await running.then(() => "ended", () => "ended"), "ended");
    }));
}

Deno.test("the contained shell leaves nothing running once it is ended", () =>
  onGround(async ({ inside }) => {
    const signal = AbortSignal.timeout(100);
    await shell("while :; do :; done", { cwd: inside, context: { signal } }).catch(() => {});
    await new Promise((go) => setTimeout(go, 100));
    const before = process.cpuUsage();
    await new Promise((go) => setTimeout(go, 400));
    const { user, system } = process.cpuUsage(before);
    // Microseconds; a loop that went on would take all of the time.
    assertEquals(user + system < 200_000, true);
  }));

Deno.test("the contained shell that reads everything has its own commands, and no door in /proc", () =>
  onGround(async ({ inside }) => {
    const options = { cwd: inside, grants: { read: true } } as const;
    const command = "which awk; /bin/cat to-file; ls -d /etc; python3 -c 1; " +
      "cat /proc/self/environ to-proc/environ /proc/self/root/etc/hostname; ls /usr/bin/python3";
    const [, stdout] = await shell(command, options);
    assertEquals(stdout, "/usr/bin/awk\nsecret\n/etc\n");
  }));

Deno.test("the contained shell holds its memory", () =>
  onGround(async ({ inside }) => {
    const [code, stdout, stderr] = await shell(
      'x=aaaaaaaa; while :; do x="$x$x"; done; echo grown',
      { cwd: inside },
    );
    assertEquals([code === 0, stdout], [false, ""]);
    assertMatch(`${stderr}`, /limit/);
  }));

Deno.test("the contained shell has the commands that it names", async () => {
  const { getCommandNames } = await import("just-bash");
  const known: readonly string[] = getCommandNames();
  assertEquals(CONTAINED_COMMANDS.filter((name) => !known.includes(name)), []);
});
