/**
 * The names that the same field goes by: whoever asks for `status` gets it,
 * whatever a program calls it.
 *
 * @module
 */

/** Each line is one idea; the first name is rein's own. */
const SYNONYMS: readonly (readonly string[])[] = [
  [
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "t",
    "datetime",
    "date",
    "asctime",
    "eventTime",
    "_SOURCE_REALTIME_TIMESTAMP",
    "__REALTIME_TIMESTAMP",
  ],
  ["level", "lvl", "severity", "loglevel", "log.level", "levelname", "PRIORITY"],
  ["message", "msg", "MESSAGE", "log"],
  [
    "status",
    "status_code",
    "statusCode",
    "http_status",
    "http.status_code",
    "http.status",
    "response.status",
    "code",
  ],
  [
    "duration",
    "request_time",
    "duration_ms",
    "latency",
    "latency_ms",
    "elapsed",
    "elapsed_ms",
    "response_time",
    "responseTime",
    "took",
  ],
  ["method", "request_method", "http_method", "http.method", "verb"],
  ["path", "uri", "url", "request_uri", "request_path", "http.path", "http.url"],
  ["ip", "remote_addr", "client_ip", "clientip", "remote_ip", "client", "src_ip"],
  ["user", "remote_user"],
  ["bytes", "body_bytes_sent", "bytes_sent", "size"],
  ["agent", "http_user_agent", "user_agent"],
  ["referrer", "referer", "http_referer"],
  ["host", "hostname", "_HOSTNAME"],
  ["app", "service", "SYSLOG_IDENTIFIER", "program", "tag", "logger", "_COMM"],
  ["pid", "_PID", "SYSLOG_PID", "procid"],
  ["unit", "_SYSTEMD_UNIT"],
];

/** A field's name and then every other name that it may go by. */
export function namesFor(field: string): readonly string[] {
  const others = SYNONYMS.filter((names) => names.includes(field)).flat();
  return [field, ...others.filter((name) => name !== field)];
}

/** A field's name among a format's own, or null if the format does not have it. */
export function ownName<Name extends string>(field: string, own: readonly Name[]): Name | null {
  for (const name of namesFor(field)) {
    const found = own.find((candidate) => candidate === name);
    if (found !== undefined) return found;
  }
  return null;
}
