import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { escapeHtml } from "../../../lib/trace/page/html.ts";
import { prose } from "../../../lib/trace/page/prose.ts";

Deno.test("prose() sets tables, code and stressed words, and leaves the rest", () => {
  const text = "**Two** of `a<b`:\n\n| Name | Count |\n|:---|---:|\n| `x` | 2 |\n\nDone.";
  assertEquals(
    prose(text).text,
    '<div class="plain"><b>Two</b> of <code>a&lt;b</code>:</div>' +
      '<table><thead><tr><th>Name</th><th class="end">Count</th></tr></thead>' +
      '<tbody><tr><td><code>x</code></td><td class="end">2</td></tr></tbody></table>' +
      '<div class="plain">Done.</div>',
  );
});

Deno.test("prose() keeps code between fences as it is, closed or not", () => {
  assertEquals(
    prose("Run:\n```sh\nls **a** | wc\n```\nand\n```\nrest").text,
    '<div class="plain">Run:</div><pre>\nls **a** | wc</pre>' +
      '<div class="plain">and</div><pre>\nrest</pre>',
  );
});

Deno.test("prose() makes no element of a text but its own", () => {
  const piece = fc.constantFrom(
    ...[
      "**",
      "`",
      "|",
      "\n",
      "---",
      "|---|",
      "```",
      "<b>",
      "</div>",
      '"',
      "&",
      "a",
      " ",
      "<script>",
    ],
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const tags = prose(text).text.match(/<[^>]*>/g) ?? [];
      const own = /^<\/?(?:div|table|thead|tbody|tr|th|td|b|code|pre)(?: class="(?:plain|end)")?>$/;
      assertEquals(tags.filter((each) => !own.test(each)), []);
      const plain = text.replace(/[`*|\n -]/g, "");
      const shown = prose(text).text.replace(/<[^>]*>/g, "").replace(/[`*|\n -]/g, "");
      if (!text.includes("```")) assertEquals(shown, escapeHtml(plain));
    }),
    { numRuns: 500 },
  );
});
