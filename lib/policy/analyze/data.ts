/**
 * Clients of databases: the statements that they are given.
 *
 * @module
 */
import { ANY, isKnown, isOpen, readable } from "../marks.ts";
import type { Call } from "../shell/call.ts";

/** `psql`, `mysql`, `sqlite3` and the like. */
export function analyzeSql(call: Call): string | null {
  const statements = call.values(
    "-c",
    "--command",
    "-e",
    "--execute",
    "-Q",
    "-cmd",
    "--init-command",
    "--query",
  );
  if (/^(?:clickhouse|duckdb)/.test(call.program)) statements.push(...call.values("-q"));
  const { operands } = call.parsed;
  if (call.program === "cockroach" && operands[0] !== "sql") return null;
  if (call.program === "sqlite3") statements.push(...operands.slice(1));
  for (const file of call.values("-f", "--file", "-i", "-init")) call.signal("unknown-code", file);
  if (/^(?:mysql|mariadb|mycli)/.test(call.program)) {
    for (const secret of call.values("-p", "--password")) {
      if (secret !== "" && isKnown(secret)) call.signal("literal-secret", "password");
    }
  }
  const lists = call.has("-l", "--list", "--version", "-version", "-V", "--help", "-help", "-?");
  if (statements.length === 0 && !lists && !call.has("-f", "--file")) {
    statements.push(call.scene.stdin ?? ANY);
  }
  for (const statement of statements) judgeSql(statement, call);
  if (operands[0] !== undefined && call.program === "sqlite3") call.access("read", operands[0]);
  return null;
}

/** Notes what a text of SQL statements does. */
function judgeSql(text: string, call: Call): void {
  if (isOpen(text)) {
    call.signal("unknown-code", readable(text).slice(0, 80));
    return;
  }
  for (
    const [, command = ""] of text.matchAll(
      /(?:^|[\n;])[^\S\n]*(?:\\!|\.shell|\.system|system)\s+([^\n]*)/g,
    )
  ) {
    call.code(command);
  }
  for (const [, command = ""] of text.matchAll(/\bprogram\s+'((?:[^']|'')*)'/gi)) {
    call.code(command);
  }
  for (const statement of splitSql(text)) {
    const verdict = classifySql(statement);
    if (SECRET_COLUMNS.test(statement)) call.signal("secret-output", statement.slice(0, 80));
    if (verdict !== null) call.signal(verdict, statement.slice(0, 80));
  }
}

const SECRET_COLUMNS =
  /\b(?:pg_shadow|pg_authid|pg_user_mappings|authentication_string|password_hash|rolpassword)\b|\bpassword\b[^;]*\bmysql\.user\b|\*\s+from\s+mysql\.user\b/i;

/** Statements without comments; text in quotes is emptied. */
function splitSql(text: string): string[] {
  const bare = text.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/--[^\n]*|\/\*(?!!)[^]*?\*\//g, " ");
  // Backslash and dot commands of clients end with their line.
  const statements: string[] = [];
  let rest = "";
  for (const line of bare.split("\n")) {
    if (/^\s*[\\.]/.test(line)) statements.push(line);
    else rest += `${line}\n`;
  }
  statements.push(...rest.split(/;|\\[gG]\b/));
  return statements.map((one) => one.trim()).filter((one) => one !== "");
}

const READING =
  /^(?:select|show|describe|desc|explain|values|table|with|use|help|status|checksum\s+table|\(\s*select)\b|^pragma\s+(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|database_list|integrity_check|quick_check|foreign_key_check|foreign_key_list)\s*(?:\([^)]*\))?\s*$|^pragma\s+(?!optimize|incremental_vacuum|wal_checkpoint|shrink_memory)\w+$/i;
const WRITING =
  /\b(?:insert|update|delete|replace\s+into|merge|upsert|drop|truncate|alter|create|grant|revoke|rename|into\s+(?:out|dump)?file|into\s+\w|copy|load_file|load_extension|writefile|readfile|edit|lo_\w+|pg_read\w*|pg_ls\w*|pg_write\w*|pg_terminate\w*|pg_cancel\w*|pg_reload\w*|pg_rotate\w*|pg_switch\w*|pg_promote\w*|pg_drop\w*|pg_create\w*|dblink\w*|setval|nextval|set_config|query_to_xml|xp_\w+|sp_\w+|sys_exec|sys_eval|sleep|benchmark|get_lock|kill|shutdown|reset|vacuum|reindex|cluster|lock|call|exec|execute|do|for\s+update)\b/i;
const META =
  /^\\(?:d\w*\+?|l\+?|z|sf|sv|conninfo|encoding|timing|x|a|t|pset|echo|h|\?|q|du\+?|dt\+?|c|connect|errverbose|copyright)(?:\s|$)|^\.(?:tables|schema|databases|indexes|indices|headers?|mode|stats|show|help|width|fullschema|dbinfo|timer|dump|nullvalue|separator|quit|exit)\b/i;

