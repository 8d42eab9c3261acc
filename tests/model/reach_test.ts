import { assertEquals, assertRejects } from "@std/assert";
import { mayUseProxy, reach } from "../../lib/model/reach.ts";
import { fakeEnvironment, FakeNetwork, NEVER } from "../fakes.ts";

Deno.test("mayUseProxy() knows the variables of the runtime, in both cases", () => {
  const names = ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "NO_PROXY", "PROXY"];
  assertEquals(
    names.map((name) => mayUseProxy(fakeEnvironment({ [name]: "http://127.0.0.1:3128" }))),
    [true, true, true, false, false],
  );
  assertEquals(mayUseProxy(fakeEnvironment({ HTTP_PROXY: "" })), false);
});

Deno.test("reach() is content with one address of several, at the port of the address", async () => {
  const network = new FakeNetwork({ "m.test": ["10.0.0.1", "10.0.0.2"] });
  const tried: string[] = [];
  network.connect = (address, port) => {
    tried.push(`${address}:${port}`);
    return address === "10.0.0.2" ? Promise.resolve() : Promise.reject(new Error("refused"));
  };
  for (const url of ["https://m.test/v1", "http://m.test/v1", "http://m.test:8000/v1"]) {
    await reach(url, network, NEVER);
  }
  assertEquals(tried, [443, 80, 8000].flatMap((port) => [`10.0.0.1:${port}`, `10.0.0.2:${port}`]));
});

Deno.test("reach() fails where no address can be reached, or there is none", async () => {
  const network = new FakeNetwork({ "m.test": ["10.0.0.1"] });
  await assertRejects(() => reach("http://m.test/v1", network, NEVER));
  await assertRejects(() => reach("http://none.test/v1", network, NEVER));
});
