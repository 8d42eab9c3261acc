/**
 * Logs and JSON that are made up, always the same: formats that the weights of the estimate were
 * fitted on, and others that they have never seen.
 *
 * @module
 */

/** A source of numbers from 0 up to, not including, 1. */
type Random = () => number;

/** One line, or one JSON text, of a format. */
type Line = (random: Random, index: number) => string;

function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[below(random, choices.length)]!;
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => below(random, 16).toString(16)).join("");
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((digits) => hex(random, digits)).join("-");
}

function address(random: Random): string {
  return Array.from({ length: 4 }, () => below(random, 256)).join(".");
}

function instant(random: Random, index: number): string {
  return new Date(Date.UTC(2026, 2, 10, 8) + index * 1_700 + below(random, 999)).toISOString();
}

const SERVICES = ["checkout", "payments", "search-api", "auth", "mailer", "inventory"] as const;
const PATHS = ["/api/orders", "/api/cart/items", "/login", "/static/app.js", "/healthz"] as const;
const TROUBLES = [
  "connection refused while connecting to upstream",
  "context deadline exceeded",
  "could not serialize access due to concurrent update",
  "no space left on device",
  "certificate has expired",
] as const;
const NAMES = ["Ana Costa", "Liu Yang", "Tom Becker", "Priya Nair", "Sven Olsen"] as const;

const SYSLOG: Line = (random, index) =>
  `Mar 10 08:${String(index % 60).padStart(2, "0")}:${10 + below(random, 49)} web-0${
    1 + below(random, 4)
  } ${pick(random, ["sshd", "nginx", "postfix/smtpd", "systemd"])}[${below(random, 32_768)}]: ${
    pick(random, [
      `Accepted publickey for deploy from ${address(random)} port ${below(random, 65_536)} ssh2`,
      `upstream timed out (110: Connection timed out) while reading, client: ${address(random)}`,
      `Started Session ${below(random, 9_999)} of user deploy.`,
      `warning: ${pick(random, TROUBLES)}`,
    ])
  }`;

const JSON_LINES: Line = (random, index) =>
  JSON.stringify({
    time: instant(random, index),
    level: pick(random, ["info", "info", "warn", "error"]),
    service: pick(random, SERVICES),
    request_id: uuid(random),
    method: pick(random, ["GET", "POST"]),
    path: pick(random, PATHS),
    status: pick(random, [200, 204, 404, 502]),
    duration_ms: below(random, 90_000) / 100,
    msg: pick(random, TROUBLES),
  });

const POSTGRES: Line = (random, index) =>
  `${instant(random, index).replace("T", " ").replace("Z", " UTC")} [${below(random, 32_768)}] ${
    pick(random, ["app@shop", "report@shop"])
  } ${
    pick(random, [
      `LOG:  duration: ${
        (random() * 5_000).toFixed(3)
      } ms  statement: SELECT * FROM orders WHERE id = ${below(random, 99_999)}`,
      `ERROR:  duplicate key value violates unique constraint "orders_pkey"`,
      `DETAIL:  Key (id)=(${below(random, 99_999)}) already exists.`,
    ])
  }`;

const LOGFMT: Line = (random, index) =>
  `ts=${instant(random, index)} level=${pick(random, ["info", "debug", "error"])} caller=${
    pick(random, ["main.go", "scrape.go", "compact.go", "wal_watcher.go"])
  }:${below(random, 900)} component=${pick(random, SERVICES)} trace_id=${hex(random, 32)} msg="${
    pick(random, ["Completed loading of configuration", "write block", ...TROUBLES])
  }" duration=${(random() * 9).toFixed(6)}s`;

