/**
 * Version control.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

const COMMON =
  "-C: -c: -p -P -h -v --git-dir= --work-tree= --namespace= --no-pager --no-replace-objects --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --bare --version --help --html-path --man-path --info-path --no-lazy-fetch --attr-source= !--exec-path? !--paginate !--config-env=";

const LOG =
  "-# -bwzqsuiEFPRaBMCDlmcrtgWIo -L: -n: -S: -G: -U: -M? -C? -B? -D -X? -O:r -l: -i -1 --oneline --no-commit-id --build-options --graph --all --decorate? --no-decorate --stat? --shortstat --numstat --dirstat? --summary --name-only --name-status --patch --no-patch --patch-with-stat --raw --pretty? --format? --date= --since= --until= --after= --before= --since-as-filter= --author= --committer= --grep= --invert-grep --all-match --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --basic-regexp --max-count= --skip= --merges --no-merges --first-parent --min-parents= --max-parents= --branches? --tags? --remotes? --glob= --exclude= --reflog --follow --full-history --simplify-by-decoration --simplify-merges --ancestry-path? --topo-order --date-order --author-date-order --reverse --abbrev-commit --no-abbrev-commit --abbrev? --relative-date --parents --children --left-right --cherry --cherry-mark --cherry-pick --left-only --right-only --boundary --walk-reflogs --source --full-diff --diff-filter= --pickaxe-all --pickaxe-regex --find-renames? --find-copies? --find-copies-harder --no-renames --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-matching-lines= --word-diff? --word-diff-regex= --color-words? --color? --no-color --color-moved? --unified= --minimal --patience --histogram --diff-algorithm= --anchored= --function-context --inter-hunk-context= --exit-code --quiet --check --binary --full-index --text --relative? --no-relative --src-prefix= --dst-prefix= --no-prefix --line-prefix= --cached --staged --merge-base --no-index --submodule? --ignore-submodules? --compact-summary --show-signature --notes? --no-notes --show-notes --encoding= --expand-tabs? --no-expand-tabs --mailmap --use-mailmap --no-mailmap --clear-decorations --decorate-refs= --decorate-refs-exclude= --diff-merges= --no-diff-merges --cc --combined-all-paths --remerge-diff -m --no-ext-diff --no-textconv --show-pulls --no-walk? --do-walk --stdin --null --count --objects --reverse --timestamp --left-right --bisect --unpacked --in-commit-order --base= --ours --theirs --skip-to= --rotate-to= --output-indicator-new= --ws-error-highlight= --pickaxe-regex !--output=w !--ext-diff !--textconv";

const STATUS =
  "-sbuz? -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?";

const LISTS =
  "-adlvqrnist -vv -m: --list --all --remotes --verbose --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --color? --column? --no-column --show-current --abbrev? --no-abbrev --ignore-case --count= --shell --perl --python --tcl --omit-empty --exclude= --heads --tags --refs --get-url --exit-code --symref --dereference --hash? --head --verify --quiet --exists --all --push --include-root-refs";

const PLUMBING =
  "-zdrtlnsbepwcomkxifvufqadTSCM -s -x: -X: -o? -r -t --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --stage --unmerged --killed --deleted --modified --others --ignored --cached --exclude-standard --exclude= --exclude-from= --error-unmatch --eol --debug --deduplicate --directory --no-empty-directory --format= --batch? --batch-check? --batch-all-objects --batch-command? --buffer --follow-symlinks --allow-unknown-type --unordered --path= --use-mailmap --short? --verify --symbolic --symbolic-full-name --abbrev-ref? --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --path-format= --sq --not --flags --no-flags --revs-only --no-revs --default= --prefix= --git-path= --local-env-vars --show-object-format? --tags --always --long --match= --candidates= --exact-match --contains --dirty? --broken? --first-parent --all --debug --numbered --summary --email --group= --committer --octopus --independent --is-ancestor --fork-point --non-matching --no-index --verbose --stdin --count --human-readable --refs --root --porcelain --line-porcelain --incremental --show-stats --show-name --show-number --show-email --score-debug --minimal --ignore-rev= --ignore-revs-file= --color-lines --color-by-age --reverse --date= --encoding= --get --get-all --get-regexp --get-urlmatch --get-color= --get-colorbool= --list --show-origin --show-scope --global --system --local --worktree --file=r --null --type= --bool --int --bool-or-int --expiry-date --includes --no-includes --default= --fixed-value --name-only --blob= --full --strict --unreachable --no-reflogs --connectivity-only --no-dangling --dangling --progress --no-progress --recurse-submodules --cached --threads= --and --or --not --line-number --column --files-with-matches --files-without-match --untracked --no-exclude-standard --heading --break --show-function --function-context --after-context= --before-context= --context= --max-depth= --max-count= --word-regexp --text --only-matching --invert-match --name-only --porcelain --expire= --dry-run --force --prune --tags --depth= --quiet --verbose --no-tags --multiple --jobs= --unshallow --worktree --staged --message= --include-untracked --keep-index --index --show-forced-updates --ff-only --rebase? --no-rebase --set-upstream --force-with-lease? --delete --mirror --no-verify --amend --no-edit --author= --signoff --hard --soft --mixed --merge --keep --patch --branch= --recursive --remote --init --single-branch --bare !--open-files-in-pager? !--edit !--upload-pack=x !--receive-pack=x !--exec=x";

/** Grammars of version control tools. */
export const GIT: readonly ProgramSpec[] = [
  {
    names: "git",
    globals: COMMON,
    options: `${PLUMBING} ${LISTS} ${STATUS} ${LOG}`,
    analyze: "git",
    subcommands: {
      "grep": { options: "-A: -B: -C: -e: -f:r -m: -ailnhHrIEGFPcpWvwqzo !-O?" },
      "clone": { options: "!-u:x -b: -o: -c: -j: --config=" },
      "blame": { options: "-L: -S:r -C? -M? -bcelnpstwfk" },
      "show-branch": {
        options:
          "-arg? --all --remotes --current --topo-order --date-order --sparse --more= --list --merge-base --independent --no-name --sha1-name --topics --reflog? --color? --no-color",
      },
      "help": {
        options: "-agicmw --all --guides --config --info --man --no-external-commands --verbose",
      },
      "stripspace": { options: "-sc --strip-comments --comment-lines" },
      "shortlog": { options: "-nsec -w?" },
      "rev-parse": { options: `${PLUMBING} -q` },
      "ls-remote": { options: "-hqt" },
      "config": { options: `${PLUMBING} -lze -f:r` },
      "ls-files": { options: `${PLUMBING} -cdmostuvkzfx: -X:r` },
      "clean": { options: "-dfinqxX -e:" },
      "commit": { options: "-aespvqo -m: -F: -C: -c: -t: -S?" },
      "diff": { options: "-S: -G: -O:r" },
      "branch": { options: `${LISTS} -u: -dDmMcCf` },
      "tag": { options: `${LISTS} -n? -m: -F: -u: -adfs` },
      "remote": { options: LISTS },
      "for-each-ref": { options: LISTS },
      "status": { options: STATUS },
      "rev-list": { options: "-n: --objects-edge --use-bitmap-index --disk-usage?" },
      "ls-tree": { options: PLUMBING },
      "cat-file": { options: PLUMBING },
      "count-objects": { options: "-vH" },
      "describe": { options: PLUMBING },
      "rebase": { options: "-x:x --exec=x" },
      "filter-branch": {
        options:
          "--tree-filter=x --index-filter=x --msg-filter=x --commit-filter=x --env-filter=x --parent-filter=x --tag-name-filter=x --prune-empty -f --force --subdirectory-filter=",
      },
      "difftool": { options: "-x:x --extcmd=x -t: --tool= -y --no-prompt" },
      "mergetool": { options: "-t: --tool=" },
      "stash": { options: "-p -m: -uakq" },
      "reflog": { options: "-c" },
      "archive": { options: "-l -v -o:w --format= --output=w --prefix= --remote=" },
    },
  },
  {
    names: "svn hg bzr fossil cvs p4",
    options:
      "-abcdfglmnopqrstuvwxyABCDGIMPRTX -r: -l: -c: -b: -u: -m: -d: --limit= --revision= --verbose --quiet --stat --template= --graph --rev= --user= --date= --keyword= --xml --diff --summarize --show-item= --no-merges !-e:x !--ssh=x --help --version",
    operands: "-*",
  },
  {
    names: "gh glab hub",
    options:
      "-aswcLhq -R: -L: -l: -s: -q: -t: -B: -H: -S: -A: -b: -e: -u: -w: -j: --repo= --limit= --state= --json= --jq= --template= --label= --author= --assignee= --search= --web --comments --log --log-failed --branch= --workflow= --user= --job= --verbose --paginate --method= --field= --raw-field= --header= --cache= --hostname= --exit-status --name-only --patch --status= --event= --all --archived --visibility= --language= --topic= --source --fork --help --version",
    operands: "-*",
    analyze: "store",
  },
  {
    names: "gitk tig lazygit git-lfs delta pre-commit",
    options: "-h -v --all --help --version",
    operands: "-*",
  },
];
