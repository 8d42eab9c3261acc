/**
 * Programs that read text and print text.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

const GREP =
  "-EFGPiwxzsvVbnHhoqaIrRLlcTUyZ -e: -f:r -m: -d: -D: -A: -B: -C: -# --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file=r --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --version --help --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include= --exclude= --exclude-from=r --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour? --binary --decompress";

const SUMS =
  "-bctwzrs -a: -l: --algorithm= --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --length= --untagged --raw --base64 --debug --help --version";

/** Grammars of text tools. */
export const TEXT: readonly ProgramSpec[] = [
  {
    names: "nl",
    options:
      "-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width= --help --version",
    operands: "r*",
  },
  {
    names: "cat tac rev",
    options:
      "-AEeTtuVrsbv -n -s? -d: -f: -h: -i: -l: -n? -w: --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --before --regex --separator= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width= --help --version",
    operands: "r*",
  },
  {
    names: "bat batcat",
    options:
      "-AnpfPu -l: -H: -r: -m: --plain? --language= --line-range= --style= --color= --paging= --theme= --number --show-all --decorations= --wrap= --tabs= --terminal-width= --highlight-line= --file-name= --map-syntax= --list-languages --list-themes --diff --help --version !--pager=x",
    operands: "r*",
  },
  {
    names: "head tail",
    options:
      "-qvzfFr -# -c: -n: -s: --bytes= --lines= --quiet --silent --verbose --zero-terminated --follow? --pid= --retry --sleep-interval= --max-unchanged-stats= --help --version",
    operands: "r*",
  },
  {
    names: "wc",
    options:
      "-cmlLw --bytes --chars --lines --files0-from=r --max-line-length --words --total= --help --version",
    operands: "r*",
  },
  {
    names: "sort",
    options:
      "-bdfgiMhnRrVcCmsuz -k: -t: -S: -T: -o:w --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source=r --reverse --sort= --version-sort --batch-size= --check? !--compress-program=x --debug --files0-from=r --key= --merge --output=w --stable --buffer-size= --field-separator= --temporary-directory= --parallel= --unique --zero-terminated --help --version",
    operands: "r*",
  },
  {
    names: "uniq",
    options:
      "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars= --help --version",
    operands: "r w",
  },
  {
    names: "cut",
    options:
      "-nszO: -b: -c: -d: -f: --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated --help --version",
    operands: "r*",
  },
  {
    names: "tr",
    options: "-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version",
  },
  {
    names: "paste join comm",
    options:
      "-123szid? -a: -e: -j: -o: -t: -v: --delimiters= --serial --zero-terminated --ignore-case --check-order --nocheck-order --header --output-delimiter= --total --help --version",
    operands: "r*",
  },
  {
    names: "column",
    options:
      "-tedRLxJnHVhi -N: -O: -E: -H: -T: -W: -l: -r: -p: -c: -o: -s: --table --table-name= --table-order= --table-columns= --table-columns-limit= --table-noextreme= --table-noheadings --table-header-repeat --table-hide= --table-right= --table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= --output-separator= --separator= --fillrows --help --version",
    operands: "r*",
  },
  {
    names: "fold fmt expand unexpand pr colrm col colcrt ul",
    options:
      "-abcdFfJmrtTuspie? -w: -g: -h: -l: -N: -o: -W: -n? -S? -# --bytes --spaces --width= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --goal= --initial --tabs= --all --first-only --columns= --header= --length= --omit-header --number-lines? --merge --indent= --date-format= --separator? --double-space --help --version",
    operands: "r*",
  },
  { names: "tsort", options: "--help --version", operands: "r*" },
  {
    names: "shuf",
    options:
      "-erz -i: -n: -o:w --echo --input-range= --head-count= --output=w --random-source=r --repeat --zero-terminated --help --version",
    operands: "r*",
  },
  { names: "seq", options: "-w -# -f: -s: --format= --separator= --equal-width --help --version" },
  {
    names: "numfmt",
    options:
      "-z -d: --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --invalid= --padding= --round= --suffix= --to= --to-unit= --zero-terminated --help --version",
  },
  { names: "factor expr", options: "--help --version", style: "posix" },
  {
    names: "look",
    options: "-bdf -t: --alternative --alphanum --ignore-case --terminate=",
    operands: "- r*",
  },
  {
    names: "base64 base32 basenc",
    options:
      "-diD -w: --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base16 --z85 --help --version",
    operands: "r*",
  },
  {
    names:
      "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 sha256 xxhsum xxh64sum",
    options: SUMS,
    operands: "r*",
  },
  {
    names: "od hexdump hd",
    options:
      "-abcCdfilosxvhBDeFHILOX -A: -j: -N: -S? -t: -w? -s: -n: -e: -f:r -L? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional --canonical --length= --skip= --no-squeezing --color? --one-byte-octal --one-byte-char --two-bytes-decimal --two-bytes-octal --two-bytes-hex --help --version",
    operands: "r*",
  },
  {
    names: "xxd",
    options: "-abCdeEiprutv -c: -g: -l: -n: -o: -s: -R:",
    operands: "r w",
  },
  {
    names: "strings",
    options:
      "-adfowhvV -# -n: -t: -T: -e: -s: --all --data --print-file-name --bytes= --radix= --include-all-whitespace --encoding= --output-separator= --help --version",
    operands: "r*",
  },
  {
    names: "grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep pcregrep pcre2grep ggrep",
    options: GREP,
    operands: "- r*",
    insteadOfFirst: "-e --regexp -f --file",
    recursive: true,
    analyze: "grep",
  },
  {
    names: "rg ripgrep",
    options:
      "-abcFHhiIlLnNopPqsSuUvVwxz.0 -A: -B: -C: -d: -e: -E: -f:r -g: -j: -m: -M: -r: -t: -T: --passthrough --passthru --after-context= --before-context= --context= --max-depth= --regexp= --encoding= --file=r --glob= --iglob= --threads= --max-count= --max-columns= --max-columns-preview --replace= --type= --type-not= --type-list --type-add= --files --files-with-matches --files-without-match --count --count-matches --fixed-strings --with-filename --no-filename --ignore-case --line-number --no-line-number --only-matching --pcre2 --quiet --no-messages --smart-case --case-sensitive --unrestricted --multiline --multiline-dotall --invert-match --word-regexp --line-regexp --search-zip --hidden --no-hidden --null --null-data --no-ignore --no-ignore-vcs --no-ignore-parent --ignore-file=r --follow --sort= --sortr= --stats --trim --vimgrep --column --byte-offset --color= --colors= --heading --no-heading --json --passthru --pretty --text --binary --no-config --one-file-system --max-filesize= --context-separator= --field-match-separator= --no-mmap --mmap --crlf --debug --engine= --auto-hybrid-regex --help --version !--pre=x !--pre-glob= !--hostname-bin=x",
    operands: "- r*",
    insteadOfFirst: "-e --regexp -f --file --files --type-list",
    recursive: true,
    analyze: "grep",
  },
  {
    names: "ag ack",
    options:
      "-ciflLnoqrRsSuUvwWQaHhxz0 -A: -B: -C: -g: -G: -m: --ignore= --ignore-case --only-matching --filename-pattern= --invert-match --after= --before= --context= --ignore-dir= --hidden --nogroup --group --color --nocolor --column --count --depth= --filename --nofilename --files-with-matches --files-without-matches --literal --smart-case --stats --type= --nonumbers --numbers --vimgrep --print-long-lines --max-count= --word-regexp --js --py --python --ruby --go --java --html --css --php --perl --cpp --cc --shell --json --yaml --xml --help --version",
    operands: "- r*",
    insteadOfFirst: "-g",
    recursive: true,
    analyze: "grep",
  },
  {
    names: "sed gsed",
    options:
      "-nErsuzb -i? -l: -e: -f: --quiet --silent --debug --expression= --file= --follow-symlinks --in-place? --line-length= --posix --regexp-extended --separate --sandbox --unbuffered --null-data --binary --help --version",
    analyze: "sed",
  },
  {
    names: "awk gawk mawk nawk original-awk",
    options:
      "-bcCghMnNOPrsStV -F: -v: -f: -e: -E: -i: !-l: !-o? !-d? !-p? !-D? -L? -W: --field-separator= --assign= --file= --source= --exec= --include= !--load= --csv --posix --re-interval --sandbox --characters-as-bytes --traditional --lint? --non-decimal-data --use-lc-numeric --bignum --optimize --no-optimize --version --help !--pretty-print? !--profile? !--dump-variables? !--debug?",
    style: "posix",
    analyze: "awk",
  },
  {
    names: "jq gojq jaq",
    options:
      "-ncrjasSeCMRVh -f:r -L: --arg= --null-input --compact-output --raw-output --raw-output0 --join-output --ascii-output --slurp --sort-keys --exit-status --color-output --monochrome-output --raw-input --tab --indent= --unbuffered --stream --stream-errors --seq --from-file=r --slurpfile= --rawfile= --argjson= --args --jsonargs --help --version --build-configuration",
    operands: "- r*",
    insteadOfFirst: "-f --from-file",
    analyze: "jq",
  },
  {
    names: "yq",
    options:
      "-ncrjsCMeNPvSV0 -p: -o: -I: -L: !-i !-s: !--inplace !--split-exp= !--in-place -f: --null-input --no-doc --no-colors --colors --output-format= --input-format= --indent= --prettyPrint --unwrapScalar --exit-status --raw-output --compact-output --slurp --sort-keys --yaml-output --arg= --from-file=r --header-preprocess --xml-attribute-prefix= --version --help",
    operands: "- r*",
    subcommands: { "eval": { operands: "- r*" }, "eval-all": { operands: "- r*" } },
  },
  {
    names: "xmllint",
    options:
      "-xpath: --xpath= --noout --format --html --recover --nowarning --xmlout --noblanks --nsclean --valid --schema=r --dtdvalid=r --huge --nonet --c14n --encode= --pretty= --stream --version !--shell !--output=w !-o:w !--noent !--xinclude",
    operands: "r*",
  },
  {
    names: "xmlstarlet xml",
    options: "!--inplace !-L -tmvnsNiob -t -T -m: -v: -o: -n -i: -c: -E: -N: -a -A -u -q -w -e",
    operands: "r*",
    style: "gnu",
  },
  {
    names: "csvcut csvlook csvgrep csvstat csvjson csvsort csvstack csvjoin csvformat in2csv",
    options:
      "-nHIlirvkaSM -c: -C: -d: -D: -q: -Q: -e: -m: -f:r -t -u: -y: -g: -z: -p: --names --columns= --not-columns= --delimiter= --tabs --match= --regex= --invert-match --no-header-row --no-inference --max-rows= --max-columns= --reverse --count --mean --sum --max --min --freq --len --unique --nulls --indent= --sheet= --format= --help --version",
    operands: "r*",
  },
  {
    names: "iconv",
    options:
      "-lcsV -f: -t: -o:w --from-code= --to-code= --list --output=w --silent --verbose --help --version",
    operands: "r*",
  },
  { names: "dos2unix unix2dos", options: "-i? -h -V --info? --help --version", operands: "w*" },
  {
    names: "zcat bzcat xzcat zstdcat lzcat lz4cat gzcat zless zmore bzless bzmore xzless xzmore",
    options: "-fqvltrkc --force --quiet --verbose --list --test --help --version",
    operands: "r*",
  },
  {
    names: "zdiff zcmp bzdiff xzdiff",
    options: "-qsuyrwbBiN --brief --unified? --help",
    operands: "r*",
  },
  {
    names: "diff colordiff sdiff diff3",
    options:
      "-qscuenyptTlrNiEZbwBaHdvmxA3XeE -W: -F: -x: -X:r -S: -I: -D: -C: -U: -L: --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=r --starting-file= --from-file=r --to-file=r --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= --changed-group-format= --unchanged-group-format= --minimal --horizon-lines= --speed-large-files --color? --palette= --help --version !--paginate !-o:w !--output=w !--diff-program=x",
    operands: "r*",
    recursive: true,
  },
  {
    names: "cmp",
    options:
      "-bilsv -i: -n: --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version",
    operands: "r r",
  },
  {
    names: "wdiff diffstat",
    options:
      "-123acilpstwnKkuvV -f: -m: -w: -d: -i --no-deleted --no-inserted --no-common --auto-pager --ignore-case --statistics --help --version",
    operands: "r*",
  },
  {
    names: "less more most pg",
    options:
      "-aABcdeEfFgGiIJKmMnNqQrRsSuUwWXlVf? -b: -h: -j: -p: -P: -x: -y: -z: -# -t: !-k: !-o: !-O: !-T: --ignore-case --IGNORE-CASE --LINE-NUMBERS --line-numbers --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --quit-if-one-screen --no-init --quit-at-eof --QUIT-AT-EOF --squeeze-blank-lines --pattern= --prompt= --tabs= --tilde --follow-name --mouse --use-color --help --version !--log-file= !--LOG-FILE= !--lesskey-file= !--lesskey-src= !--tag-file= !--cmd=",
    analyze: "pager",
  },
  {
    names: "man info apropos whatis tldr help cheat",
    options:
      "-OadfkKlwWciIauLsSeMmnhVrpu7t? -s: -S: -e: -L: -m: -M: !-C:r -o:w -p: -E: -R: -u --all --whatis --apropos --global-apropos --local-file --where --path --location --where-cat --location-cat --locale= --systems= --manpath= --sections= --extension= --ignore-case --match-case --regex --wildcard --names-only --no-subpages --ascii --encoding= --no-hyphenation --no-justification --exact --long --section= --and --subnodes --index-search= --usage --help --version --update !-P:x !--pager=x !-H? !--html? !-X? !-T? !--preprocessor= !-o:w !--output=w",
    operands: "-*",
    analyze: "manual",
  },
  {
    names: "fzf",
    options:
      "-f: -q: -e -i -m -x +s -1 -0 --filter= --query= --exact --multi --no-sort --reverse --height= --border",
  },
  {
    names: "dc",
    options: "-e: -f:r --expression= --file=r -V -h --version --help",
    operands: "r*",
    analyze: "calculator",
  },
  {
    names: "figlet toilet cowsay lolcat banner cal ncal units bc datamash ts",
    options:
      "-aijlnqsvwchtyfg13mdWMx -A: -B: -f: -w: -d: -F: -n? -t: -R: -g: --help --version --full --group= --sort --header-in --headers --whitespace --field-separator= --mathlib --quiet --standard --warn",
    operands: "r*",
  },
  { names: "expr", style: "none" },
  { names: "envsubst", options: "-vVh --variables --help --version" },
  { names: "nkf uuencode", options: "-wsjegGu -m --guess", operands: "r*" },
  {
    names: "pandoc",
    options: "-s -f: -t: -o:w --from= --to= --output=w --standalone --help --version",
    operands: "r*",
  },
  {
    names: "pdfinfo pdfgrep mediainfo identify exif",
    options: "-f: -l: -layout -raw -n -i -c -H -r -v -h -ping -format: -verbose -quiet",
    style: "single",
    operands: "r*",
  },
  {
    names: "locate mlocate plocate",
    options:
      "-AbceiLPqrSwH0p -d: -l: -n: --all --basename --count --existing --follow --ignore-case --limit= --null --regexp= --regex --statistics --wholename --database= --help --version",
  },
  {
    names: "xsv mlr qsv dasel gron fx jless hq pup htmlq",
    options:
      "-s: -d: -o: -n -c -r -u --icsv --ojson --opprint --ijson --ocsv --json --xtab --c2p --c2j --from= --fs= --ifs= --ofs= --text --attribute= -t -a: -p --stream --no-sort --ungron --colorize --help --version",
    operands: "r*",
  },
  {
    names: "pdftotext",
    options:
      "-layout -raw -nopgbrk -q -f: -l: -enc: -eol: -x: -y: -W: -H: -opw: -upw: -bbox -htmlmeta",
    style: "single",
    analyze: "pdftotext",
  },
  {
    names: "xrandr setxkbmap",
    options: "-q -query -print -verbose --query --verbose --listmonitors --listproviders --version",
    style: "single",
    operands: "-*",
  },
];
