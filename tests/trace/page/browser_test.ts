import { assertEquals } from "@std/assert";
import type { Event } from "../../../lib/events.ts";
import { english, loadSay, type Say } from "../../../lib/messages/messages.ts";
import { joinDelegated } from "../../../lib/trace/join_delegated.ts";
import { pageOf } from "../../../lib/trace/page/page.ts";
import { tracedRuns } from "../../../lib/trace/tracer.ts";
import { inTempDir } from "../../_temp.ts";
import { type Browser, findChromium, startChromium, type Tab } from "../_chromium.ts";
import { agentRun, incident, longRun } from "../_story.ts";

const chromium = findChromium();

/** Calls of the incident, and of the agent that it was delegated to. */
const CALLS = 7;

async function pageFrom(events: readonly Event[], say: Say = english): Promise<string> {
  const find = (agent: string) =>
    Promise.resolve(agent === "payments" ? tracedRuns(agentRun()) : []);
  const runs = [];
  for (const run of tracedRuns(events)) runs.push(await joinDelegated(run, find));
  return pageOf({ session: "s", runs }, { say, timeText: () => "2026-11-29 12:00" });
}

let browser: Browser | null = null;
Deno.test.beforeAll(async () => {
  browser = chromium === null ? null : await startChromium(chromium);
});
Deno.test.afterAll(async () => await browser?.close());

/** Looks at a page from a disk; nothing but the page may be asked for, and nothing go wrong. */
function inBrowser(law: string, page: () => Promise<string>, look: (tab: Tab) => Promise<void>) {
  Deno.test({
    name: law,
    ignore: chromium === null,
    // The browser is shared by all tests of this file.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () =>
      inTempDir({}, async (directory) => {
        const tab = await (browser as Browser).newTab();
        await Deno.writeTextFile(`${directory}/page.html`, await page());
        await tab.view({ width: 1100, height: 900, scheme: "light" });
        await tab.open(`file://${directory}/page.html`);
        await look(tab);
        assertEquals(tab.faults, []);
        assertEquals(
          new Set(tab.requests.map((url) => url.split("#")[0])),
          new Set([`file://${directory}/page.html`]),
        );
      }),
  });
}

/** In the page: the ids of calls that are open. */
const OPEN_CALLS = `[...document.querySelectorAll("details.call[open]")].map(({ id }) => id)`;

/** In the page: the id of the call that has the keyboard. */
const FOCUSED = `document.activeElement.closest("details.call")?.id ?? null`;

inBrowser(
  "every call is reached by j and k, opens by Enter and holds its output",
  () => pageFrom(incident()),
  async (tab) => {
    const seen: string[] = [];
    for (let count = 0; count < CALLS - 1; count++) {
      await tab.press("j");
      await tab.press("Enter");
      seen.push(await tab.value<string>(FOCUSED));
    }
    assertEquals(seen, ["r0s0c0", "r0s0c1", "r0s1c0", "r0s1c1", "r0s2c0", "r0s3c0"]);
    assertEquals(await tab.value(OPEN_CALLS), seen);
    const outputs = await tab.value<string[]>(
      `[...document.querySelectorAll("details.call[open]")].map((call) => call.innerText)`,
    );
    const held = [
      '"build/"',
      "295",
      "The policy denies this",
      '"exit_code": 0',
      "Connection refused",
      "the pool is exhausted",
    ];
    assertEquals(held.filter((text, at) => !outputs[at]?.includes(text)), []);
    await tab.press("k");
    await tab.press("Enter");
    assertEquals([await tab.value(FOCUSED), (await tab.value<string[]>(OPEN_CALLS)).length], [
      "r0s2c0",
      5,
    ]);
  },
);

inBrowser(
  "o opens all calls, those of other agents too, and closes them again",
  () => pageFrom(incident()),
  async (tab) => {
    await tab.press("o");
    const visible =
      `[...document.querySelectorAll("details.call pre")].filter((each) => each.checkVisibility()).length`;
    assertEquals((await tab.value<string[]>(OPEN_CALLS)).length, CALLS);
    assertEquals(await tab.value<number>(visible) >= 2 * CALLS - 2, true);
    await tab.press("o");
    assertEquals(await tab.value(OPEN_CALLS), []);
  },
);

inBrowser("a bar of the timeline opens its call", () => pageFrom(incident()), async (tab) => {
  const bar = `document.querySelector('svg a[href="#r0s1c1"] rect')`;
  const place = await tab.value<{ x: number; y: number }>(
    `(() => { ${bar}.scrollIntoView(); const { x, y, width, height } = ${bar}.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 }; })()`,
  );
  const pressed = { ...place, button: "left", clickCount: 1 };
  await tab.send("Input.dispatchMouseEvent", { type: "mousePressed", ...pressed });
  await tab.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...pressed });
  await tab.value(
    `new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))`,
  );
  assertEquals([await tab.value(OPEN_CALLS), await tab.value(FOCUSED)], [["r0s1c1"], "r0s1c1"]);
});

