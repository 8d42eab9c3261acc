/**
 * Makes `docs/images/trace.png`: the page of the demo's run, as Chromium shows it.
 * `deno run -P=tests tests/trace/make_picture.ts`
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { generateLog } from "../../demo/log.ts";
import { LOG_NAME, QUESTION } from "../../demo/run.ts";
import { inTempDir } from "../_temp.ts";
import { type Ended, rein, SOURCE } from "../e2e/_program.ts";
import { findChromium, startChromium } from "./_chromium.ts";

/** Of the picture, in pixels. */
const SIZE = { width: 1100, height: 1500 };

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

function succeeded({ code, stderr }: Ended): void {
  if (code !== 0) throw new Error(stderr);
}

/** Lets the demo run below a directory, and writes the page of it there. */
async function writePage(directory: string): Promise<string> {
  const cwd = `${directory}/work`;
  await Deno.mkdir(cwd);
  await Deno.writeTextFile(`${cwd}/${LOG_NAME}`, generateLog());
  await Deno.copyFile(pathOf("../../demo/demo.jsonl"), `${directory}/demo.jsonl`);
  const settings = { cwd, env: { XDG_STATE_HOME: `${directory}/state`, TZ: "UTC" } };
  const model = "recorded:../demo.jsonl";
  succeeded(await rein(SOURCE, ["-m", model, "--session", "demo", QUESTION], settings));
  const path = `${directory}/page.html`;
  succeeded(await rein(SOURCE, ["trace", "demo", "--html", path], settings));
  return path;
}

if (import.meta.main) {
  const chromium = findChromium();
  if (chromium === null) Deno.exit(1);
  await inTempDir({}, async (directory) => {
    const path = await writePage(directory);
    const browser = await startChromium(chromium);
    const tab = await browser.newTab();
    await tab.view({ ...SIZE, scheme: "light" });
    await tab.open(`file://${path}`);
    await Deno.writeFile(pathOf("../../docs/images/trace.png"), await tab.picture(SIZE.height));
    await browser.close();
  });
}
