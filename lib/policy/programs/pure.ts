/**
 * Programs of which no version has an option that writes, runs or sends
 * anything, so that an option which isn't listed is no cause for doubt.
 *
 * @module
 */

/** Names of programs that can only print. */
export const PURE: ReadonlySet<string> = new Set(
  [
    "cat tac rev wc head tail cut tr paste join comm fold fmt expand unexpand nl od hexdump hd cal ncal",
    "uptime free w who users last lastlog vmstat mpstat iostat pidstat ipcs lslogins lslocks lsns lscpu",
    "lspci lsusb lsmod lsmem lsblk findmnt mountpoint id uname nproc arch groups tty whoami logname",
    "ls dir vdir stat df du basename dirname readlink realpath namei seq factor numfmt base64 base32",
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum traceroute tracepath ping",
    "ping6 host nslookup dig whois systemd-cgls systemd-cgtop systemd-detect-virt systemd-analyze",
    "systemd-delta objdump readelf size strings pgrep pidof pstree pmap pwdx getent which whereis",
    "column top slabtop numastat pathchk getconf locale lsscsi lsb_release printenv cmp tsort",
    "diffstat comm colrm ul zcat bzcat xzcat zstdcat egrep fgrep grep zgrep whatis apropos look",
  ].join(" ").split(" "),
);
