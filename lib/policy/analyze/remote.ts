/**
 * Programs that run commands elsewhere: on other machines, in containers.
 *
 * @module
 */
import { NETWORK } from "../marks.ts";
import { parseWords } from "../programs/parse_words.ts";
import { resolveWord } from "../paths.ts";
import type { Call } from "../shell/call.ts";

/** `ssh`: what follows the host is shell code over there. */
export function analyzeRemote(call: Call): string | null {
  const [host, ...rest] = call.parsed.operands;
  // Options may follow the host too.
  const { operands: words, flags } = parseWords(rest, {
    options: call.spec?.options ?? "",
    style: "posix",
  });
  for (const { name, value } of flags) {
    if (name === "-o" && value !== null) judgeSshOption(value, call);
    else if (!/^-[46ACKanqTtvxlpicmbJ]$/.test(name)) call.signal("unknown-option", name);
  }
  for (const option of call.values("-o")) judgeSshOption(option, call);
  if (host === undefined) return null;
  call.host(host.replace(/^[^@]*@/, ""));
  call.signal("remote", host);
  if (words.length > 0) call.code(words.join(" "), { remote: true });
  else if (call.scene.stdin !== null) call.code(call.scene.stdin, { remote: true });
  else if (!call.has("-V", "-G", "-Q")) call.signal("unknown-code", "interactive session");
  return NETWORK;
}

const HARMLESS_SSH =
  /^(?:ConnectTimeout|BatchMode|StrictHostKeyChecking|UserKnownHostsFile|LogLevel|ServerAlive\w+|ConnectionAttempts|PasswordAuthentication|PreferredAuthentications|PubkeyAuthentication|IdentitiesOnly|AddressFamily|Compression|RequestTTY|NumberOfPasswordPrompts|Port|User|HostKeyAlgorithms|KexAlgorithms|TCPKeepAlive|ClearAllForwardings|VisualHostKey|HashKnownHosts|CheckHostIP|UpdateHostKeys|KbdInteractiveAuthentication|GSSAPIAuthentication)\s*[= ]/i;

function judgeSshOption(option: string, call: Call): void {
  if (HARMLESS_SSH.test(option)) return;
  call.signal("unknown-option", option);
  const command =
    /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|Match\s+exec)\s*[= ](.*)$/is
      .exec(option)?.[1];
  if (command !== undefined) call.code(command);
}

/** Options of `exec` and `run` that take a value, over all container programs. */
const INNER_OPTIONS =
  "-itdTqP --interactive --tty --stdin --detach --rm --init --privileged --no-TTY --quiet --read-only --no-healthcheck -u: --user= -w: --workdir= -e: --env= --env-file= -v: --volume= -p: --publish= --name= --network= --net= -c: --container= -n: --namespace= --mount= --entrypoint= --index= --detach-keys= -l: --label= -m: --memory= --cpus= -h: --hostname= --add-host= --restart= --device= --cap-add= --cap-drop= --security-opt= --pid= --ipc= --uts= --userns= --volumes-from= --ulimit= --log-driver= --log-opt= --platform= --pull= --tmpfs= --dns= --shm-size= --gpus= --ip= --link= --expose= --cpuset-cpus= --cgroupns= --pod-running-timeout= --context= --kubeconfig= --cluster= --image= --restart= --command --overrides= --dry-run= -f: --filename= --target= --profile= --copy-to= --share-processes --attach --labels=";

/** `docker exec`, `kubectl exec` and the like: the inner command is judged. */
export function analyzeContainer(call: Call): string | null {
  const { operands, positions } = call.parsed;
  if (call.values("--dry-run").some((value) => /^(?:none|false)$/.test(value))) {
    call.signal("data-change", "--dry-run");
  }
  judgeClusterOptions(call);
  const at = operands[0] === "compose" || operands[0] === "container" || operands[0] === "pod"
    ? 1
    : 0;
  const verb = operands[at] ?? "";
  if (!/^(?:exec|run|debug|start-shell|shell|attach)$/.test(verb)) return null;
  const start = (positions[at] ?? 0) + 1;
  const parsed = parseWords(call.args.slice(start), { options: INNER_OPTIONS, style: "posix" });
  const all = parseWords(call.args.slice(start), { options: INNER_OPTIONS, style: "gnu" });
  const kubernetes = /^(?:kubectl|oc|k3s|microk8s)$/.test(call.program);
  call.signal("remote", verb);
  const inner = kubernetes
    ? afterDashes(call.args.slice(start), all.operands)
    : parsed.operands.slice(1);
  const mounts = parsed.flags.filter(({ name }) => /^(?:-v|--volume|--mount)$/.test(name))
    .map(({ value }) => mountOf(value ?? "")).filter((mount) => mount !== null);
  const entry = parsed.flags.find(({ name }) => name === "--entrypoint")?.value;
  const words = entry ? [entry, ...inner] : inner;
  if (words.length === 0) {
    call.signal("unknown-code", verb === "exec" ? "interactive session" : "image's own command");
    return null;
  }
  return call.run(words.map((word) => throughMounts(word, mounts)), { remote: true });
}

/** A configuration may run a program; a raw address may be that of a secret. */
function judgeClusterOptions(call: Call): void {
  const trusted = [`${call.walk.world.home}/`, "/etc/", "/root/.kube/"];
  for (const file of call.values("--kubeconfig")) {
    if (!trusted.some((folder) => resolveWord(file, call.cwd).startsWith(folder))) {
      call.signal("unknown-option", `--kubeconfig=${file}`);
    }
  }
  if (call.has("--raw") && call.args.some((word) => /secret|token/i.test(word))) {
    call.signal("secret-output", "--raw");
  }
}

/** `kubectl exec POD -- COMMAND`, or the old form without dashes. */
function afterDashes(args: readonly string[], operands: readonly string[]): readonly string[] {
  const dashes = args.indexOf("--");
  return dashes < 0 ? operands.slice(1) : args.slice(dashes + 1);
}

interface Mount {
  readonly source: string;
  readonly target: string;
}

function mountOf(text: string): Mount | null {
  const long = /(?:source|src)=([^,]+).*(?:target|dst|destination)=([^,]+)/.exec(text);
  const short = /^([^:]+):([^:]+)/.exec(text);
  const found = long ?? short;
  if (!found?.[1]?.startsWith("/")) return null;
  return { source: found[1], target: (found[2] ?? "").replace(/\/+$/, "") };
}

/** A path in a container that is a path of this machine is judged as that. */
function throughMounts(word: string, mounts: readonly Mount[]): string {
  let text = word;
  for (const { source, target } of mounts) {
    const escaped = target.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const base = source === "/" ? "" : source;
    text = text.replaceAll(
      new RegExp(`(^|[\\s'"=])${escaped}(/|(?=[\\s'"]|$))`, "g"),
      (_whole: string, before: string, slash: string) =>
        before + (slash === "/" ? `${base}/` : base || "/"),
    );
  }
  return text;
}
