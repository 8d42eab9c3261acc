import { assertEquals, assertRejects } from "@std/assert";
import { AuditError } from "../../lib/audit/audit_error.ts";
import { openAudit } from "../../lib/audit/open_audit.ts";
import type { AuditTerms } from "../../lib/policy/audit.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { realFiles } from "../../lib/real/files.ts";
import { fakeEnvironment, fakePorts } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

/** What comes of opening the audit below a directory. */
async function opened(
  terms: AuditTerms,
  directory: string | null,
  env: Readonly<Record<string, string>> = {},
): Promise<{ audited: boolean; secrets: readonly string[]; warnings: readonly string[] }> {
  const warnings: string[] = [];
  const ports = fakePorts({
    files: realFiles,
    databases: createDatabases(directory),
    env: fakeEnvironment(env),
  });
  const audit = await openAudit(terms, ports, (text) => warnings.push(text));
  await audit?.end();
  return { audited: audit !== null, secrets: audit?.secrets ?? [], warnings };
}

Deno.test("openAudit() audits by default, and touches nothing before the first entry", () =>
  inTempDir({}, async (directory) => {
    assertEquals(await opened({}, directory), { audited: true, secrets: [], warnings: [] });
    assertEquals([...Deno.readDirSync(directory)], []);
  }));

Deno.test("openAudit() audits nothing where it is switched off or there is no place", async () => {
  const nothing = { audited: false, secrets: [], warnings: [] };
  assertEquals(await opened({ enabled: false }, "/state"), nothing);
  assertEquals(await opened({}, null), nothing);
  await assertRejects(() => opened({ required: true }, null), AuditError, "no place for it");
});

Deno.test("openAudit() takes the key of the policy, else that of the environment", () =>
  inTempDir({ "key": "  the key of the file\n" }, async (directory) => {
    const key_file = `${directory}/key`;
    await Deno.chmod(key_file, 0o400);
    const env = {
      REIN_AUDIT_KEY: "the key of the environment",
      REIN_AUDIT_KEY_2: "another key of it",
    };
    const secrets = async (terms: AuditTerms) => (await opened(terms, directory, env)).secrets;
    assertEquals(await secrets({}), ["the key of the environment"]);
    assertEquals(await secrets({ key_variable: "REIN_AUDIT_KEY_2" }), ["another key of it"]);
    assertEquals(await secrets({ key_file }), ["the key of the file"]);
  }));

Deno.test("openAudit() writes no log without the seal that it is to have", () =>
  inTempDir({ "key": "open to everyone, and long enough" }, async (directory) => {
    await Deno.chmod(`${directory}/key`, 0o644);
    const wrong: readonly (readonly [AuditTerms, Record<string, string>, string])[] = [
      [{ key_file: `${directory}/key` }, {}, "others than its owner may read"],
      [{ key_file: `${directory}/none` }, {}, "does not exist"],
      [{ key_variable: "REIN_AUDIT_KEY" }, {}, "is not set"],
      [{}, { REIN_AUDIT_KEY: "short" }, "fewer than 16 characters"],
    ];
    for (const [terms, env, words] of wrong) {
      const { audited, warnings } = await opened(terms, directory, env);
      assertEquals([audited, warnings.length, warnings[0]?.includes(words)], [false, 1, true]);
      const required = { ...terms, required: true };
      await assertRejects(() => opened(required, directory, env), AuditError, words);
    }
  }));
