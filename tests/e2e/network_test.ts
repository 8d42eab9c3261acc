import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, PROGRAMS, rein, type RunSettings } from "./_program.ts";

/** A name that has no address anywhere. */
const ELSEWHERE = "http://model.test/v1";

const ANSWER =
  'data: {"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n';

const ARGS = ["-q", "-m", "m", "hello", "--base-url"];

/** Makes a certificate for localhost and the authority that signed it; false without openssl. */
async function makeCertificates(cwd: string): Promise<boolean> {
  const openssl = async (line: string) => {
    const command = new Deno.Command("openssl", { args: line.split(" "), cwd, stderr: "null" });
    return (await command.output()).success;
  };
  try {
    await Deno.writeTextFile(`${cwd}/ext`, "subjectAltName=DNS:localhost\n");
    const key = "-newkey rsa:2048 -nodes";
    return await openssl(
      `req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=rein-test`,
    ) &&
      await openssl(`req ${key} -keyout own.key -out own.csr -subj /CN=localhost`) &&
      await openssl(
        "x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out own.pem -days 2 " +
          "-extfile ext",
      );
  } catch {
    return false;
  }
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
    test(`asks a model through the proxy of ${name}`, async () => {
      const proxy = startModelServer(() => ({ text: "Hi." }));
      const env = { [name]: new URL(proxy.baseUrl).origin };
      const ended = await rein(program, [...ARGS, ELSEWHERE], { env });
      await proxy.close();
      assertEquals([ended.code, ended.stdout, proxy.requests.length], [0, "Hi.\n", 1]);
    });
  }

  test("asks the hosts of NO_PROXY without the proxy", async () => {
    const server = startModelServer(() => ({ text: "Hi." }));
    const env = { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1,localhost" };
    const ended = await rein(program, [...ARGS, server.baseUrl], { env });
    await server.close();
    assertEquals([ended.code, ended.stdout], [0, "Hi.\n"]);
  });

  test("takes a private authority's certificate where it is named, and only there", async () => {
    await inTempDir(async (cwd) => {
      if (!await makeCertificates(cwd)) {
        console.log("Skipped: certificates, since there is no openssl to make them");
        return;
      }
      const [cert, key] = ["own.pem", "own.key"].map((name) =>
        Deno.readTextFileSync(`${cwd}/${name}`)
      );
      const headers = { "content-type": "text/event-stream" };
      const server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, cert: cert ?? "", key: key ?? "", onListen: () => {} },
        () => new Response(ANSWER, { headers }),
      );
      const ask = (env: RunSettings["env"] = {}) =>
        rein(program, [...ARGS, `https://localhost:${server.addr.port}/v1`], { env, cwd });
      const ended = [
        await ask({ DENO_CERT: `${cwd}/ca.pem` }),
        await ask({ DENO_TLS_CA_STORE: "system", SSL_CERT_FILE: `${cwd}/ca.pem` }),
        await ask(),
      ];
      await server.shutdown();
      assertEquals(ended.map(({ code, stdout }) => [code, stdout]), [
        [0, "Hi.\n"],
        [0, "Hi.\n"],
        [5, ""],
      ]);
      // What stays is not tried again.
      assertMatch(ended[2]?.stderr ?? "", /can't be reached: invalid peer certificate: [^(]*\. /);
    });
  });
}
