/**
 * The shell's builtins and shells themselves.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of builtins and shells. */
export const SHELL: readonly ProgramSpec[] = [
  { names: "cd pushd popd dirs", options: "-LPelpvcn -#", style: "gnu" },
  { names: "pwd", options: "-LP --logical --physical --help --version" },
  { names: ": true false", style: "none" },
  { names: "echo", style: "none" },
  { names: "printf", options: "-v: --help --version", style: "posix" },
  { names: "test [", style: "none" },
  { names: "export readonly", options: "-fnpaA", style: "posix" },
  { names: "declare typeset local", options: "-aAfFgiIlnrtuxp", style: "posix" },
  { names: "read", options: "-ers -a: -d: -i: -n: -N: -p: -t: -u:", style: "posix" },
  { names: "mapfile readarray", options: "-t -d: -n: -O: -s: -u: !-C:x -c:", style: "posix" },
  { names: "set shift unset let getopts wait break continue return exit times", style: "none" },
  { names: "jobs", options: "-lnprs !-x" },
  { names: "umask", options: "-Sp" },
  {
    names: "ulimit",
    options:
      "-SHa -b? -c? -d? -e? -f? -i? -k? -l? -m? -n? -p? -q? -r? -s? -t? -u? -v? -x? -P? -R? -T?",
  },
  { names: "type", options: "-aftpP", style: "posix" },
  { names: "hash", options: "-ldt !-p: !-r", style: "posix" },
  { names: "shopt", options: "-pqosu", style: "posix" },
  { names: "alias", options: "-p", style: "posix" },
  { names: "history", options: "!-c !-d: !-a !-n !-r !-w !-p !-s -#", style: "posix" },
  { names: "fc", options: "-lnr !-e: !-s" },
  { names: "compgen", options: "-abcdefgjksuv -A: -o: -G: -W: -P: -S: -X: !-F: !-C:x" },
  { names: "caller logout suspend disown bg fg unalias enable complete", style: "none" },
  { names: "bind", options: "-lpPsSvVm: !-x: !-f: !-q: !-u: !-r:" },
  { names: "trap", options: "-lpP", style: "posix" },
  { names: "eval source .", style: "none" },
  { names: "exec", options: "-cl -a:", style: "posix", runs: 0 },
  { names: "command", options: "-pvV", style: "posix", runs: 0 },
  { names: "builtin", options: "", style: "posix", runs: 0 },
  {
    names: "sh bash dash zsh ksh ash rbash mksh fish csh tcsh",
    options:
      "-abefhklmnprstuvxBCEHPTcilD --login --posix --norc --noprofile --noediting --verbose --version --help --restricted !--rcfile=r !--init-file=r -o: -O: +o: +e +x +u +v +f +B +H +m --command= --debugger --dump-strings",
    style: "posix",
    analyze: "shell",
  },
];
