/**
 * What secrets look like: well-known public formats as data.
 *
 * @module
 */

/** What must stand around an anchor before a line is looked at more closely. */
export type Confirmation =
  /** The beginning of a key: no letter or digit before it, 8 characters of a key after it. */
  | "key"
  /** A name: a value is assigned to it, or it is an option. */
  | "name"
  /** A URL: there is an `@` before its path. */
  | "userinfo"
  | "none";

/** One kind of secret. */
export interface SecretRule {
  /** What stands where the secret stood: `[redacted: github-token]`. */
  readonly id: string;
  /** One of these is in every such line, case aside; `?` at the beginning: any byte. */
  readonly anchors: readonly string[];
  readonly confirm: Confirmation;
  /** Global; the group `secret` is replaced, or all of it where there is no such group. */
  readonly pattern: RegExp;
  /** Whether a value is likely enough to be one; any is where this is left out. */
  readonly accept?: (secret: string) => boolean;
}

/** Shannon entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count / text.length * Math.log2(count / text.length);
  return bits;
}

/** What people write where a secret would stand, and what rein has put there. */
const PLACEHOLDER =
  /^(?:[*x.•…-]+|<.*|\$.*|\{.*|%\w+%|%[a-z]|%[({].*|@.*|\(.*|\[.*|null|none|nil|true|false|yes|no|empty|unset|undefined|required|optional|optional,|string|changeme|redacted|hidden|masked)$/i;

/** A password may be anything but a placeholder. */
function isPassword(value: string): boolean {
  return value.length >= 3 && !PLACEHOLDER.test(value);
}

/** A token is long and mixed. Source: keys of 8 characters have about 2.5 bits or more each. */
function isToken(value: string): boolean {
  if (value.length < 8 || PLACEHOLDER.test(value)) return false;
  const mixed = /\d/.test(value) && /[a-z]/i.test(value) ||
    value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value);
  return mixed && entropyOf(value) >= 2.5;
}

/** `name = value`, `"name": "value"`, `name=value&`, `<name>value<`, `--name value`. */
function assigned(names: string): RegExp {
  const separator =
    `["'\\]]{0,2}(?:\\s{0,8}(?:=>|:=|[:=：])\\s{0,8}|>|(?<=--[\\w-]{0,30})\\s{1,4})`;
  const quoted = `\\\\?"(?<secret>[^"\\\\]{1,500})|'(?<secret>[^']{1,500})`;
  const bare = `(?<secret>[^\\s"'\\\\,;&<>()]{1,500})`;
  return new RegExp(`(?:${names})${separator}(?:${quoted}|${bare})`, "gi");
}

const key = (id: string, anchors: readonly string[], pattern: RegExp): SecretRule => ({
  id,
  anchors,
  confirm: "key",
  pattern,
});

/** All rules, the most certain first. Source: the vendors' documentation of their formats. */
export const SECRET_RULES: readonly SecretRule[] = [
  {
    id: "private-key",
    anchors: ["-begin "],
    confirm: "none",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[^\n])*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  {
    id: "url-password",
    anchors: ["?://"],
    confirm: "userinfo",
    pattern:
      /(?<=\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/?#"'<>]{0,200}:)(?<secret>[^\s/"'<>]{1,300})(?=@)/gi,
  },
  {
    id: "authorization",
    anchors: ["authorization"],
    confirm: "name",
    pattern:
      /authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:basic|bearer|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,4})?(?<secret>[^\s"'][^"'\n]{3,2000})/gi,
    accept: (secret) => !PLACEHOLDER.test(secret),
  },
  {
    id: "cookie",
    anchors: ["cookie"],
    confirm: "name",
    pattern: /\bcookie["']?\s{0,4}:\s{0,4}["']?(?<secret>[^"'\s][^"'\n]{3,4000})/gi,
    accept: (secret) => !PLACEHOLDER.test(secret),
  },
  {
    id: "bearer-token",
    anchors: ["bearer "],
    confirm: "key",
    pattern: /\bbearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,4000}={0,2})/gi,
    accept: isToken,
  },
  key(
    "aws-access-key",
    ["akia", "asia", "abia", "acca"],
    /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g,
  ),
  key("alibaba-access-key", ["ltai"], /\bLTAI[A-Za-z0-9]{12,26}\b/g),
  key("tencent-secret-id", ["akid"], /\bAKID[A-Za-z0-9]{32}\b/g),
  key(
    "github-token",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255})/g,
  ),
  key(
    "gitlab-token",
    ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-"],
    /\bgl(?:pat|dt|rt|ptt|cbt|soat|ft)-[\w.-]{20,300}/g,
  ),
  key(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe", "xapp-"],
    /\b(?:xox[abeoprs]|xapp|xoxe\.xox[bp])-[A-Za-z0-9-]{10,300}/g,
  ),
  {
    id: "webhook",
    anchors: [
      "hooks.slack.com/",
      "discord.com/api/webhooks/",
      "/robot/send?access_token=",
      "/webhook/send?key=",
    ],
    confirm: "none",
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows)\/|discord\.com\/api\/webhooks\/\d+\/|robot\/send\?access_token=|webhook\/send\?key=)(?<secret>[\w/-]{16,200})/g,
  },
  key(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    /\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{24,100})/g,
  ),
  key("api-key", ["?sk-"], /(?<![A-Za-z0-9])sk-(?:[a-z0-9]{2,12}-){0,3}[A-Za-z0-9_-]{20,300}/g),
  key("google-api-key", ["aiza"], /\bAIza[\w-]{35}/g),
  key("google-oauth", ["ya29.", "gocspx-"], /\b(?:ya29\.[\w-]{20,500}|GOCSPX-[\w-]{20,60})/g),
  {
    id: "azure-key",
    anchors: ["accountkey=", "accesskey=", "sharedaccesssignature", "&sig=", "?sig="],
    confirm: "none",
    pattern: /(?:AccountKey=|AccessKey=|[?&]sig=)(?<secret>[A-Za-z0-9+/%]{20,200}={0,2})/gi,
  },
  key("npm-token", ["npm_"], /\bnpm_[A-Za-z0-9]{36}\b/g),
  key("pypi-token", ["pypi-"], /\bpypi-[\w-]{50,300}/g),
  key("docker-token", ["dckr_"], /\bdckr_(?:pat|oat)_[\w-]{20,100}/g),
  key("hugging-face-token", ["?hf_"], /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,60}\b/g),
  key("sendgrid-key", ["?sg."], /(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{16,64}/g),
  key("vault-token", ["hvs.", "hvb."], /\bhv[sb]\.[\w-]{24,300}/g),
  key("grafana-token", ["glc_", "glsa_"], /\bgl(?:c|sa)_[A-Za-z0-9+/_=]{32,400}/g),
  key("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  key("databricks-token", ["dapi"], /\bdapi[a-f0-9]{32}(?:-\d)?\b/g),
  key("atlassian-token", ["atatt3"], /\bATATT3[A-Za-z0-9_=-]{50,300}/g),
  key(
    "shopify-token",
    ["shpat_", "shpss_", "shpca_", "shppa_"],
    /\bshp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}\b/g,
  ),
  key("new-relic-key", ["nrak-"], /\bNRAK-[A-Z0-9]{27}\b/g),
  key("linear-key", ["lin_api_"], /\blin_api_[A-Za-z0-9]{32,64}\b/g),
  key("tailscale-key", ["tskey-"], /\btskey-[a-z]{2,12}-[\w-]{16,80}/g),
  key("sentry-token", ["sntrys_", "sntryu_"], /\bsntry[su]_[A-Za-z0-9+/=_]{40,400}/g),
  key("age-key", ["age-secret-key-"], /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g),
  {
    id: "telegram-token",
    anchors: ["?:aa"],
    confirm: "none",
    pattern: /\b\d{8,10}:AA[\w-]{33}\b/g,
  },
  {
    id: "jwt",
    anchors: [".eyj"],
    confirm: "none",
    pattern: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{10,2000}/g,
  },
  {
    id: "password-hash",
    anchors: ["?$1$", "?$5$", "?$6$", "?$y$", "$2a$", "$2b$", "$2y$", "$argon2", "$apr1$"],
    confirm: "none",
    pattern: /\$(?:1|5|6|y|apr1|2[aby]|argon2(?:id|i|d))\$[\w./$=,+-]{4,300}[A-Za-z0-9./]{12,200}/g,
  },
  {
    id: "netrc-password",
    anchors: ["machine "],
    confirm: "none",
    pattern: /\bmachine\s.{1,300}?\bpassword\s{1,4}(?<secret>\S{1,200})/g,
    accept: isPassword,
  },
  {
    id: "password",
    anchors: ["password", "passwd", "passphrase", "passcode", "userpass", "?_pass", "密码", "口令"],
    confirm: "name",
    pattern: assigned("password|(?<!\\/)passwd|passphrase|passcode|userpass|_pass|密码|口令"),
    accept: isPassword,
  },
  {
    id: "password",
    anchors: ["?pwd"],
    confirm: "name",
    pattern: assigned("pwd"),
    // The shell's PWD is a directory.
    accept: (value) => isPassword(value) && !value.startsWith("/"),
  },
  {
    id: "secret",
    anchors: [
      "secret",
      "token",
      "api_key",
      "apikey",
      "api-key",
      "access_key",
      "accesskey",
      "access-key",
      "private_key",
      "privatekey",
      "auth_key",
      "authkey",
      "encryption_key",
      "signing_key",
      "credential",
    ],
    confirm: "name",
    pattern: assigned(
      "secret(?:[_-]?access)?(?:[_-]?key)?|token|(?:api|access|private|auth|encryption|signing)[_-]?key|credentials?",
    ),
    accept: isToken,
  },
];
