import { assertEquals } from "@std/assert";
import { joinWalls } from "../../lib/policy/walls.ts";

Deno.test("joinWalls() leaves open what nobody restricts", () => {
  assertEquals(joinWalls([]), {});
  assertEquals(joinWalls([{}, {}]), {});
});

Deno.test("joinWalls() grants what every list grants", () => {
  const first = { read: ["/var/log", "/srv/app/"], net: ["*"] };
  const second = { read: ["/var", "/srv/app/data", "/home"], net: ["api.example.com"] };
  const joined = joinWalls([first, second]);
  assertEquals(joined.read?.toSorted(), ["/srv/app/data", "/var/log"]);
  assertEquals(joined.net, ["api.example.com"]);
  assertEquals(joinWalls([second, first]).read?.toSorted(), ["/srv/app/data", "/var/log"]);
});

Deno.test("joinWalls() takes neither a neighbour nor a way out for what is granted", () => {
  assertEquals(joinWalls([{ read: ["/var/log"] }, { read: ["/var/logs"] }]).read, []);
  assertEquals(joinWalls([{ read: ["."] }, { read: ["../x", "/etc", "logs"] }]).read, ["logs"]);
});

Deno.test("joinWalls() takes the closer of two walls, in whatever order they come", () => {
  const close = { shell: "contained", sandbox: "bubblewrap" } as const;
  const open = { shell: "host", sandbox: "none" } as const;
  assertEquals([joinWalls([close, open]), joinWalls([open, close])], [close, close]);
});

Deno.test("joinWalls() lets runs delegate in turn where somebody says so and nobody forbids it", () => {
  const [yes, no] = [{ recursive: true }, { recursive: false }];
  assertEquals(
    [joinWalls([{}, yes]), joinWalls([yes, no]), joinWalls([no, yes])],
    [yes, no, no],
  );
});
