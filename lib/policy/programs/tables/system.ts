/**
 * Programs about the machine: services, logs, devices, users, settings.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of system tools. */
export const SYSTEM: readonly ProgramSpec[] = [
  {
    names: "systemctl",
    options:
      "-alqrTVh -t: -p: -P: -n: -o: -H: -M: -s: -i -f --all --full --quiet --recursive --type= --state= --property= --lines= --output= --no-pager --no-legend --failed --user --system --plain --value --show-types --reverse --after --before --legend= --with-dependencies --no-wall --no-block --no-reload --no-ask-password --now --force --signal= --kill-whom= --kill-who= --wait --runtime --global --root= --what= --timestamp= --show-transaction --dry-run --drop-in= --image= --job-mode= --check-inhibitors= --preset-mode= --marked --host= --machine= --boot-loader-entry= --firmware-setup --help --version",
  },
  {
    names: "journalctl",
    options:
      "-# -fealqrkxmNhb? -n? -u: -t: -p: -o: -S: -U: -c: -g: -D: -T: -F: -M: -i: --unit= --user-unit= --identifier= --priority= --output= --since= --until= --lines? --follow --no-tail --reverse --dmesg --boot? --list-boots --catalog --no-pager --no-full --full --all --quiet --merge --grep= --case-sensitive? --cursor= --after-cursor= --show-cursor --cursor-file=w --disk-usage --header --fields --field= --output-fields= --utc --system --user --local --machine= --directory= --file= --facility= --exclude-identifier= --pager-end --no-hostname --list-catalog --dump-catalog --verify --truncate-newline --invocation= --list-invocations --root= --image= --namespace= --help --version !--vacuum-size= !--vacuum-time= !--vacuum-files= !--rotate !--flush !--sync !--relinquish-var !--smart-relinquish-var !--setup-keys !--update-catalog",
  },
  {
    names: "service invoke-rc.d",
    options: "--status-all --full-restart --help --version",
    operands: "-*",
  },
  {
    names: "rc-service rc-status rc-update sv initctl chkconfig update-rc.d",
    options: "-las --list --servicelist",
    operands: "-*",
  },
  {
    names: "dmesg",
    options:
      "-dDefHkLPrtTuwWxhVS -l: -f: -L? -F:r --facility= --human --json --kernel --color? --level= --nopager --force-prefix --raw --noescape --syslog --userspace --follow --follow-new --decode --show-delta --reltime --ctime --notime --time-format= --since= --until= --file=r --help --version !-c !-C !-D !-E !-n: !--clear !--read-clear !--console-off !--console-on !--console-level=",
  },
  {
    names:
      "loginctl hostnamectl timedatectl localectl machinectl networkctl resolvectl busctl coredumpctl bootctl homectl oomctl portablectl userdbctl systemd-resolve",
    options:
      "-alqrj1hn: -p: -P: -o: -H: -M: -t: -F: -i: -4 -6 --all --full --no-pager --no-legend --quiet --property= --value --output= --lines= --static --transient --pretty --json= --monitor --since= --until= --reverse --user --system --show-machine --unique --acquired --activatable --list --no-ask-password --adjust-system-clock --status --statistics --interface= --type= --class= --protocol= --legend= --cname= --help --version",
  },
  {
    names:
      "systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-delta systemd-path systemd-id128 systemd-escape",
    options:
      "-aklqmtpcidbrPu1 -n: -d: -M: --no-pager --user --system --fuzz= --man= --order --require --from-pattern= --to-pattern= --iterations= --all --full --no-legend --batch --depth= --diff? --path --json= --threshold= --offline= --recursive-errors= --raw --kilobytes --help --version",
  },
  { names: "crontab", options: "-l -e -r -i -u: -s -V -T", analyze: "crontab" },
  { names: "at batch atq atrm", options: "-lqmvVMdrbc -q: -f:x -t:", analyze: "at" },
  {
    names: "sysctl",
    options:
      "-aAbdeNnqrVX -r: -p? -w -f? --all --deprecated --names --values --binary --ignore --pattern= --quiet --load? --system --write --help --version",
    operands: "-*",
    analyze: "sysctl",
  },
  {
    names: "lsblk",
    options:
      "-aAbdDfilmnOPpqrsStTvJMxyzNEhV -o: -e: -I: -w: -x: -E: -Q: --all --bytes --nodeps --discard --exclude= --include= --fs --ascii --json --list --merge --perms --noheadings --output= --output-all --pairs --paths --raw --inverse --scsi --sort= --topology --tree? --zoned --dedup= --width= --noempty --shell --help --version",
    operands: "-*",
  },
  {
    names: "blkid",
    options:
      "-ikhlLpV -c: -g -L: -U: -n: -o: -s: -t: -u: -O: -S: --output= --match-tag= --list-one --probe --label= --uuid= --help --version",
    operands: "-*",
  },
  {
    names:
      "lscpu lspci lsusb lsmod lshw lsmem lsscsi lsdev lsinitramfs dmidecode hwinfo inxi lsb_release modinfo acpi sensors udevadm cpupower nvidia-smi rocm-smi",
    options:
      "-abBcCdDeEfFghHikKlLmMnNopPqQrRsStTuUvVwxXyzZ0? -d: -s: -t: -o: -i: -n: -v? -q? -x? -c: -l? -class: -short -json -html -businfo -numeric --json --all --bytes --extended? --parse? --online --offline --hex --physical --output= --output-all --type= --string= --query-gpu= --query-compute-apps= --format= --query-apps= --list-gpus --loop= --id= --description --release --codename --short --help --version --name= --attribute-walk --field= --query= --path= --noheadings --summary? --split=",
    style: "gnu",
    operands: "-*",
  },
  {
    names: "mount",
    options:
      "-lvhV -t: --show-labels --types= --help --version -a -o: -r -w -B -R -L: -U: -n -f -F -s -O: --bind --rbind --move --make-private --options=",
    operands: "- w",
  },
  { names: "umount swapoff", options: "-alfrvnRd -t: -O:", operands: "-*" },
  {
    names: "findmnt mountpoint",
    options:
      "-aAbcCdDefFiJklnPrRsSuUvyqxmhV -N: -O: -o: -S: -T: -t: -M: -d: --all --ascii --bytes --df --evaluate --fstab --mtab --kernel --invert --json --list --noheadings --options= --output= --output-all --pairs --raw --source= --target= --tree --types= --uniq --verify --verbose --submounts --first-only --mountpoint= --notruncate --real --pseudo --quiet --help --version",
    operands: "-*",
  },
  {
    names: "swapon",
    options:
      "-sv --show? --noheadings --raw --bytes --summary --output-all --verbose --help --version !-a !-p: !-d? !-f !-L: !-U: !--all !--priority=",
    operands: "-*",
  },
  {
    names: "fdisk sfdisk gdisk sgdisk parted cfdisk partprobe partx blockdev",
    options:
      "-lxsJdbmpvVh -o: -L? -u? --list --list-free --json --dump --bytes --output= --script --machine --list-types --print --getsize64 --getss --getsz --getbsz --getro --report --show --list --zap-all --help --version !-F -F",
    operands: "-*",
  },
  {
    names: "mkfs mke2fs mkswap mkdosfs mkntfs newfs",
    options: "-t: -L: -F -q -f -n -E: -O: -m: -b: -U: -c -v -T: -j -N: -i: -I: -J: -G:",
    operands: "d*",
  },
  {
    names: "wipefs blkdiscard",
    options:
      "-anfqbpiJOzsv -o: -t: -l: --all --force --no-act --backup --types= --offset= --parsable --noheadings --zeroout --secure --step= --length= --json --output= --help --version",
    operands: "d*",
  },
  {
    names:
      "fsck e2fsck xfs_repair dumpe2fs tune2fs debugfs resize2fs xfs_info xfs_growfs btrfs xfs_db xfs_admin badblocks e2label",
    options: "-nNlhVfypvCtsr -c? -R: -L: -m: -O: -e: -i: -b: -o:",
    operands: "-*",
  },
  {
    names: "lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lvmdiskscan lvm",
    options:
      "-acdhovPCSsmn -o: -O: -S: --units= --noheadings --separator= --segments --all --sort= --nosuffix --options= --select= --reportformat= --colon --columns --maps --short --verbose --version --help",
    operands: "-*",
  },
  {
    names:
      "lvremove vgremove pvremove lvcreate vgcreate pvcreate lvextend vgextend lvreduce vgreduce lvresize lvchange vgchange pvmove pvresize lvconvert lvrename vgrename",
    options: "-yfLlnvrtsTC -n: -L: -l: -s: --yes --force --size= --extents= --name= --resizefs",
    operands: "-*",
  },
  {
    names: "mdadm",
    options:
      "-DEQsvXabCBSfr -l: -n: --detail --examine --query --scan --brief --verbose --export --test --version --zero-superblock --stop --fail --remove --add --create --assemble --manage --grow",
    operands: "-*",
  },
  {
    names: "zpool zfs",
    options: "-HjpLPvxrtsdTg -o: -O: -t: -s: -S: -d:",
    style: "gnu",
    operands: "-*",
  },
  {
    names: "cryptsetup",
    options:
      "-qvdcsh -d: -c: -s: -h: --batch-mode --type= --verbose --dump-json-metadata --key-file=r",
    operands: "-*",
  },
  {
    names: "smartctl",
    options:
      "-aAcHilxjPTqnv: -d: -l: -n: -T: -r: -f: -g: -q: --all --xall --health --info --attributes --capabilities --log= --scan --scan-open --json? --device= --get= --format= --nocheck= --identify? --version --help !-t: !-s: !-o: !-S: !-X !--test= !--smart= !--abort !--set= !--offlineauto= !--saveauto=",
    operands: "-*",
  },
  {
    names: "hdparm nvme sdparm",
    options:
      "-ItTgaBcCdGkQWAi? !-y !-Y !-f !-F !-w !-W !-o: -o: --fibmap= --Istdout !--security-erase= !--yes-i-know-what-i-am-doing !--write-sector=",
    operands: "-*",
  },
  { names: "iotop-c", options: "-abok" },
  { names: "getent", options: "-iAs: --service= --no-idn --help --version", operands: "-*" },
  {
    names: "locale",
    options: "-amkcv --all-locales --charmaps --category-name --keyword-name --verbose",
    operands: "-*",
  },
  {
    inert: true,
    names: "whereis which",
    options:
      "-abmsufdl -B: -M: -S: --all --skip-dot --skip-tilde --show-dot --show-tilde --tty-only --read-alias --skip-alias --version --help",
    operands: "-*",
  },
  { names: "ldconfig", options: "-p --print-cache -N -v -V !-C: !-r:", operands: "-*" },
  {
    names: "ldd",
    options: "-vudrV --verbose --unused --data-relocs --function-relocs --version",
    operands: "r*",
  },
  {
    names:
      "useradd usermod userdel adduser deluser groupadd groupmod groupdel addgroup delgroup passwd chpasswd chage gpasswd vipw newusers chsh chfn visudo",
    options:
      "-aAbcdDefgGhkKlLmMnNopPrRsSuUvqiIEWwxyZ -l -S -L -U -d: -u: -g: -G: -s: -c: -e: --status --list --delete --lock --system --home= --uid= --gid= --groups= --shell= --check --create-home",
    operands: "-*",
  },
  {
    names: "shutdown reboot halt poweroff telinit init",
    options: "-hrHPckfwnpdtF --no-wall --force --help",
    operands: "-*",
  },
  {
    names: "modprobe insmod rmmod depmod kmod",
    options:
      "-nDcarvqfils -C: -d: -S: --show-depends --showconfig --dry-run --resolve-alias --remove --all --verbose --force",
    operands: "-*",
  },
  { names: "nginx openresty", options: "-tTvVqhs? -s: -c:r -g: -p: -e:", operands: "-*" },
  {
    names: "apachectl apache2ctl httpd apache2 httpd2",
    options: "-tSVvlLMDhk: -k: -f:r -D: -d: -e: -X",
    operands: "-*",
  },
  {
    names:
      "haproxy named-checkconf named-checkzone sshd squid postconf postqueue postfix mailq exim exim4 varnishadm varnishstat varnishlog doveconf caddy traefik php-fpm unbound-checkconf dovecot keepalived logrotate",
    options:
      "-cvVtTnhMCdpfqeDkbiSmlz1N -f:r -c? -C:r -o: -p? -k: -n: -bp -bpc -bP -bV -d -t: --config= --config-file=r --debug --help --version --adapter= --validate",
    operands: "-*",
  },
  {
    names: "update-alternatives alternatives",
    options:
      "--display --list --query --get-selections --config --set --install --remove --auto --all",
    operands: "-*",
  },
  {
    names:
      "sestatus getenforce getsebool semanage seinfo sesearch aa-status apparmor_status ausearch aureport auditctl setenforce setsebool",
    options:
      "-abcdehilmnoprstuvwxyzAECIKMNPSTUX? -m: -c: -k: -i -ts: -te: -ui: -sv: -l -s --interpret --message= --start= --end= --key= --summary --failed --list",
    operands: "-*",
  },
  {
    names: "logger",
    options: "-isPTde -t: -p: -f:r -n: -P: --tag= --priority= --file=r --server= --stderr",
    operands: "-*",
  },
  { names: "fail2ban-client", options: "-dvtV", operands: "-*" },
  {
    names:
      "rpcinfo showmount exportfs smbstatus testparm smbclient rpcclient quota repquota edquota",
    options:
      "-aepdsuvmvbSnpBLAqgi -l -t: -T: -U: -N -L: -c: --suppress-prompt --shares --processes",
    operands: "-*",
  },
  {
    names: "ntpq ntpstat chronyc ntpdate hwclock adjtimex",
    options:
      "-pncvarquhd -c: -h: -4 -6 -m --show --get --verbose --test --version !-w !-s !-a !--set !--hctosys !--systohc !--adjust",
    operands: "-*",
  },
  {
    names: "ipmitool dmsetup multipath multipathd iscsiadm losetup",
    options:
      "-laJnOcrf -I: -H: -U: -P: -m: -o: -p: -P? -j: -ll -v? --list --json --raw --all --output= --noheadings --associated=",
    operands: "-*",
  },
  { names: "cloud-init", options: "--long --format= --wait --version --all", operands: "-*" },
  {
    names: "virsh vboxmanage VBoxManage qm pct lxc lxc-ls lxd incus vagrant multipass",
    opaque: true,
    options:
      "-cqrdtlh -c: --all --connect= --name --inactive --title --format= --columns= --fancy --running --filter= --machine-readable",
    operands: "-*",
  },
  {
    names:
      "puppet chef-client salt salt-call facter ohai ansible ansible-playbook ansible-inventory ansible-doc ansible-config ansible-vault ansible-galaxy",
    opaque: true,
    options:
      "-abBcCdDeIiKklLmMoptTuUvV? -i: -m: -a: -u: -l: -t: -e: -f: -M: -s -y --list --graph --host= --list-hosts --list-tasks --list-tags --syntax-check --check --diff --inventory= --limit= --tags= --extra-vars= --json --yaml --format= --version --help",
    operands: "-*",
  },
  {
    names:
      "consul vault nomad etcdctl zkCli.sh rabbitmqctl rabbitmq-diagnostics kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-console-consumer kafka-console-consumer.sh kafka-configs.sh kcat kafkacat nodetool rabbitmqadmin",
    options:
      "-abcdefghijklmnopqrstuvwxyzCLPQJ -w: -b: -t: -n: -p: -o: -e -X: -format: -address: -detailed -http-addr: -field: -recurse -keys -mount: -namespace: -token: --bootstrap-server= --zookeeper= --topic= --group= --describe --list --all-groups --members --from-beginning --max-messages= --timeout-ms= --partition= --offset= --endpoints= --prefix --keys-only --write-out= --formatter= --state --help --version --delete --reset-offsets --alter --create --execute --cacert=r --cert=r --key=r --limit= --order= --vhost=",
    style: "single",
    operands: "-*",
  },
  {
    names: "supervisorctl pm2 monit forever s6-svstat svstat",
    options: "-c:r -s: -u: -p: --lines= --nostream --json --raw --err --out",
    operands: "-*",
  },
];
