import { assertEquals } from "@std/assert";
import { realFiles } from "../../../lib/real/files.ts";
import { createLogStats } from "../../../tools/log_stats.ts";
import { CONTEXT, FakeClock } from "../../fakes.ts";
import { access, gzip, NOW, only } from "./_stats.ts";

/** Enough lines for several pieces of a read. */
const LINES = Array.from({ length: 40_000 }, (_, i) => {
  const seconds = Math.floor(i / 4);
  const time = new Date(Date.UTC(2026, 2, 10, 11) + seconds * 1000).toISOString().slice(11, 19);
  return access(time, `GET /p/${i} HTTP/1.1`, i % 10 === 0 ? 502 : 200);
});

Deno.test("log_stats reads real files: large ones, gzip and links", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const text = LINES.map((line) => `${line}\n`).join("");
    await Deno.writeTextFile(`${directory}/access.log`, text);
    await Deno.writeFile(`${directory}/access.log.1.gz`, await gzip(text));
    await Deno.symlink("access.log", `${directory}/current.log`);
    const tool = createLogStats({ files: realFiles, clock: new FakeClock(NOW) });
    const outcome = await tool.run({
      paths: [directory],
      last: "10m",
      status: "5xx",
      group_by: ["endpoint"],
      normalize: true,
      samples: 0,
    }, CONTEXT);
    assertEquals(outcome.ok && only(outcome.data, "files", "lines", "window", "rows"), {
      files: 2,
      lines: {
        read: 80_000,
        not_parsed: 0,
        in_window: 4800,
        matched: 480,
        matched_before: 480,
        change_pct: 0,
      },
      window: { after: "2026-03-10T13:36:39Z", through: "2026-03-10T13:46:39Z" },
      rows: [["GET /p/:id", 480, 100, 480, 0]],
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
