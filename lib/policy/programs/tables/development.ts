/**
 * Languages, compilers and editors.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of development tools. */
export const DEVELOPMENT: readonly ProgramSpec[] = [
  {
    names: "python pypy",
    options: "-bBdEhiIOPqRsSuvVx3? -c: -m: -W: -X: --version --help --check-hash-based-pycs=",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names: "perl",
    options: "-acflnpsStTuUvwWXh -0? -C? -d? -D? -e: -E: -F: -i? -I: -m? -M? -V? -x? -l?",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names: "ruby",
    options:
      "-acdhlnpsSvwWy -0? -C: -e: -E: -F: -i? -I: -K? -r: -T? -x? --version --help --disable? --enable?",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names: "node nodejs",
    options:
      "-chivp? -e: -r: -C: -p: --eval= --print= --check --version --help --v8-options --require= --inspect? --test --input-type=",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names: "php",
    options:
      "-aCeHhilmnqsvw -B: -c: -d: -E: -f: -F: -g: -r: -R: -S: -t: -z: --version --help --ini --modules --info --rf= --rc= --re= --ri=",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names:
      "lua luajit tclsh wish expect Rscript R julia scala groovy jshell ghci runghc ocaml racket guile clisp sbcl swipl elixir iex erl octave gnuplot maxima gjs osascript pwsh powershell coffee ts-node tsx m4",
    options:
      "-ivEWqhsx -e: -l: -c: -E: --version --help --eval= --vanilla --slave --no-save -r: -f: --file=",
    style: "posix",
    analyze: "interpreter",
  },
  {
    names: "java javac jar jps jstack jmap jcmd jstat jinfo javap kotlin kotlinc",
    options:
      "-version --version -help -l -m -v -q -V -c -p -s -gc -gcutil -class -t -h: -F -e -histo -J: -cp: -jar: -flags -sysprops -verbose -private -J?",
    style: "single",
    operands: "-*",
  },
  {
    names: "go",
    options:
      "-m -json -f: -u -e -deps -test -find -compiled -export -v -x -n -a -race -c -o:w -all -src -short -cmd -mod: -tags: -C: -vettool: -C",
    style: "single",
    operands: "-*",
  },
  {
    names: "deno",
    options:
      "-qhVALr --json --version --help --unstable --quiet --no-config --check --allow-read? --allow-net? --config=r",
    operands: "-*",
  },
  {
    names: "gcc g++ cc c++ clang clang++ rustc tcc ld as nasm tsc swc esbuild",
    options:
      "-v --version --help -dumpversion -dumpmachine -print-search-dirs -print-sysroot -print-file-name: -print-prog-name: -E -c -o:w -V --print: --target= -l: -L: -I: -D: -O? -W? -f? -std: -g -S --noEmit --showConfig",
    style: "single",
    operands: "-*",
  },
  {
    names:
      "pytest tox nox black ruff flake8 pylint mypy isort bandit eslint prettier jest mocha vitest shellcheck shfmt yamllint ansible-lint markdownlint rubocop golangci-lint tflint tfsec checkov cloc tokei scc sonar-scanner ctags",
    options:
      "-qvhsxfdlnaC -f: -e: -s: -o:w -c:r -i: -k: -m: -S: -x -W: -d: -p: --version --help --check --diff --list-files --collect-only --format= --exclude= --severity= --shell= --color? --strict --no-warnings --quiet --by-file --include-lang= --exclude-dir= --json --csv --vcs= --list --list-different",
    operands: "r*",
  },
  {
    names:
      "vi vim nvim view nano emacs emacsclient ed ex pico joe micro code mcedit rvim vimdiff kak helix hx",
    options: "-RnVbdehilmMoOpqsuvwxyZEc? -c: -u: -S:r --version --help --batch --eval= --cmd=",
    operands: "w*",
  },
];
