import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type AuditTerms, joinAudit, type LayerTerms } from "../../lib/policy/audit.ts";
import { loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import { type Layer, LAYERS } from "../../lib/policy/types.ts";

await prepareYaml();

function joined(...layers: readonly (readonly [Layer, AuditTerms])[]): AuditTerms {
  return joinAudit(layers.map(([layer, terms]) => ({ layer, terms })));
}

Deno.test("joinAudit() obeys the earliest layer that names a place or a key", () => {
  assertEquals(
    joined(
      ["system", { path: "/var/log/rein", key_variable: "REIN_AUDIT_KEY_A" }],
      ["user", { path: "~/mine", key_file: "~/key", rotate_mb: 8 }],
    ),
    { enabled: true, path: "/var/log/rein", key_variable: "REIN_AUDIT_KEY_A", rotate_mb: 8 },
  );
});

Deno.test("joinAudit() lets nobody switch off what an earlier layer asks for", () => {
  assertEquals(joined(["user", { enabled: false }]), { enabled: false });
  assertEquals(joined(["system", { required: true }], ["user", { enabled: false }]), {
    enabled: true,
    required: true,
  });
  assertEquals(joined(["user", { enabled: false }], ["command-line", { syslog: true }]), {
    enabled: true,
    syslog: true,
  });
});

Deno.test("joinAudit() lets a file of the working directory choose no file and switch nothing off", () => {
  assertEquals(
    joined(["project", { path: "/home/me/.bashrc", key_file: "/x", enabled: false, rotate_mb: 1 }]),
    {},
  );
  assertEquals(joined(["project", { required: true, syslog: true }]), {
    enabled: true,
    required: true,
    syslog: true,
  });
});

Deno.test("joinAudit() only ever asks for more, whatever layers follow", () => {
  const terms: fc.Arbitrary<AuditTerms> = fc.record({
    enabled: fc.boolean(),
    required: fc.boolean(),
    path: fc.constantFrom("/a", "/b"),
    key_file: fc.constantFrom("/k", "/l"),
    syslog: fc.boolean(),
  }, { requiredKeys: [] });
  const layers: fc.Arbitrary<LayerTerms[]> = fc.array(
    fc.record({ layer: fc.constantFrom(...LAYERS), terms }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(layers, layers, (first, more) => {
      const [before, after] = [joinAudit(first), joinAudit([...first, ...more])];
      if (before.enabled === true) assertEquals(after.enabled, true);
      if (before.required) assertEquals(after.required, true);
      if (before.syslog) assertEquals(after.syslog, true);
      if (before.path !== undefined) assertEquals(after.path, before.path);
      if (before.key_file !== undefined) assertEquals(after.key_file, before.key_file);
    }),
    { seed: 9 },
  );
});

Deno.test("a policy file says where and how runs are audited", () => {
  const text = "audit:\n  required: true\n  path: /var/log/rein/audit.jsonl\n";
  const { audit } = loadPolicy([{ name: "p.yaml", layer: "system", text }]);
  assertEquals(audit, { enabled: true, required: true, path: "/var/log/rein/audit.jsonl" });
});
