import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Patterns } from "../../lib/results/inspect.ts";
import { redactData, redactText } from "../../lib/results/redact_data.ts";
import { SECRET_RULES } from "../../lib/results/secret_rules.ts";
import { collected } from "./_collecting.ts";

const PATTERNS = new Patterns(["literal secret/1?", "short"]);

function redacted(text: string): string {
  return redactText(text, PATTERNS);
}

/** Something long and mixed, made here so that no file holds what looks like a key. */
function random(length: number): string {
  return "a1B2c3D4e5F6g7H8i9J0kLmN".repeat(Math.ceil(length / 24)).slice(0, length);
}

const UPPER = "ABCDEFGHIJKLMNOP";
const HEX = "0123456789abcdef";
const JWT = `eyJ${random(20)}.eyJ${random(30)}.${random(40)}`;

/** For each rule texts around a secret: what is before it, the secret, and what is after it. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  "url-password": [
    ["postgres://app:", "s3cret/!".replace("/", ""), "@db:5432/x"],
    ["clone https://bot:", "p@ss", "@git.example/a.git"],
    ["redis://:", "hunter2", "@cache:6379"],
  ],
  authorization: [
    ["Authorization: Basic ", "dXNlcjpwYXNz", ""],
    ["< authorization: Bearer ", random(20), ""],
    ['{"Authorization":"', random(12), '"}'],
  ],
  cookie: [["Set-Cookie: ", "session=abc; Path=/", ""], ["> Cookie: ", "sid=1234567", ""]],
  "bearer-token": [["curl -H 'bearer ", random(30), "'"]],
  "aws-access-key": [["key ", `AKIA${UPPER}`, " found"], ["", `ASIA${UPPER}`, ""]],
  "alibaba-access-key": [["", `LTAI${random(20)}`, ""]],
  "tencent-secret-id": [["", `AKID${random(32)}`, ""]],
  "github-token": [["", `ghp_${random(36)}`, ","], ["(", `github_pat_${random(60)}`, ")"]],
  "gitlab-token": [["", `glpat-${random(20)}`, ""]],
  "slack-token": [["", `xoxb-12345678901-${random(24)}`, ""]],
  webhook: [["https://hooks.slack.com/services/", `T000/B000/${random(24)}`, ""]],
  "stripe-key": [["", `sk_live_${random(24)}`, ""], ["", `whsec_${random(32)}`, ""]],
  "api-key": [
    ["", `sk-${random(48)}`, ""],
    ["=", `sk-proj-${random(60)}`, " "],
    ['"', `sk-ant-api03-${random(60)}`, '"'],
  ],
  "google-api-key": [["", `AIza${random(35)}`, ""]],
  "google-oauth": [["", `ya29.${random(60)}`, ""], ["", `GOCSPX-${random(28)}`, ""]],
  "azure-key": [["AccountName=x;AccountKey=", `${random(86)}==`, ";End"], [
    "?sig=",
    random(44),
    "&e=1",
  ]],
  "npm-token": [["", `npm_${random(36)}`, ""]],
  "pypi-token": [["", `pypi-${random(90)}`, ""]],
  "docker-token": [["", `dckr_pat_${random(27)}`, ""]],
  "hugging-face-token": [["", `hf_${random(34)}`, ""]],
  "sendgrid-key": [["", `SG.${random(22)}.${random(43)}`, ""]],
  "vault-token": [["", `hvs.${random(90)}`, ""]],
  "grafana-token": [["", `glsa_${random(32)}_${HEX.slice(0, 8)}`, ""]],
  "digitalocean-token": [["", `dop_v1_${HEX.repeat(4)}`, ""]],
  "databricks-token": [["", `dapi${HEX.repeat(2)}`, ""]],
  "atlassian-token": [["", `ATATT3${random(100)}`, ""]],
  "shopify-token": [["", `shpat_${HEX.repeat(2)}`, ""]],
  "new-relic-key": [["", `NRAK-${UPPER}${UPPER.slice(0, 11)}`, ""]],
  "linear-key": [["", `lin_api_${random(40)}`, ""]],
  "tailscale-key": [["", `tskey-auth-${random(30)}`, ""]],
  "sentry-token": [["", `sntrys_${random(80)}`, ""]],
  "age-key": [["", `AGE-SECRET-KEY-1${`${UPPER}${UPPER}${UPPER}${UPPER}`.slice(0, 58)}`, ""]],
  "telegram-token": [["bot", "", ""], ["/", `123456789:AA${random(33)}`, "/send"]],
  jwt: [["id ", JWT, " end"]],
  "password-hash": [["root:", `$6$salt$${random(86)}`, ":19000:0:"], [
    "",
    `$2b$12$${random(53)}`,
    "",
  ]],
  "netrc-password": [["machine git.example login bot password ", "hunter2", ""]],
  password: [
    ["DB_PASSWORD=", "hunter2", ""],
    ['{"password": "', "my pass phrase", '", "a": 1}'],
    ["spring.datasource.password: ", "correct-horse", ""],
    ["<password>", "hunter2", "</password>"],
    ["mysqldump --password ", "hunter2", " --all"],
    ["https://x.example/?password=", "hunter2", "&a=1"],
    ["Server=db;Pwd=", "hunter2", ";Timeout=3"],
    ["密码：", "hunter2", ""],
  ],
  secret: [
    ["aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYZZEXAMPLEK", ""],
    ["API_KEY='", random(20), "'"],
    ["client_secret: ", random(32), ""],
    ["GET /?access_token=", random(20), "&x=1"],
    // Encoded for a URL, and no %VARIABLE%.
    ["GET /?access_token=", `%2b%24${random(20)}`, "&x=1"],
    ["x-api-key: ", random(24), ""],
    ["--token ", random(20), " run"],
  ],
};

Deno.test("every rule takes out its secret, and nothing around it", () => {
  for (const [rule, examples] of Object.entries(EXAMPLES)) {
    for (const [before, secret, after] of examples) {
      const mark = secret === "" ? "" : `[redacted: ${rule}]`;
      assertEquals(redacted(before + secret + after), before + mark + after);
    }
  }
});

Deno.test("every rule but that of key blocks has an example", () => {
  const rules = new Set(SECRET_RULES.map(({ id }) => id));
  assertEquals([...rules].filter((id) => !(id in EXAMPLES)), ["private-key"]);
});

Deno.test("plain text is left as it is", () => {
  const plain = [
    "Failed password for root from 10.0.0.7 port 22 ssh2",
    "password: ********",
    "password=$DB_PASSWORD token=${TOKEN} secret={{ vault }}",
    "/etc/passwd:12:daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin",
    "PWD=/home/user OLDPWD=/tmp",
    "max_tokens: 4096, total tokens: 1500, token: expired",
    "secretName: web-tls",
    "disk-usage task-runner-has-many-words-in-its-name-and-goes-on",
    "see https://user@host.example/path and http://a.example:8080/b@c",
    "commit 3f2a9c1b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a",
    "550e8400-e29b-41d4-a716-446655440000",
    "Bearer of good news and cookies: 3 of them",
    "-----BEGIN CERTIFICATE-----",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "api_key: none, credentials: [default]",
    "set DB_PASSWORD=%DB_PASSWORD% and token=%(token)s and secret=%s",
  ];
  assertEquals(plain.map(redacted), plain);
});

Deno.test("literal secrets go wherever they stand, encoded for a URL too; short ones are words", () => {
  assertEquals(
    redacted("a literal secret/1? b literal%20secret%2F1%3F c short"),
    "a [redacted: secret-value] b [redacted: secret-value] c short",
  );
});

Deno.test("a private key block goes as a whole, over any border, and what follows stays", () => {
  const key = ["-----BEGIN OPENSSH PRIVATE KEY-----", random(70), random(70), "AbCd==", ""].join(
    "\n",
  );
  const text = `before\n${key}-----END OPENSSH PRIVATE KEY-----\nafter\n`;
  for (const at of [0, 10, 40, 60, 130, 200]) {
    const made = collected([text.slice(0, at), text.slice(at)]);
    assertEquals([made.text, made.notes], [
      "before\n[redacted: private-key]\nafter\n",
      ["1 secret redacted"],
    ]);
  }
});

Deno.test("a private key block without an end ends where the text is no key any more", () => {
  const text = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n${
    random(64)
  }\nerror: cut off here.\n`;
  assertEquals(collected([text]).text, "[redacted: private-key]\nerror: cut off here.\n");
});

Deno.test("a private key in one line of JSON goes to its end", () => {
  const body = `-----BEGIN PRIVATE KEY-----\\n${random(64)}\\n-----END PRIVATE KEY-----\\n`;
  assertEquals(
    redacted(`{"private_key": "${body}", "id": 1}`).includes(random(20)),
    false,
  );
});

Deno.test("a secret in the middle of a long line is found", () => {
  const secret = `ghp_${random(36)}`;
  const text = `${"word ".repeat(20_000)}${secret} ${"word ".repeat(20_000)}\n`;
  assertEquals(collected([text]).text, text.replace(secret, "[redacted: github-token]"));
});

Deno.test("redacting again changes nothing", () => {
  const all = Object.values(EXAMPLES).flat().map((parts) => parts.join(""));
  const part = fc.oneof(fc.constantFrom(...all), fc.string({ maxLength: 20 }), fc.constant("\n"));
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const once = redacted(parts.join(" "));
    assertEquals(redacted(once), once);
  }));
});

Deno.test("redactData() reaches every text, and hides fields that are named as secrets", () => {
  const data = {
    list: [{ note: "DB_PASSWORD=hunter2" }, 7, null],
    config: { password: "x", apiKey: "", retries: 3 },
  };
  assertEquals(redactData(data, PATTERNS), {
    list: [{ note: "DB_PASSWORD=[redacted: password]" }, 7, null],
    config: { password: "[redacted: field]", apiKey: "", retries: 3 },
  });
});
