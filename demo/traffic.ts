/**
 * Who asks the demo's shop for what, and what goes wrong there: data only.
 *
 * @module
 */

/** One kind of request. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /** `{id}` and `{word}` are filled in for each request. */
  readonly path: string;
  /** How often it is asked for, in relation to the others. */
  readonly weight: number;
  readonly status: number;
  /** Where the client is at fault, and how often; from 0 to 1. */
  readonly refused?: { readonly status: number; readonly share: number };
  /** What breaks on any day, and how often. */
  readonly failing?: Failure;
  /** What breaks during the incident, and how often. */
  readonly incident?: Failure;
  /** Typical time in seconds. */
  readonly seconds: number;
  /** Smallest and largest body in bytes. */
  readonly bytes: readonly [number, number];
}

/** A way to fail. */
export interface Failure {
  readonly status: number;
  readonly share: number;
  /** How long it takes to fail. */
  readonly seconds: number;
}

/** What the shop serves; the payment service behind some of it goes down. */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/", weight: 70, status: 200, seconds: 0.04, bytes: [8_100, 8_900] },
  {
    method: "GET",
    path: "/assets/app.8f3c21d4.js",
    weight: 60,
    status: 200,
    refused: { status: 304, share: 0.6 },
    seconds: 0.004,
    bytes: [182_000, 184_000],
  },
  {
    method: "GET",
    path: "/images/{id}.webp",
    weight: 60,
    status: 200,
    refused: { status: 304, share: 0.4 },
    seconds: 0.003,
    bytes: [14_000, 96_000],
  },
  {
    method: "GET",
    path: "/products/{id}",
    weight: 190,
    status: 200,
    refused: { status: 404, share: 0.02 },
    seconds: 0.06,
    bytes: [11_000, 24_000],
  },
  {
    method: "GET",
    path: "/api/products/{id}",
    weight: 230,
    status: 200,
    refused: { status: 404, share: 0.01 },
    seconds: 0.03,
    bytes: [900, 4_200],
  },
  {
    method: "GET",
    path: "/api/search?q={word}",
    weight: 120,
    status: 200,
    failing: { status: 503, share: 0.028, seconds: 2 },
    seconds: 0.18,
    bytes: [1_200, 19_000],
  },
  {
    method: "GET",
    path: "/api/cart",
    weight: 110,
    status: 200,
    failing: { status: 500, share: 0.006, seconds: 0.05 },
    incident: { status: 500, share: 0.012, seconds: 0.05 },
    seconds: 0.03,
    bytes: [300, 2_400],
  },
  {
    method: "PUT",
    path: "/api/cart/items/{id}",
    weight: 50,
    status: 204,
    refused: { status: 409, share: 0.03 },
    seconds: 0.05,
    bytes: [0, 0],
  },
  {
    method: "POST",
    path: "/api/checkout",
    weight: 45,
    status: 201,
    refused: { status: 422, share: 0.05 },
    failing: { status: 502, share: 0.015, seconds: 3 },
    incident: { status: 502, share: 0.9, seconds: 3 },
    seconds: 0.42,
    bytes: [240, 380],
  },
  {
    method: "POST",
    path: "/api/payments/{id}/confirm",
    weight: 18,
    status: 200,
    failing: { status: 502, share: 0.01, seconds: 3 },
    incident: { status: 502, share: 0.55, seconds: 3 },
    seconds: 0.31,
    bytes: [180, 260],
  },
  {
    method: "GET",
    path: "/api/orders/{id}",
    weight: 65,
    status: 200,
    refused: { status: 404, share: 0.03 },
    failing: { status: 504, share: 0.012, seconds: 30 },
    incident: { status: 504, share: 0.22, seconds: 30 },
    seconds: 0.07,
    bytes: [700, 3_900],
  },
  {
    method: "GET",
    path: "/api/reports/{id}/export",
    weight: 12,
    status: 200,
    failing: { status: 504, share: 0.45, seconds: 30 },
    seconds: 6,
    bytes: [90_000, 2_400_000],
  },
  {
    method: "POST",
    path: "/api/login",
    weight: 22,
    status: 200,
    refused: { status: 401, share: 0.18 },
    seconds: 0.2,
    bytes: [220, 260],
  },
  {
    method: "OPTIONS",
    path: "/api/checkout",
    weight: 12,
    status: 204,
    seconds: 0.002,
    bytes: [0, 0],
  },
  {
    method: "DELETE",
    path: "/api/sessions/{id}",
    weight: 9,
    status: 204,
    seconds: 0.02,
    bytes: [0, 0],
  },
];

/** What scanners try; all of it is refused. */
export const PROBES: readonly { readonly request: string; readonly status: number }[] = [
  { request: "GET /.env HTTP/1.1", status: 404 },
  { request: "GET /wp-login.php HTTP/1.1", status: 404 },
  { request: "GET /phpmyadmin/index.php?lang=en HTTP/1.1", status: 404 },
  { request: "GET /errors/500 HTTP/1.1", status: 404 },
  { request: "GET /cgi-bin/luci/;stok=/locale?form=country HTTP/1.1", status: 404 },
  { request: "POST /api/checkout' OR 1=1 HTTP/1.1", status: 400 },
  { request: "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03 502 ", status: 400 },
  { request: "", status: 408 },
];

/** What people look for. */
export const WORDS: readonly string[] = [
  ...["lamp", "desk", "oak+table", "rug", "bookshelf", "office+chair", "sofa+bed", "mirror"],
  ...["curtains", "bunk+bed", "stool", "wardrobe", "coat+rack", "shelf+80x30"],
];

/** What they look with. */
export const AGENTS: readonly string[] = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Mobile Safari/537.36",
  "shop-app/4.12.0 (iOS 18.3)",
  "shop-app/4.11.2 (Android 14)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36 Edg/133.0.0.0",
];
