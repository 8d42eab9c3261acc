/**
 * Programs that look at files, move them, and pack them.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

const COPY =
  "-abdfHilLnpPrRsuvxZT -S: -t: --archive --attributes-only --backup? --copy-contents --force --interactive --link --dereference --no-clobber --no-dereference --preserve? --no-preserve= --parents --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory= --no-target-directory --update? --verbose --one-file-system --no-copy --debug --exchange --directory --logical --physical --relative --symbolic --help --version";

const GZIP =
  "-cdfhklLnNqrtvV123456789zeTsum0 -S: -T: -M: -b: --stdout --to-stdout --decompress --uncompress --force --help --keep --list --license --no-name --name --quiet --recursive --suffix= --synchronous --test --verbose --version --fast --best --threads= --extreme --format= --compress --rm --ultra --long? --robot";

/** Grammars of file tools. */
export const FILES: readonly ProgramSpec[] = [
  {
    names: "ls dir vdir gls",
    options:
      "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1OeW@ -I: -T: -w: --all --almost-all --author --escape --block-size= --ignore-backups --color? --colour? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --dereference --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero --help --version",
    operands: "l*",
  },
  {
    names: "exa eza lsd",
    options:
      "-1aAbBdDFgGhHiIlLmrRsStTuUx -L: -s: -I: --all --long --tree --level= --git --icons? --sort= --group-directories-first --header --color? --time-style= --git-ignore --only-dirs --recurse --reverse --help --version",
    operands: "l*",
  },
  {
    names: "tree",
    options:
      "-adflxqNQpugshDFivrtcUSJXCnA -L: -P: -I: -H: -T: -o:w --noreport --charset= --filelimit= --prune --matchdirs --ignore-case --gitignore --gitfile= --fromfile --du --si --timefmt= --inodes --device --dirsfirst --filesfirst --sort= --nolinks --info --metafirst --help --version",
    operands: "l*",
  },
  {
    names: "stat",
    options:
      "-Lftnlrsx -c: -t? --dereference --file-system --cached= --format= --printf= --terse --help --version",
    operands: "l*",
  },
  {
    names: "file",
    options:
      "-vzZbcehiklLnN0prsSEdI -F: -e: -P: -f:r -m:r !-C !--compile --help --version --magic-file=r --uncompress --brief --checking-printout --exclude= --files-from=r --separator= --mime --apple --extension --mime-type --mime-encoding --keep-going --list --dereference --no-dereference --no-buffer --no-pad --print0 --preserve-date --parameter= --raw --special-files --no-sandbox --debug",
    operands: "l*",
  },
  {
    names: "du",
    options:
      "-0abcDHhkLlmPSsxg -B: -d: -t: -X:r -I: --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --files0-from=r --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude-from=r --exclude= --one-file-system --help --version",
    operands: "l*",
  },
  {
    names: "df dfc duf",
    options:
      "-ahHiklPTvmgn -B: -t: -x: --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --sync --total --type= --print-type --exclude-type= --help --version",
    operands: "l*",
  },
  { names: "ncdu", options: "-xrqe -o:w -f:r --color= --exclude= --si", operands: "l*" },
  { names: "basename dirname", options: "-az -s: --multiple --suffix= --zero --help --version" },
  {
    names: "readlink realpath",
    options:
      "-efmnqsvzLP --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --logical --physical --relative-to= --relative-base= --strip --no-symlinks --help --version",
    operands: "l*",
  },
  {
    names: "namei",
    options:
      "-xmolvnZ --mountpoints --modes --owners --long --vertical --nosymlinks --help --version",
    operands: "l*",
  },
  { names: "pathchk", options: "-pP --portability", operands: "-*" },
  { names: "find gfind", style: "none", analyze: "find" },
  {
    names: "fd fdfind",
    options:
      "-HIsigaLpuFq0l1 -d: -t: -e: -E: -c: -j: -S: -o: !-x !-X --hidden --no-ignore --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --follow --full-path --max-depth= --min-depth= --exact-depth= --exclude= --type= --extension= --size= --changed-within= --changed-before= --owner= --color= --max-results= --list-details --print0 --help --version !--exec !--exec-batch",
    analyze: "fd",
  },
  {
    names: "getfacl lsattr getfattr",
    options:
      "-acdeEnpRrtsvlLPh -m: --access --default --omit-header --all-effective --no-effective --skip-base --recursive --logical --physical --tabular --absolute-names --numeric --dump --name= --match= --only-values --encoding= --version --help",
    operands: "l*",
  },
  {
    names: "setfacl chattr setfattr chcon restorecon setcap",
    options:
      "-RvbkdmxnLPiahu -m: -x: -M: --recursive --modify= --remove= --remove-all --set= --restore=",
    analyze: "mode",
  },
  { names: "getcap", options: "-vnr", operands: "l*" },
  { names: "cp", options: COPY, analyze: "copy" },
  { names: "mv", options: COPY, analyze: "copy" },
  { names: "ln", options: COPY, analyze: "copy" },
  {
    names: "install",
    options: `${COPY} -cDC -g: -m: -o: --group= --mode= --owner= --compare`,
    analyze: "copy",
  },
  {
    names: "rsync scp",
    options:
      "-avzruhPnqltgopDAXHxSCEcbdWiyKkLIO0q346BCTR -e:x -f: -J: -F: -i: -l: -o: -P: -S: -B: -T: -M: --archive --verbose --compress --recursive --update --dry-run --progress --partial --stats --human-readable --itemize-changes --list-only --checksum --exclude= --include= --exclude-from=r --include-from=r --files-from=r --filter= --bwlimit= --port= --timeout= --numeric-ids --relative --times --perms --owner --group --links --copy-links --hard-links --sparse --whole-file --size-only --ignore-existing --existing --inplace --append --quiet --info= --out-format= --log-file=w --password-file=r --delete --del --delete-before --delete-during --delete-after --delete-delay --delete-excluded --delete-missing-args --ignore-errors --force --max-delete= --max-size= --min-size= --remove-source-files --backup --backup-dir= --suffix= --link-dest= --compare-dest= --chmod= --chown= --no-perms --no-owner --no-group --no-times --one-file-system --rsh=x --rsync-path= --version --help",
    analyze: "copy",
  },
  {
    names: "rm",
    options:
      "-fiIrRdv --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose --help --version",
    analyze: "destroy",
  },
  {
    names: "rmdir unlink",
    options: "-pv --parents --verbose --ignore-fail-on-non-empty --help --version",
    analyze: "destroy",
  },
  {
    names: "shred srm wipe scrub trash",
    options:
      "-fuvxz -n: -s: --force --iterations= --size= --remove? --verbose --exact --zero --random-source=r",
    analyze: "destroy",
  },
  {
    names: "truncate fallocate",
    options:
      "-co -s: -r: -l: -o: -dpz --size= --reference=r --no-create --io-blocks --length= --offset= --dig-holes --punch-hole",
    operands: "w*",
  },
  { names: "mkfifo mknod", options: "-m: --mode= -Z --help --version", analyze: "fifo" },
  {
    names: "touch mkdir mktemp",
    options:
      "-acfhmpvZdqut -d: -r: -t: -m: -p? --parents --mode= --verbose --date= --reference=r --no-create --time= --directory --dry-run --suffix= --tmpdir?",
    operands: "w*",
  },
  {
    names: "tee",
    options: "-aip --append --ignore-interrupts --output-error? --help --version",
    operands: "w*",
  },
  { names: "dd dcfldd dc3dd sdd", style: "none", analyze: "dd" },
  {
    names: "chmod",
    options:
      "-Rcfv --recursive --changes --silent --quiet --verbose --reference=r --preserve-root --no-preserve-root --help --version",
    analyze: "mode",
  },
  {
    names: "chown chgrp",
    options:
      "-RcfvhHLP --recursive --changes --silent --quiet --verbose --reference=r --from= --dereference --no-dereference --preserve-root --no-preserve-root --help --version",
    analyze: "mode",
  },
  {
    names: "split csplit",
    options:
      "-dxuvnkszq -a: -b: -C: -e -l: -n: -t: -f: -b: !--filter=x --bytes= --lines= --numeric-suffixes? --suffix-length= --additional-suffix= --number= --prefix= --digits= --quiet",
    operands: "r w",
  },
  {
    names: "patch",
    options: "-RNEbstul -p: -i:r -d: -o:w --dry-run --reverse --input=r --strip= --forward",
    operands: "w*",
  },
  {
    names: "tar gtar bsdtar",
    options:
      "-tcxruAdzjJavpPkhOSlBGmnoRUwWiZsM -f: -C: -T:r -X:r -b: -N: -K: -g:w -V: -H: -L: !-I:x !-F:x --list --create --extract --get --append --update --concatenate --catenate --delete --diff --compare --file= --directory= --verbose --gzip --gunzip --ungzip --bzip2 --xz --lzma --zstd --lzip --auto-compress --exclude= --exclude-from=r --files-from=r --strip-components= --wildcards --no-wildcards --wildcards-match-slash --anchored --no-anchored --ignore-case --to-stdout --keep-old-files --overwrite --preserve-permissions --same-owner --no-same-owner --numeric-owner --owner= --group= --mode= --mtime= --transform= --xform= --one-file-system --absolute-names --dereference --full-time --totals? --utc --verify --null --no-recursion --recursion --exclude-vcs --exclude-caches --newer= --newer-mtime= --after-date= --format= --sort= --show-transformed-names --block-number --quoting-style= --occurrence? --ignore-failed-read --warning= --index-file=w --label= --checkpoint? --force-local --remove-files --listed-incremental=w --starting-file= --acls --xattrs --selinux --help --version --usage !--checkpoint-action=x !--to-command=x !--use-compress-program=x !--rsh-command=x !--rmt-command=x !--info-script=x !--new-volume-script=x",
    style: "bare",
    analyze: "tar",
  },
  {
    names:
      "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma unlzma lzop pigz pbzip2 compress uncompress brotli",
    options: GZIP,
    operands: "r*",
  },
  { names: "unzip", options: "-lvtZpcqjnouaCLMTXbhzfK: -P: -x: -d:w -#", operands: "r -*" },
  { names: "zipinfo zipnote", options: "-12slmvhtTzMCN", operands: "r -*" },
  {
    names: "zip",
    options:
      "-rqjumdgv0123456789xyioTeFXDlkSc@ -i: -x: -P: -t: -b: -n: -O:w --unzip-command=x --test --move",
    operands: "w r*",
    analyze: "archive",
  },
  {
    names: "7z 7za 7zr p7zip",
    options: "-y -slt -ba -r -bd -p: -o:w -t: -x:",
    style: "none",
    operands: "- r*",
    analyze: "archive",
  },
  { names: "unrar rar", style: "none", operands: "- r*" },
  { names: "ar", style: "bare", options: "-tpdmqrxvVuUsSTcabNfioPD", operands: "r -*" },
  {
    names: "cpio",
    options:
      "-itopvdumaAB0cl -F: -H: -I:r -O:w -E: --list --quiet --verbose --create --extract --pass-through --no-absolute-filenames --make-directories",
    operands: "-*",
  },
  { names: "lsar unar", options: "-l -L -j -p:", operands: "r*" },
  {
    names: "nm objdump readelf size addr2line c++filt pahole elfdump",
    options:
      "-ACDSTadefghilnoprstuvwxWBPRGNzH -j: -M: -b: -m: -e: --all-headers --dynamic --syms --symbols --demangle? --disassemble? --section= --section-headers --headers --file-headers --wide --defined-only --undefined-only --size-sort --extern-only --dyn-syms --notes --segments --program-headers --relocs --source --print-size --numeric-sort --reverse-sort --help --version",
    operands: "r*",
  },
  { names: "lz4c", options: "-l", operands: "r*" },
  {
    names: "lsof",
    options:
      "-ablnNoPRtUvVXhCsGwKE? +c: +d: +D: +L? +f? +r? +w +M -c: -d: -i? -p: -u: -g? -F? -s? -T? -r? -S? -x? -A: -D? -k: -m: -e: -Q -f? -L -z? -O -M",
    operands: "l*",
  },
  {
    names: "fuser",
    options:
      "-aculmnsvVI46 -n: !-k !-i !-M !-w --all --user --list-signals --mount --namespace= --silent --verbose --ipv4 --ipv6 --version !--kill !--interactive",
    operands: "-*",
  },
  {
    names: "inotifywait inotifywatch fswatch",
    options:
      "-mrqse? -t: -e: --monitor --recursive --timeout= --event= --exclude= --format= --timefmt= --quiet --csv",
    operands: "l*",
  },
  { names: "watchman", options: "" },
  {
    names: "exiftool",
    options: "-a -G -s -n -j -r -ver -list -T -csv -k -d: -ext: -if:",
    style: "single",
    operands: "r*",
  },
  { names: "sync", options: "-df" },
  {
    names: "fdupes jdupes rdfind rmlint",
    options: "-rRsHnfSmqAtz1 !-d !-N !-i !-L -o:",
    operands: "r*",
  },
  { names: "symlinks", options: "-rvst !-d !-c", operands: "l*" },
  {
    names: "rename prename perl-rename",
    options: "-nvfo --no-act --dry-run",
    operands: "- w*",
    analyze: "foreign",
  },
];
