import { assertEquals } from "@std/assert";
import { createJudge } from "../../lib/policy/evaluate.ts";
import { builtInSources, loadPolicy, prepareYaml } from "../../lib/policy/load.ts";
import { WORLD } from "./judging.ts";

Deno.test("the worked example of docs/policies.md loads and decides as it says", async () => {
  await prepareYaml();
  const page = Deno.readTextFileSync(new URL("../../docs/policies.md", import.meta.url));
  const example = page.slice(page.indexOf("## Writing one"));
  const text = /```yaml\n([^]*?)```/.exec(example)?.[1] ?? "";
  const judge = createJudge(
    loadPolicy([...builtInSources(), { name: "web.yaml", layer: "user", text }]),
    WORLD,
  );
  const decide = (command: string) =>
    judge({ tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] })
      .decision;
  assertEquals(decide("kubectl -n web rollout restart deployment/web"), "allow");
  assertEquals(decide("kubectl rollout restart deployment/db"), "ask");
  assertEquals(decide("df -h > /srv/reports/disk.txt"), "allow");
  assertEquals(decide("df -h > /srv/other.txt"), "ask");
  assertEquals(decide("psql -h db.prod.example.org -c 'SELECT 1'"), "deny");
  assertEquals(decide("psql -h db.test.example.org -c 'SELECT 1'"), "allow");
});
