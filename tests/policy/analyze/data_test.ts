import { assertEquals } from "@std/assert";
import { classifySql } from "../../../lib/policy/analyze/data.ts";

Deno.test("classifySql() tells reading, changing and destroying apart", () => {
  const cases = [
    ["SELECT 1", null],
    ["select * from t where a = ''", null],
    ["WITH x AS (SELECT 1) SELECT * FROM x", null],
    ["EXPLAIN SELECT 1", null],
    ["\\dt", null],
    [".tables", null],
    ["PRAGMA table_info(t)", null],
    ["UPDATE t SET a = 1", "data-change"],
    ["EXPLAIN ANALYZE DELETE FROM t WHERE a", "data-change"],
    ["WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "data-change"],
    ["SELECT pg_terminate_backend(1)", "data-change"],
    ["SELECT * INTO OUTFILE '' FROM t", "data-change"],
    ["DROP TABLE t", "data-destroy"],
    ["DELETE FROM t", "data-destroy"],
    ["TRUNCATE t", "data-destroy"],
    ["\\! x", "unknown-code"],
    ["SELECT '' \\gexec", "unknown-code"],
    [".shell x", "unknown-code"],
  ] as const;
  for (const [statement, expected] of cases) {
    assertEquals(classifySql(statement), expected, statement);
  }
});