const JAVA: Line = (random, index) =>
  `${instant(random, index).slice(0, 23).replace("T", " ").replace(".", ",")} ${
    pick(random, ["INFO ", "WARN ", "ERROR"])
  } [http-nio-8080-exec-${below(random, 40)}] c.e.shop.${
    pick(random, ["order.OrderService", "cart.CartController", "db.TransactionInterceptor"])
  } - ${
    pick(random, [
      `Order ${below(random, 999_999)} confirmed in ${below(random, 800)}ms`,
      `HikariPool-1 - Connection is not available, request timed out after 30000ms.\n` +
      `java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available\n` +
      `\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:${
        below(random, 900)
      })\n\tat com.example.shop.order.OrderService.confirm(OrderService.java:${
        below(random, 300)
      })`,
    ])
  }`;

const KUBERNETES: Line = (random, index) =>
  `${pick(random, ["I", "W", "E"])}0310 08:${String(index % 60).padStart(2, "0")}:12.${
    100_000 + below(random, 899_999)
  }       1 ${pick(random, ["reflector.go:561", "kubelet.go:2349", "scheduler.go:630"])}] "${
    pick(random, ["SyncLoop (PLEG): event for pod", "Error syncing pod, skipping", "Pod scheduled"])
  }" pod="shop/${pick(random, SERVICES)}-${hex(random, 10)}-x${hex(random, 4)}" err="${
    pick(random, TROUBLES)
  }"`;

const CUSTOMERS: Line = (random, index) =>
  JSON.stringify(
    {
      id: 10_000 + index,
      name: pick(random, NAMES),
      email: `user${below(random, 999)}@example.com`,
      active: random() < 0.8,
      address: { street: `Mill Road ${below(random, 200)}`, city: "Bergen", postal_code: "5003" },
      tags: ["newsletter", pick(random, ["gold", "silver"])],
      balance: below(random, 1_000_000) / 100,
    },
    null,
    2,
  );

const OBSERVATIONS: Line = (random, index) =>
  JSON.stringify({
    status: "success",
    data: {
      files: Array.from({ length: 6 }, (_, number) => ({
        path: `src/${pick(random, SERVICES)}/module_${number}.ts`,
        size: below(random, 90_000),
        modified: instant(random, index + number),
      })),
      truncated: false,
    },
    error: null,
  });

const PODS: Line = (random, index) =>
  JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `${pick(random, SERVICES)}-${hex(random, 10)}`,
        uid: uuid(random),
        creationTimestamp: instant(random, index),
        labels: { "app.kubernetes.io/name": pick(random, SERVICES), tier: "backend" },
      },
      status: {
        phase: pick(random, ["Running", "Pending"]),
        podIP: address(random),
        containerStatuses: [{ ready: true, restartCount: below(random, 9), started: true }],
      },
    },
    null,
    4,
  );

const MEASUREMENTS: Line = (random, index) =>
  JSON.stringify({
    metric: { __name__: "http_requests_total", instance: `${address(random)}:9100`, job: "node" },
    values: Array.from(
      { length: 8 },
      (_, step) => [1_773_100_000 + index * 60 + step * 15, String(below(random, 99_999) / 10)],
    ),
  });

function texts(formats: readonly Line[], lines: number, seed: number): string[] {
  return formats.flatMap((format, number) => {
    const random = randomOf(seed + number);
    return [Array.from({ length: lines }, (_, index) => format(random, index)).join("\n")];
  });
}

/** Logs, one text a format; the two sets share no format. */
export const GENERATED_LOGS: Readonly<Record<"calibration" | "heldOut", readonly string[]>> = {
  calibration: texts([SYSLOG, JSON_LINES, POSTGRES], 60, 11),
  heldOut: texts([LOGFMT, JAVA, KUBERNETES], 60, 97),
};

/** JSON texts of objects, one shape a text; the two sets share no shape. */
export const GENERATED_JSON: Readonly<Record<"calibration" | "heldOut", readonly string[]>> = {
  calibration: texts([CUSTOMERS, OBSERVATIONS], 20, 5),
  heldOut: texts([PODS, MEASUREMENTS], 20, 61),
};
