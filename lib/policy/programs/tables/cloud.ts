/**
 * Clouds and infrastructure as code.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

const AWS =
  "* --profile= --region= --output= --query= !--endpoint-url= --no-verify-ssl --no-paginate --no-cli-pager --color= --ca-bundle= --cli-read-timeout= --cli-connect-timeout= --page-size= --max-items= --starting-token= --filters= --filter= --instance-ids= --attribute= --debug --no-sign-request --version --recursive --human-readable --summarize --dryrun --cli-input-json= --with-decryption";
const GCLOUD =
  "* -o: -m -l -q --project= --format= --filter= --limit= --sort-by= --zone= --region= --account= --configuration= --verbosity= --quiet --flatten= --page-size= --uri --location= --cluster= --impersonate-service-account= --billing-project= --log-http --user-output-enabled --zones= --regions= --service= --freshness= --order=";
const AZ =
  "* -o: -g: -n: -s: -l: --output= --query= --subscription= --resource-group= --name= --only-show-errors --verbose --debug --ids= --account-name= --vault-name= --location=";

/** Grammars of cloud tools. Their options are alike and very many, so any is known. */
export const CLOUD: readonly ProgramSpec[] = [
  {
    names: "terraform tofu terragrunt",
    options:
      "-chdir: -no-color -json -state: -lock: -lock-timeout: -input: -out:w -var: -var-file: -target: -replace: -refresh: -refresh-only -detailed-exitcode -compact-warnings -parallelism: -destroy -raw -check -diff -recursive -write: -list: -help -version -id: -module-depth: -draw-cycles -type: -plan: -platform: -auto-approve -force -generate-config-out:w -show-sensitive -no-tests -test-directory: --help --version",
    style: "single",
    operands: "-*",
    subcommands: { "fmt": { options: "-write:" } },
  },
  {
    names: "ceph rbd restic borg patronictl",
    options:
      "-s -w -f: -p: -c: -r: -n: --status --format= --pool= --latest= --tag= --host= --path= --repo= --json --short --last= --first= --prefix= --json-lines --long --all --cluster= --conf= --name= --verbose --quiet --version --help",
    operands: "-*",
  },
  { names: "aws", options: AWS, operands: "-*", analyze: "store" },
  { names: "gcloud gsutil bq", options: GCLOUD, operands: "-*", analyze: "store" },
  { names: "az", options: `${AZ} -f: --file=`, operands: "-*", analyze: "store" },
  {
    names:
      "doctl linode-cli hcloud oci openstack ibmcloud aliyun tccli flyctl fly heroku vercel netlify wrangler pulumi packer cdk sam serverless eb ecs-cli copilot s3cmd rclone mc s4cmd b2 ipfs",
    options: "*",
    operands: "-*",
    analyze: "store",
  },
];
