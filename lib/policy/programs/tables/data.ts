/**
 * Databases and their clients.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of database tools. */
export const DATA: readonly ProgramSpec[] = [
  {
    names: "psql pgcli",
    options:
      "-aAbeEHlnqsStwWxXzV0? -1 -c: -d: -f: -F: -h:h -L:w -o:w -p: -P: -R: -T: -U: -v: --command= --dbname= --file= --list --set= --variable= --no-psqlrc --echo-all --echo-errors --echo-queries --echo-hidden --output=w --quiet --single-step --single-line --no-align --csv --field-separator= --html --pset= --record-separator= --tuples-only --table-attr= --expanded --field-separator-zero --record-separator-zero --host=h --port= --username= --no-password --password --single-transaction --no-readline --log-file=w --version --help?",
    analyze: "sql",
  },
  {
    names: "cockroach",
    options:
      "-e: -d: -u: -p: -f: --execute= --database= --user= --host=h --port= --url= --certs-dir= --insecure --format= --set= --watch= --echo-sql --read-only --file= --version --help",
    analyze: "sql",
  },
  {
    names: "mysql mariadb mycli mysqlsh",
    options:
      "-ABbCEfGHiIjLNnoqrsStTUvVwW? -D: -e: -h:h -P: -p? -S: -u: -X -t --execute= --database= --host=h --port= --user= --password? --socket= --batch --silent --skip-column-names --column-names --table --vertical --raw --html --xml --protocol= --ssl-mode= --ssl-ca= --default-character-set= --connect-timeout= --quick --no-auto-rehash --unbuffered --verbose --version --help --login-path= --defaults-file= --defaults-extra-file= --no-defaults --safe-updates --init-command= --line-numbers --skip-line-numbers !--pager? !--tee=w",
    analyze: "sql",
  },
  {
    names: "mysqldump mariadb-dump pg_dump pg_dumpall mongodump mongoexport",
    options:
      "-aAbBcCdeEFhlnNoOpqRsStTuUvwWxXZ0 -h:h -u: -U: -P: -p? -d: -t: -n: -f:w -F: -T: -N: -j: -Z: -r:w --single-transaction --no-data --schema-only --data-only --databases --all-databases --host=h --user= --username= --port= --password? --table= --schema= --file=w --format= --dbname= --no-owner --no-acl --result-file=w --routines --triggers --events --quick --db= --collection= --out=w --query= --type= --fields= --globals-only --version --help",
    operands: "-*",
  },
  {
    names: "mysqladmin mariadb-admin mysqlshow mysqlbinlog mysqlcheck",
    options:
      "-bcfirsStvVwEkCaAgo? -h:h -u: -P: -p? -S: -i: --host=h --user= --password? --port= --socket= --count= --sleep= --relative --silent --vertical --verbose --base64-output= --start-datetime= --stop-datetime= --start-position= --stop-position= --database= --all-databases --check --analyze --protocol= --version --help",
    operands: "-*",
  },
  {
    names:
      "pg_isready pg_controldata pg_config pg_lsclusters pg_ctlcluster pg_restore createdb dropdb createuser dropuser vacuumdb reindexdb pg_ctl pg_basebackup pg_top pgbench pgbadger mongorestore mongoimport pg_resetwal initdb",
    options:
      "-aqeCcdfijlnsStvwWVh1 -h:h -p: -U: -d: -t: -l -D: -f: -F: -j: -n: --host=h --port= --username= --dbname= --timeout= --list --quiet --version --help --if-exists --force --interactive --echo * --bindir --includedir --libdir --json",
    operands: "-*",
  },
  {
    names: "sqlite3 sqlite duckdb litecli",
    options:
      "-readonly -header -noheader -csv -column -line -list -html -json -markdown -table -box -tabs -quote -batch -bail -separator: -nullvalue: -newline: -cmd: -init: -echo -stats -version -help -safe -ascii -ro -c: -s: -f: -mmap: -vfs: -zip -interactive",
    style: "single",
    analyze: "sql",
  },
  {
    names: "redis-cli valkey-cli keydb-cli",
    options:
      "-cvx23 -h:h -p: -s: -a: -n: -r: -i: -d: -D: -u: -t: -X: --user= --pass= --askpass --raw --no-raw --csv --json --quoted-input --stat --latency --latency-history --latency-dist --bigkeys --memkeys --hotkeys --scan --pattern= --count= --intrinsic-latency= --tls --cacert= --cert= --key= --no-auth-warning --version --help --eval= --pipe --cluster= --rdb=w --functions-rdb=w --sni= --insecure --verbose --no-raw",
    style: "posix",
    analyze: "redis",
  },
  {
    names: "mongo mongosh",
    options:
      "-qhv -u: -p: --quiet --eval= --host=h --port= --username= --password= --authenticationDatabase= --norc --nodb --json? --tls --version --help --file=",
    analyze: "mongo",
  },
  {
    names:
      "influx clickhouse-client clickhouse cqlsh sqlcmd bcp sqlplus isql tsql osql usql db2 beeline trino presto spark-sql hive",
    options:
      "-aEsmntvxhqQWb -h:h -u: -p: -q: -e: -Q: -d: -S: -U: -P: -f: -k: --query= --host=h --port= --user= --password= --database= --format= --multiquery --execute= --file= --keyspace= --request-timeout= --no-color --version --help --readonly= --max_threads=",
    analyze: "sql",
  },
  {
    names: "mongostat mongotop",
    options:
      "-n: --host=h --port= --username= --password= --authenticationDatabase= --json --noheaders --rowcount= --discover",
    operands: "-*",
  },
  { names: "elasticdump", options: "", operands: "-*" },
  {
    names: "memcached-tool memcstat pt-summary pt-query-digest pt-mysql-summary innotop",
    options: "-h -v --limit= --since= --until=",
    operands: "-*",
  },
];