/** What one statement does, or null if it only reads. */
export function classifySql(
  statement: string,
): "data-change" | "data-destroy" | "unknown-code" | null {
  if (META.test(statement)) return /`|\|/.test(statement) ? "unknown-code" : null;
  if (/^[\\.!]|\\[a-z!]/i.test(statement)) return "unknown-code";
  if (/\b(?:drop|truncate)\b/i.test(statement) || /^delete\b(?!.*\bwhere\b)/is.test(statement)) {
    return READING.test(statement) ? "data-change" : "data-destroy";
  }
  if (!READING.test(statement)) return "data-change";
  const rest = statement.replace(
    /^(?:explain|show|describe|desc)\b(?!\s*\(?\s*analy[sz]e)[^]*/i,
    "",
  );
  return WRITING.test(rest) ? "data-change" : null;
}

const REDIS_READING =
  /^(?:get|mget|strlen|exists|ttl|pttl|type|keys|scan|[hsz]scan|hget|hmget|hgetall|hkeys|hvals|hlen|hexists|llen|lrange|lindex|scard|smembers|sismember|srandmember|zcard|zrange|zrangebyscore|zrevrange|zscore|zrank|zcount|info|ping|dbsize|time|lastsave|role|command|memory|object|randomkey|getrange|bitcount|pfcount|xlen|xrange|xrevrange|xinfo|dump|echo|touch|lolwut|geopos|geodist|getbit)$/i;
const REDIS_SUBCOMMANDS =
  /^(?:config get|client (?:list|info|id|getname)|cluster (?:info|nodes|slots|shards|keyslot)|slowlog (?:get|len)|latency (?:latest|history|doctor)|acl (?:list|whoami|users|cat)|pubsub (?:channels|numsub|numpat)|script exists|module list|sentinel (?:masters|master|replicas|slaves|get-master-addr-by-name|sentinels|ckquorum)|debug object)\b/i;

/** `redis-cli`: one command in its operands, or many on standard input. */
export function analyzeRedis(call: Call): string | null {
  if (
    call.has(
      "--version",
      "-v",
      "--help",
      "--stat",
      "--latency",
      "--bigkeys",
      "--memkeys",
      "--scan",
      "--hotkeys",
      "--latency-history",
    )
  ) {
    return null;
  }
  for (const secret of call.values("-a", "--pass")) {
    call.signal("literal-secret", secret === "" ? "" : "-a");
  }
  if (call.has("--eval", "--pipe")) call.signal("unknown-code", call.args.join(" "));
  const lines = call.parsed.operands.length > 0
    ? [call.parsed.operands.join(" ")]
    : (call.scene.stdin ?? ANY).split("\n");
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== "")) {
    const [command = ""] = line.split(/\s+/);
    if (/\b(?:requirepass|masterauth|masteruser)\b/i.test(line)) call.signal("secret-output", line);
    if (isOpen(command)) call.signal("unknown-code", readable(line));
    else if (/^flush/i.test(command)) call.signal("data-destroy", line);
    else if (!REDIS_READING.test(command) && !REDIS_SUBCOMMANDS.test(line)) {
      call.signal("data-change", readable(line));
    }
  }
  return null;
}

const MONGO_READING =
  /^(?:db(?:\.getSiblingDB\([^()]*\))?(?:\.\w+|\.getCollection\([^()]*\)|\[[^\]]*\])*\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|explain|aggregate|serverStatus|currentOp|version|getCollectionNames|getCollectionInfos|hostInfo|isMaster|hello|dataSize|storageSize|totalSize|getName|getUsers|getRoles)\(|rs\.(?:status|conf|config|printReplicationInfo|printSecondaryReplicationInfo)\(|sh\.status\(|show\s+\w+$|db\.adminCommand\(\s*["'{]*\s*["']?(?:ping|listDatabases|serverStatus|replSetGetStatus|hello|buildInfo)\b)/;

/** `mongosh`: JavaScript, of which plain queries are known to read. */
export function analyzeMongo(call: Call): string | null {
  const codes = call.values("--eval");
  if (codes.length === 0) codes.push(call.scene.stdin ?? ANY);
  for (const code of codes) {
    const plain = code.replace(/^(?:print(?:json)?|JSON\.stringify)\(/, "").trim();
    const writes =
      /\$out|\$merge|\$where|\$function|[;=]\s*\S|drop|remove|delete|insert|update|shutdown|eval/i
        .test(plain.replaceAll(/"[^"]*"|'[^']*'/g, "''"));
    if (!MONGO_READING.test(plain) || writes) {
      call.signal("foreign-code", readable(code).slice(0, 80));
    }
  }
  if (call.has("--file", "-f")) call.signal("unknown-code", "file");
  return null;
}