/** In the page: texts whose contrast to what is behind them is less than 4.5 to 1. */
const FAINT = `(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const ground = colour(getComputedStyle(each).backgroundColor);
      if (ground[3] === 255) return ground;
      const box = each.closest(".node")?.querySelector("rect");
      if (box) return colour(getComputedStyle(box).fill);
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  let seen = 0;
  for (const element of document.querySelectorAll("body *")) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (texts.length === 0 || !element.checkVisibility() || element.closest("script, title")) continue;
    seen++;
    const style = getComputedStyle(element);
    const [one, other] = [
      light(colour(element instanceof SVGElement ? style.fill : style.color)),
      light(behind(element)),
    ].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) found.push(element.tagName + "." + element.className + " " + contrast.toFixed(2));
  }
  return { seen, found };
})()`;

for (const scheme of ["light", "dark"] as const) {
  inBrowser(
    `all texts can be read in ${scheme} colours`,
    () => pageFrom(incident()),
    async (tab) => {
      await tab.view({ width: 1100, height: 900, scheme });
      const ground = await tab.value<string>("getComputedStyle(document.body).backgroundColor");
      assertEquals(ground, scheme === "light" ? "rgb(247, 246, 243)" : "rgb(21, 23, 26)");
      await tab.press("o");
      await tab.value(`location.hash = "r0s1c0"`);
      const { seen, found } = await tab.value<{ seen: number; found: string[] }>(FAINT);
      assertEquals([found, seen > 150], [[], true], `${seen} texts`);
    },
  );
}

inBrowser(
  "a page never scrolls sideways, however narrow, long words or not",
  () => pageFrom(incident(`Why ${"a".repeat(500)}?`)),
  async (tab) => {
    for (const width of [360, 320, 1100]) {
      await tab.view({ width, height: 740, scheme: "light" });
      for (const _ of ["open", "closed"]) {
        await tab.press("o");
        const wide = await tab.value<number>("document.documentElement.scrollWidth");
        assertEquals(wide, width);
      }
    }
  },
);

inBrowser("hostile texts stay texts, wherever they stand", () => {
  const evil =
    `</pre></title></script><script>hacked = 1</script>"><img src=x onerror="hacked = 1">`;
  const kept = [
    "schema",
    "at",
    "type",
    "status",
    "decision",
    "by",
    "scope",
    "call_id",
    "call",
    "id",
  ];
  const texts = JSON.parse(
    JSON.stringify(incident()),
    (key, value) =>
      kept.includes(key) || typeof value !== "string" || value === ""
        ? value
        : `${value}${evil}\0\u202e\u2066<b>分析</b>`,
  );
  return pageFrom(texts);
}, async (tab) => {
  await tab.press("o");
  const strange =
    `document.querySelectorAll("img, main b b, main script, body > script + *").length`;
  assertEquals([await tab.value("typeof hacked"), await tab.value(strange)], ["undefined", 0]);
  const heading = await tab.value<string>(`document.querySelector("h1").textContent`);
  assertEquals(
    heading,
    "Why does checkout fail since 14:07?</pre></title></script><script>hacked = 1</script>" +
      `"><img src=x onerror="hacked = 1">\ufffd\ufffd\ufffd<b>分析</b>`,
  );
});

inBrowser("a page's policy lets nothing run that is not its own", async () => {
  const page = await pageFrom(incident());
  return page.replace("</main>", "</main><script>globalThis.hacked = 1</script>");
}, async (tab) => {
  assertEquals(await tab.value("typeof hacked"), "undefined");
  assertEquals(tab.faults.length > 0, true);
  tab.faults.length = 0;
});

inBrowser(
  "a page in Chinese has its words in the page's language",
  async () => pageFrom(incident("为什么结账失败？"), await loadSay("zh")),
  async (tab) => {
    const texts = await tab.value(`[document.documentElement.lang, document.title,
    ...[...document.querySelectorAll("h2")].map((each) => each.firstChild.data)]`);
    assertEquals(texts, [
      ...["zh", "为什么结账失败？", "回答", "时间线", "委派", "步骤", "每次请求的令牌"],
      ...["上下文的去向", "事实"],
    ]);
  },
);

inBrowser(
  "a page of 1,000 calls can be used: the last call opens and holds its output",
  () => pageFrom(longRun(1000)),
  async (tab) => {
    await tab.press("k");
    await tab.press("Enter");
    assertEquals([await tab.value(FOCUSED), await tab.value(OPEN_CALLS)], ["r0s999c0", [
      "r0s999c0",
    ]]);
    const held = await tab.value<string>(`document.querySelector("#r0s999c0").innerText`);
    assertEquals(held.includes("line of a log file with words in it"), true);
  },
);
