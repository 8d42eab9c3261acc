/**
 * Programs that run another program: how many operands of their own stand
 * before it, and which of their options take values.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of wrappers. */
export const WRAPPERS: readonly ProgramSpec[] = [
  {
    names: "sudo doas sudoedit",
    options:
      "-ABbEeHiKklnNPSsVvL -C: -D: -g: -h: -p: -R: -r: -T: -t: -U: -u: -a: -c: --askpass --background --preserve-env? --set-home --login --remove-timestamp --reset-timestamp --list --non-interactive --preserve-groups --stdin --shell --validate --version --help --close-from= --chdir= --group= --host= --prompt= --chroot= --role= --type= --command-timeout= --other-user= --user= --edit --no-update",
    style: "posix",
    analyze: "env",
  },
  {
    names: "env",
    options:
      "-i0v -u: -C: -S: --ignore-environment --null --unset= --chdir= --split-string= --block-signal? --default-signal? --ignore-signal? --list-signal-handling --debug --help --version",
    style: "posix",
    analyze: "env",
  },
  {
    names: "su runuser",
    options:
      "-flmpPTVh -c: -s: -g: -G: -u: -w: -l -m --command= --session-command= --shell= --group= --supp-group= --user= --login --preserve-environment --fast --pty --whitelist-environment=",
    style: "gnu",
    analyze: "su",
  },
  {
    names: "pkexec",
    options: "--user= --disable-internal-agent --keep-cwd",
    style: "posix",
    runs: 0,
  },
  { names: "nice", options: "-n: -# --adjustment= --help --version", style: "posix", runs: 0 },
  {
    names: "ionice",
    options: "-c: -n: -t -p: -P: -u: --class= --classdata= --ignore --pid= --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "nohup setsid caffeinate daemonize",
    options: "-cfwdimsu -t: --ctty --fork --wait --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "timeout gtimeout",
    options:
      "-fpv -k: -s: --foreground --preserve-status --kill-after= --signal= --verbose --help --version",
    style: "posix",
    runs: 1,
  },
  {
    names: "time gtime",
    options:
      "-apqvV -f: -o:w --append --format= --output=w --portability --quiet --verbose --version --help",
    style: "posix",
    runs: 0,
  },
  {
    names: "stdbuf unbuffer",
    options: "-p -i: -o: -e: --input= --output= --error= --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "chrt",
    options:
      "-abdfiormRvp -T: -P: -D: --fifo --rr --other --batch --idle --deadline --max --pid --help --version",
    style: "posix",
    runs: 1,
  },
  {
    names: "taskset",
    options: "-acp --all-tasks --cpu-list --pid --help --version",
    style: "posix",
    runs: 1,
  },
  {
    names: "numactl",
    options:
      "-HslabV -C: -m: -i: -N: -p: --hardware --show --cpunodebind= --membind= --interleave= --physcpubind= --preferred= --localalloc",
    style: "posix",
    runs: 0,
  },
  {
    names: "setarch linux32 linux64 i386 x86_64",
    options: "-BFILRSTXZv3 -p? --help --version --uname-2.6 --addr-no-randomize --verbose",
    style: "posix",
    analyze: "setarch",
  },
  {
    names: "prlimit",
    options:
      "-cdefilmnqrstuvxy -p: -o: --core? --data? --nice? --fsize? --sigpending? --memlock? --rss? --nofile? --msgqueue? --rtprio? --stack? --cpu? --nproc? --as? --locks? --rttime? --pid= --output= --noheadings --raw --verbose --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "flock",
    options:
      "-enosuFxw: -E: -c:x -w: --close --conflict-exit-code= --command=x --exclusive --nb --nonblock --no-fork --shared --unlock --timeout= --wait= --verbose --help --version",
    style: "posix",
    runs: 1,
  },
  {
    names: "chroot",
    options: "--groups= --userspec= --skip-chdir --help --version",
    style: "posix",
    runs: 1,
    operands: "-",
  },
  {
    names: "unshare",
    options:
      "-m? -u? -i? -n? -p? -U? -C? -T? -fcrR: -w: -S: -G: --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --fork --map-root-user --map-current-user --mount-proc? --root= --wd= --kill-child? --propagation= --setgroups= --setuid= --setgid= --keep-caps --map-user= --map-group= --map-auto",
    style: "posix",
    runs: 0,
  },
  {
    names: "nsenter",
    options:
      "-aFZe -t: -m? -u? -i? -n? -p? -U? -C? -T? -r? -w? -S: -G: -W: --all --target= --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --root? --wd? --setuid= --setgid= --preserve-credentials --no-fork --env",
    style: "posix",
    runs: 0,
  },
  {
    names: "systemd-run systemd-inhibit systemd-nspawn systemd-cat run0",
    options:
      "-dGPqrStbxjnU -E: -p: -u: -H: -M: -D: -i: -t: --scope --unit= --property= --user --system --description= --slice= --slice-inherit --remain-after-exit --send-sighup --no-block --wait --pty --pipe --shell --quiet --collect --on-active= --on-boot= --on-calendar= --on-startup= --on-unit-active= --on-unit-inactive= --timer-property= --uid= --gid= --nice= --working-directory= --same-dir --setenv= --service-type= --expand-environment= --host= --machine= --what= --who= --why= --mode= --directory= --image= --identifier= --priority= --no-ask-password",
    style: "posix",
    runs: 0,
  },
  {
    names:
      "fakeroot fakechroot proot bwrap firejail faketime eatmydata torsocks proxychains proxychains4 torify tsocks catchsegv dbus-run-session dbus-launch xvfb-run valgrind heaptrack cpulimit cgexec softlimit setuidgid chpst envdir envuidgid tini dumb-init gosu su-exec s6-setuidgid capsh rlwrap nocache chronic ifne sg newgrp primproxy dotenv direnv aws-vault op chamber summon envconsul with-contenv runcon lxc-attach distrobox toolbox hyperfine multitime perf_stat pyflame",
    options:
      "-abefghkmnqsuvxLiS -l: -p: -c: -t: -r: -o: --tool= --leak-check= --auto-servernum --server-args= --quiet --verbose --help --version",
    style: "posix",
    analyze: "opaque-wrapper",
  },
  {
    names: "setpriv",
    options:
      "-d --dump --clear-groups --groups= --init-groups --keep-groups --inh-caps= --ambient-caps= --bounding-set= --list-caps --no-new-privs --pdeathsig= --reuid= --regid= --ruid= --euid= --rgid= --egid= --securebits= --selinux-label= --reset-env --help --version",
    style: "posix",
    runs: 0,
  },
  {
    names: "watch gwatch viddy",
    options:
      "-bcdegptrwxC? -n: -q: -d? -s: --beep --color --no-color --differences? --errexit --chgexit --equexit= --exec --interval= --precise --no-rerun --no-title --no-wrap --help --version",
    style: "posix",
    analyze: "watch",
  },
  {
    names: "script",
    options:
      "-aefqkt? -c: -B: -E: -I:w -O:w -T:w -m: -o: -l --append --command= --echo= --flush --force --quiet --return --log-io=w --log-in=w --log-out=w --log-timing=w",
    style: "gnu",
    analyze: "script",
  },
  {
    names: "xargs gxargs",
    options:
      "-0oprtx -a:r -d: -E: -e? -I: -i? -L: -l? -n: -P: -s: -J: -R: --null --arg-file=r --delimiter= --eof? --replace? --max-lines? --max-args= --max-procs= --max-chars= --interactive --no-run-if-empty --verbose --exit --open-tty --process-slot-var= --show-limits --help --version",
    style: "posix",
    analyze: "xargs",
  },
  {
    names: "parallel rush",
    options:
      "-0kmuvXtqgx -a:r -j: -n: -N: -P: -I: -C: -d: -L: !-S: -i: --jobs= --keep-order --dry-run --bar --eta --colsep= --delay= --timeout= --retries= --halt= --max-args= --max-procs= --null --pipe --ungroup --will-cite --tag --no-notice --results=w --joblog=w --line-buffer --arg-file=r --arg-sep= --delimiter= --progress --plus --link --memfree= --load= --nice= --shuf --semaphore --id= --xargs",
    style: "posix",
    analyze: "parallel",
  },
  {
    names: "busybox toybox",
    options: "--list --list-full --install --help",
    style: "posix",
    runs: 0,
  },
  { names: "coproc", options: "", style: "posix", runs: 0 },
  { names: "ip_netns", options: "" },
  { names: "entr", options: "-acdnprsxz", style: "posix", analyze: "opaque-wrapper" },
  { names: "doppler", options: "", style: "posix" },
  {
    names: "make gmake ninja just task rake gradle mvn ant bazel cmake scons meson",
    options:
      "-abBdehijkKlLmnopqrsStvVwWRF? -C: -f: -j? -I: -l? -o: -W: -D: -G: -S: -B: -P: -U: -T: --version --help --dry-run --just-print --question --print-data-base --print-directory --file= --directory= --jobs? --eval= --list --summary --show= --choose --tasks -AT -l",
    operands: "-*",
  },
];
