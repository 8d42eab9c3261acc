import { assertEquals } from "@std/assert";
import { copyNormalized } from "../../../tools/log_stats/normalize.ts";

function normalized(text: string): string {
  const bytes = new TextEncoder().encode(`>${text}<`);
  const into = new Uint8Array(1000);
  const end = copyNormalized([bytes, 1, bytes.length - 1], into, 2);
  return new TextDecoder().decode(into.subarray(2, end));
}

function assertNormalized(expected: Readonly<Record<string, string>>): void {
  const texts = Object.keys(expected);
  assertEquals(Object.fromEntries(texts.map((text) => [text, normalized(text)])), expected);
}

Deno.test("copyNormalized() puts :id for numbers, uuids, hashes and long tokens", () => {
  assertNormalized({
    "/api/order/123": "/api/order/:id",
    "/api/order/123/": "/api/order/:id/",
    "/api/order/123/items/4": "/api/order/:id/items/:id",
    "/u/0190163d-8694-739b-aea5-966c26f8ad91": "/u/:id",
    "/u/0190163D-8694-739B-AEA5-966C26F8AD91/x": "/u/:id/x",
    "/blob/da39a3ee5e6b4b0d3255bfef95601890afd80709": "/blob/:id",
    "/assets/app.8f3c21d4.js": "/assets/app.:id.js",
    "/images/123.webp": "/images/:id.webp",
    "/o/01ARZ3NDEKTSV4RRFFQ69G5FAV": "/o/:id",
  });
});

Deno.test("copyNormalized() leaves words, versions and slugs as they are", () => {
  assertNormalized({
    "/": "/",
    "": "",
    "/api/v2/orders": "/api/v2/orders",
    "/jquery-3.7.1.min.js": "/jquery-3.7.1.min.js",
    "/facade/decade": "/facade/decade",
    "/products/oak-table-4": "/products/oak-table-4",
    "/商品/列表": "/商品/列表",
    "/internationalization/settings": "/internationalization/settings",
  });
});

Deno.test("copyNormalized() drops queries and fragments", () => {
  assertNormalized({
    "/search?q=1": "/search",
    "/order/12?a=/34/": "/order/:id",
    "/page#part": "/page",
    "/?": "/",
  });
});

Deno.test("copyNormalized() leaves the host of an address, and what is no path", () => {
  assertNormalized({
    "https://10.0.0.1:8080/a/1?b": "https://10.0.0.1:8080/a/:id",
    "https://shop.example": "https://shop.example",
    "connect to 10.0.0.1 failed?": "connect to 10.0.0.1 failed?",
    "123": "123",
  });
});
