/**
 * Containers and clusters.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

const DOCKER =
  "-aqlsvtHDdifhrT -c: -f: -n: -l -H: -p: -u: -w: -e: --user= --workdir= --env= --interactive --tty --privileged --no-TTY --index= --all --quiet --no-trunc --size --filter= --format= --last= --latest --tail= --since= --until= --timestamps --follow --details --no-stream --digests --type= --verbose --human? --debug --tls --tlsverify --tlscacert= --tlscert= --tlskey= --host= --context= --log-level= --config= --version --help --services --status= --file= --project-name= --profile= --project-directory= --env-file= --ansi= --no-color --no-log-prefix --index= --hash= --images --volumes --profiles --no-interpolate --resolve-image-digests --orphans --sort= --ns --pod --sync --namespace --interval= --no-reset --no-resolve --pretty --tree --insecure --raw --platform= --limit= --list-tags --compatible --name= --latest --external --watch= --network --no-heading --noheading --builder= --dry-run --json --environment --variables --lock-image-digests --no-consistency --no-normalize --no-path-resolution --output=w --force --volumes --rmi= --remove-orphans --time= --signal= --detach";

const KUBECTL =
  "--namespaces= --output-directory=w --name-only -AwRLhqit -n: -o: -l: -L: -f: -k: -c: !-s: -p -v: --all-namespaces --namespace= --context= --cluster= --user= --kubeconfig= --output= --selector= --field-selector= --watch --watch-only --label-columns= --sort-by= --show-labels --no-headers? --chunk-size= --ignore-not-found? --recursive --filename= --kustomize= --show-kind --subresource= --raw? !--server= --token= --insecure-skip-tls-verify? --insecure-skip-tls-verify-backend --request-timeout= --v= --as= --as-group= --as-uid= --cache-dir= --certificate-authority= --client-certificate= --client-key= --tls-server-name= --match-server-version --warnings-as-errors --allow-missing-template-keys --template= --show-managed-fields? --server-print? --output-watch-events --container= --all-containers? --since= --since-time= --tail= --timestamps? --previous? --prefix? --max-log-requests= --limit-bytes= --follow? --ignore-errors --pod-running-timeout= --containers --use-protocol-buffers --sum --show-capacity --show-swap --api-version= --namespaced? --verbs= --api-group= --cached --categories= --client --short --revision= --timeout= --list --quiet --no-headers --minify --flatten --for= --types= --show-events? --all --dry-run? --resource-version= --concurrency= --server-side? --field-manager= --prune --force? --grace-period= --now --cascade? --wait? --all-pods? --help --version --stdin --tty --replicas= --image= --overwrite --from-literal= --from-file= --force-conflicts --prune-allowlist= !--enable-helm --load-restrictor= --ignore-daemonsets --delete-emptydir-data --profile= --profile-output=w";

/** Grammars of container tools. */
export const CONTAINERS: readonly ProgramSpec[] = [
  {
    names: "docker podman nerdctl",
    options: DOCKER,
    analyze: "container",
    subcommands: {
      "top": { options: "-o:" },
      "logs": { options: "-ft -n: -f" },
      "compose": { options: "-f: -p:" },
      "compose logs": { options: "-ft -n:" },
      "inspect": { options: "-s -f:" },
      "history": { options: "-H" },
      "info": { options: "-f:" },
      "stack": { options: "-c:" },
      "rm": { options: "-fvl" },
      "rmi": { options: "-f" },
      "prune": { options: "-af" },
      "build": { options: "-t: -f: --tag= --build-arg= --no-cache --pull --target=" },
      "run": { options: "-e: -v: -p: -w: -u: -i -t -d --rm --name= --entrypoint=" },
    },
  },
  {
    names: "docker-compose podman-compose",
    options: DOCKER,
    analyze: "container",
    subcommands: { "logs": { options: "-ft -n:" } },
  },
  {
    names: "kubectl oc k kubecolor microk8s.kubectl",
    options: KUBECTL,
    analyze: "container",
    subcommands: {
      "logs": { options: "-f -p" },
      "exec": { options: "-it -c:" },
      "config": { options: "-o:" },
      "rollout": { options: "-w" },
    },
  },
  {
    names:
      "k3s minikube kind k9s crictl ctr buildah skopeo dive trivy grype syft hadolint cosign kustomize kubectx kubens stern kubeadm kube-linter kubeval kubeconform popeye velero istioctl linkerd cilium flux argocd tkn kubeseal calicoctl eksctl rancher",
    options:
      "-aqhvfcn -o: -n: -c: -l: -f: -p: -s: -t: -i: -r: -A --all --quiet --output= --namespace= --container= --since= --tail= --timestamps --no-trunc --all-namespaces --context= --kubeconfig= --severity= --format= --short --raw --latest --name= --state= --label= --profile= --node= --tls-verify= --ignore-unfixed --exit-code= --version --help --client --watch --grpc --insecure --plaintext --server= --core --refresh --cluster= --region= --enable-helm --template= --exclude= --include=",
    operands: "-*",
  },
  {
    names: "helm helmfile",
    options:
      "--max-col-width= --list-repo-url -aAqdhm -n: -o: -f: -l: -m: --namespace= --kube-context= --kubeconfig= --output= --all --all-namespaces --filter= --deployed --failed --pending --superseded --uninstalled --short --date --reverse --max= --offset= --revision= --selector= --values= --set= --set-string= --set-file= --set-json= --version? --devel --versions --regexp --repo= --show-only= --include-crds --no-hooks --hide-notes --show-desc --show-resources --template= --api-versions= --kube-version= --validate --debug --dry-run? --color --strict --with-subcharts --quiet --skip-tests --release-name --is-upgrade --name-template= --generate-name !--dependency-update --verify --keyring= --username= --password= --ca-file= --insecure-skip-tls-verify --plain-http --help --environment= --context= --suppress-secrets --no-color --detailed-exitcode --client --registry-config= --repository-cache= --repository-config= !--post-renderer=x !--output-dir=w !--post-renderer-args=",
    operands: "-*",
  },
];
