/**
 * Made-up secrets of many kinds, put together here so that no file holds what looks like one.
 *
 * @module
 */

/** A secret in a text that shows what it is. */
export interface PlantedSecret {
  readonly kind: string;
  /** Without line ends and single quotes. */
  readonly text: string;
  readonly secret: string;
}

const POOL = "a1B2c3D4e5F6g7H8i9J0kLmNqPrStUvWxYz";
const UPPER = "QWERTZUIOPASDFGH";
const HEX = "0f1e2d3c4b5a6978";

/** Something long and mixed, another one for each number. */
function mixed(length: number, salt: number): string {
  const turned = POOL.slice(salt % POOL.length) + POOL.slice(0, salt % POOL.length);
  return turned.repeat(Math.ceil(length / turned.length)).slice(0, length);
}

/** Kinds of secrets: what stands before one, the secret, and what stands behind it. */
const KINDS: Readonly<Record<string, readonly [before: string, secret: string, after: string]>> = {
  "password of a URL": ["postgres://app:", `${mixed(12, 1)}!`, "@db:5432/x"],
  "basic authorization": ["Authorization: Basic ", mixed(24, 2), ""],
  "bearer authorization": ["Authorization: Bearer ", mixed(30, 3), ""],
  "cookie": ["Set-Cookie: session=", mixed(24, 4), "; Path=/"],
  "AWS access key": ["key ", `AKIA${UPPER}`, " found"],
  "AWS secret key": ["aws_secret_access_key = ", mixed(40, 5), ""],
  "Alibaba access key": ["id ", `LTAI${mixed(20, 6)}`, ""],
  "Tencent secret id": ["id ", `AKID${mixed(32, 7)}`, ""],
  "GitHub token": ["token ", `ghp_${mixed(36, 8)}`, ""],
  "GitHub fine-grained token": ["token ", `github_pat_${mixed(60, 9)}`, ""],
  "GitLab token": ["token ", `glpat-${mixed(20, 10)}`, ""],
  "Slack token": ["token ", `xoxb-12345678901-${mixed(24, 11)}`, ""],
  "Slack webhook": ["https://hooks.slack.com/services/", `T000/B000/${mixed(24, 12)}`, ""],
  "Stripe key": ["key ", `sk_live_${mixed(24, 13)}`, ""],
  "OpenAI key": ["key ", `sk-proj-${mixed(60, 14)}`, ""],
  "Anthropic key": ["key ", `sk-ant-api03-${mixed(60, 15)}`, ""],
  "Google API key": ["key ", `AIza${mixed(35, 16)}`, ""],
  "Google OAuth token": ["token ", `ya29.${mixed(60, 17)}`, ""],
  "Azure account key": ["AccountName=x;AccountKey=", `${mixed(86, 18)}==`, ";End"],
  "npm token": ["token ", `npm_${mixed(36, 19)}`, ""],
  "PyPI token": ["token ", `pypi-${mixed(90, 20)}`, ""],
  "Docker token": ["token ", `dckr_pat_${mixed(27, 21)}`, ""],
  "Hugging Face token": ["token ", `hf_${mixed(34, 22)}`, ""],
  "SendGrid key": ["key ", `SG.${mixed(22, 23)}.${mixed(43, 24)}`, ""],
  "Vault token": ["token ", `hvs.${mixed(90, 25)}`, ""],
  "Grafana token": ["token ", `glsa_${mixed(32, 26)}_${HEX.slice(0, 8)}`, ""],
  "DigitalOcean token": ["token ", `dop_v1_${HEX.repeat(4)}`, ""],
  "Databricks token": ["token ", `dapi${HEX.repeat(2)}`, ""],
  "Atlassian token": ["token ", `ATATT3${mixed(100, 27)}`, ""],
  "Shopify token": ["token ", `shpat_${HEX.repeat(2)}`, ""],
  "Telegram token": ["token ", `987654321:AA${mixed(33, 28)}`, ""],
  "JSON web token": ["token ", `eyJ${mixed(20, 29)}.eyJ${mixed(30, 30)}.${mixed(40, 31)}`, ""],
  "password hash": ["root:", `$6$salt$${mixed(86, 32)}`, ":19000:0"],
  "netrc password": ["machine git.example login bot password ", mixed(14, 33), ""],
  "password": ["DB_PASSWORD=", mixed(16, 34), ""],
  "API key of any kind": ["x-api-key: ", mixed(24, 0), ""],
};

/** One secret of each kind. */
export const SECRETS: readonly PlantedSecret[] = Object.entries(KINDS).map((
  [kind, [before, secret, after]],
) => ({ kind, text: before + secret + after, secret }));

/** The lines of a private key, of which nothing but the first and the last may be kept. */
export const KEY_LINES: readonly string[] = [0, 1, 2, 3].map((row) =>
  [...mixed(64, row * 7)].toReversed().join("")
);

/** A private key as a file. */
export const PRIVATE_KEY = [
  `-----BEGIN RSA ${"PRIVATE"} KEY-----`,
  ...KEY_LINES,
  `-----END RSA ${"PRIVATE"} KEY-----`,
  "",
].join("\n");

/** Characters of a secret that give it away. */
const TELLING = 14;

/** The kinds of secrets that a text holds, or the beginning of which it holds. */
export function kindsIn(text: string): string[] {
  const kinds = SECRETS.filter(({ secret }) => text.includes(secret.slice(0, TELLING)))
    .map(({ kind }) => kind);
  const ofKey = KEY_LINES.some((line) => text.includes(line.slice(0, 24)));
  return ofKey ? [...kinds, "private key"] : kinds;
}
