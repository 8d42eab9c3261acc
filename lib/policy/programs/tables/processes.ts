/**
 * Programs about processes and what they use.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of process tools. */
export const PROCESSES: readonly ProgramSpec[] = [
  {
    names: "ps",
    options:
      "-AadeflFjlLmMTcwxyZHnrSsvXVhgE -C: -G: -g: -O: -o: -p: -q: -s: -t: -u: -U: -k: -N --cols= --columns= --context --cumulative --deselect --forest --format= --group= --Group= --headers --no-headers --no-heading --lines= --pid= --ppid= --quick-pid= --rows= --sid= --sort= --tty= --user= --User= --width= --help? --info --version",
    style: "none",
    analyze: "ps",
  },
  {
    names: "pstree",
    options:
      "-aAcgGhlnNpsStTuUZCVh -H: --arguments --show-pids --ascii --long --highlight-all --numeric-sort --show-parents --thread-names --unicode --version",
    operands: "-*",
  },
  {
    inert: true,
    names: "pgrep pidof pidwait",
    options:
      "-acdfilnovwxLcqsz -# -G: -P: -g: -s: -t: -u: -U: -d: -F:r -r: -A -o: --delimiter= --list-name --list-full --inverse --lightweight --count --full --pgroup= --group= --ignore-case --newest --oldest --older= --parent= --session= --terminal= --euid= --uid= --exact --pidfile=r --runstates= --ignore-ancestors --ns= --nslist= --help --version",
  },
  {
    names: "pkill killall killall5 skill",
    options:
      "-eIgilqrsuvwxonfzac -# -s: -u: -U: -t: -G: -P: -y: -A: -KILL -HUP -TERM --signal= --exact --full --interactive --wait",
    style: "single",
    analyze: "kill",
  },
  {
    names: "kill",
    options: "-lLs: -n: -q: --list? --table --signal=",
    analyze: "kill",
    style: "none",
  },
  {
    names: "top htop btop glances",
    options:
      "-bBcHiSstvVhCM1eEw? -d: -n: -o: -p: -u: -U: -F: -P: -r: -O --batch --delay= --iterations= --sort-key= --user= --pid= --no-color --tree --readonly --help --version",
  },
  { names: "atop", options: "-aAcCdDgmMnpPsSuvV1 -r:r -b: -e: -L: !-w:w !-S" },
  {
    names: "free",
    options:
      "-bkmghltvwV -s: -c: --bytes --kilo --mega --giga --tera --peta --kibi --mebi --gibi --tebi --human --si --lohi --total --committed --seconds= --count= --wide --line --help --version",
  },
  { names: "uptime", options: "-pshrcV --pretty --help --since --raw --container --version" },
  {
    names: "w who users last lastb lastlog finger",
    options:
      "-abdFHhilmpqrsTuwxoRSfitIV -n: -f:r -s: -t: -p: -N: -# --all --boot --dead --heading --ips --login --lookup --mesg --message --process --count --runlevel --short --time --users --writable --no-header --from --ip-addr --limit= --since= --until= --present= --fullnames --system --time-format= --hostlast --dns --file=r --fulltimes --ip --nohostname --before= --user= --help --version",
  },
  {
    names: "vmstat",
    options:
      "-afmnsdDwtyhV -p: -S: --active --forks --slabs --one-header --stats --disk --disk-sum --partition= --unit= --wide --timestamp --no-first --help --version",
  },
  {
    names: "iostat mpstat pidstat sar cifsiostat nfsiostat tapestat sadf",
    options:
      "-cdhkmNptVxyzsAbBFHrRSuvWwDILqTUIlg? -n: -j: -P: -p: -I: -C: -G: -T: -f:r -s: -e: -i: -o:w -m: -O: --human --dec= --pretty -t -U? -u -d -r -w -R -h -H --iface= --fs= --int= --dev=",
    style: "gnu",
  },
  {
    names: "dstat dool iotop nethogs bmon nload slabtop numastat nfsstat perf_top turbostat",
    options:
      "-abcdgilmnoOpPrstTuvVyzkqBCfxhHSwe -D: -N: -I: -M: -C: -n: -d: -p: -u: -o? -i: --top-cpu --top-mem --top-io --output=w --nocolor --noheaders --iter= --delay= --batch --only --processes --accumulated --kilobytes --time --quiet --once --sort=",
  },
  {
    names: "pmap pwdx smem",
    options:
      "-dpqxXcAakrtHPuUMwns: -C: -N: -V --device --extended --show-path --quiet --help --version",
  },
  {
    names: "ipcs",
    options:
      "-aqmscltupbi? --all --human --bytes --limits --summary --time --pid --creator --queues --shmems --semaphores",
  },
  {
    names: "lslocks lsns lsipc lsfd lslogins",
    options:
      "-JlnoruabcehipqtgwfzGLSmsQyTPNWFAZ: -p: -t: -o: -u: -g: --semaphores --queues --shmems --json --list --noheadings --output= --output-all --pid= --raw --bytes --notruncate --type= --task= --persist --tree? --help --version",
  },
  {
    names: "strace ltrace",
    options:
      "-cCdDfFhiknqrtTvVwxyzZL -a: -b: -e: -E: -I: -n: -o:w -O: -p: -P: -s: -S: -u: -X: -U: -A --attach= --follow-forks --summary --summary-only --trace= --output=w --string-limit= --trace-path= --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "perf",
    style: "gnu",
    options:
      "-agvFhpdrBTsnlI: -e: -p: -t: -C: -c: -F: -g -G -i:r -o:w -s: -u: -D: --event= --pid= --all-cpus --call-graph= --input=r --stdio --sort= --no-children --children --percent-limit= --repeat= --delay= --duration= --summary --output=w",
  },
  { names: "bpftrace bcc", options: "-l -e: -p: -v -h --info" },
  { names: "gdb lldb", opaque: true, options: "-batch -ex: -p: -q -x:r -n -nx", style: "single" },
  { names: "gcore", options: "-a -o:w" },
  { names: "renice", options: "-n: -p -g -u --priority= --pid --pgrp --user" },
  {
    names: "nproc arch hostid logname whoami tty groups runlevel",
    options: "-s --all --ignore= --silent --quiet --help --version",
  },
  {
    names: "id",
    options: "-aZgGnruzPp --context --group --groups --name --real --user --zero --help --version",
  },
  {
    names: "uname",
    options:
      "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --help --version",
  },
  {
    names: "hostname dnsdomainname",
    options:
      "-aAdfiIsy --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short --help --version !-F: !-b !--file=",
  },
  {
    analyze: "date",
    names: "date",
    options:
      "-uRIj? -d: -f:r -r:l -v: -I? -j --date= --file=r --iso-8601? --rfc-email --rfc-3339= --reference=l --utc --universal --debug --resolution --help --version !-s: !--set=",
  },
  { names: "sleep", options: "--help --version" },
  { names: "printenv", options: "-0 --null --help --version", analyze: "printenv" },
  { names: "getconf", options: "-av: ", operands: "-*" },
  { names: "stty", options: "-ag -F: --all --save --file=" },
  { names: "tput", options: "-T: -S -V", operands: "-*" },
  { names: "clear", options: "-xVT:" },
  { names: "scriptreplay", options: "" },
  {
    names: "screen tmux",
    opaque: true,
    options: "-lLvV -S: -L: -f:r -r? -x -wipe -ls -list -d -D -m -R -X -t: -c: -dm -dmS:",
    style: "single",
  },
  {
    names:
      "yes uuidgen fortune spell fc-list fc-match lpstat lpq ffprobe isoinfo vm_stat sw_vers cowthink errno ascii whatmask mdfind mdls xwininfo xdpyinfo xlsclients glxinfo vulkaninfo clinfo cpuid ruptime primes jot zdump lesspipe zipgrep getopt rpm2cpio",
    options: "*",
    operands: "r*",
  },
  {
    names: "pv",
    options:
      "-ptebanqcWrfLV -s: -i: -w: -H: -N: -l -0 -L: -B: --progress --timer --eta --rate --bytes --quiet --size= --name= --line-mode --rate-limit= --version --help",
    operands: "r*",
  },
];
