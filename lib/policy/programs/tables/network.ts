/**
 * Programs about the network.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of network tools. */
export const NETWORK: readonly ProgramSpec[] = [
  {
    names: "ss",
    options:
      "-HhVnralLoempTisbEZzNx460tMSudwOQ -N: -f: -A: -F:r --help --version --numeric --resolve --all --listening --options --extended --memory --processes --threads --info --tipcinfo --summary --tos --cgroup --bpf --events --context --contexts --net= --ipv4 --ipv6 --packet --tcp --mptcp --sctp --udp --dccp --raw --unix --tipc --vsock --xdp --family= --no-header --oneline --inet-sockopt --query= --socket= --filter=r !-K !--kill !-D:w !--diag=w",
    operands: "-*",
  },
  {
    names: "netstat",
    options:
      "-rvWnNeopclatuxwsiIgFCZM46hfbqLp? -I? -p? -f: -A: --route --interfaces --groups --statistics --verbose --wide --numeric --numeric-hosts --numeric-ports --symbolic --extend --timers --program --continuous --listening --all --tcp --udp --inet --inet6 --unix --raw",
    operands: "-*",
  },
  {
    names: "ip",
    options:
      "-46BdDhjoprstcNMa0I? -n: -f: -l: !-b:r !-batch:r -br -brief -j -json -p -pretty -s -stats -statistics -d -details -o -oneline -4 -6 -r -resolve -c -color? -human -N -netns: -family: -t -ts -timestamp -all -force",
    style: "single",
    operands: "-*",
    analyze: "ip",
  },
  {
    names: "ifconfig arp route iwconfig iwlist iw brctl bridge rfkill vconfig",
    options: "-aAnveFCsidDV -i: -H: -A: -6 -4 -j -s -d -o",
    operands: "-*",
  },
  {
    names: "ethtool",
    options:
      "-acgiklmnpPStTuxdeWf --show-features --statistics --driver --show-ring --show-coalesce --show-pause --show-offload --show-eee --module-info --version -h !-A !-C !-G !-K !-L !-N !-U !-s !-X !-E !-f !-p !-r !-t --phy-statistics --show-priv-flags --show-channels --show-fec",
    operands: "-*",
    style: "gnu",
  },
  {
    names: "ping ping6 fping arping",
    options:
      "-46AbBdDfhLnOqrRUvVaegsu3t: -c: -C: -i: -I: -l: -m: -M: -p: -Q: -s: -S: -t: -T: -w: -W: -H? --help --count= --interval= --timeout=",
    operands: "h*",
  },
  {
    names: "traceroute traceroute6 tracepath tracepath6 tracert mtr tcptraceroute",
    options:
      "-46dFInreTUVvbhAawjlCxXzoyDL -f: -g: -i: -m: -N: -p: -q: -s: -S: -t: -w: -z: -M: -P: -c: -Q: -B: -G: -Z: -o: -y: --report --report-wide --report-cycles= --no-dns --show-ips --tcp --udp --json --csv --xml --raw --max-ttl= --port= --interval= --aslookup --version --help --resolve-hostnames --icmp",
    operands: "h*",
  },
  {
    names: "dig drill delv kdig",
    options: "-46aiumrvh -b: -c: -f:r -k:r -p: -q: -t: -x: -y: -D -T -S -I -V: -Q -o:",
    style: "gnu",
    operands: "h*",
  },
  {
    names: "nslookup host",
    options:
      "-aCdlrsTUvw46iVn -c: -m: -N: -R: -t: -W: -D -p: -query: -type: -debug -timeout: -port: -norecurse",
    style: "gnu",
    operands: "h*",
  },
  {
    names: "whois",
    options:
      "-HIaBbdGKlLmMrRQ -h: -p: -i: -s: -t: -T: -v: -q: --verbose --no-recursion --help --version",
    operands: "h*",
  },
  {
    names: "geoiplookup ipcalc sipcalc subnetcalc",
    options: "-bchmnprsav46iS: -f:r --json --info",
    operands: "-*",
  },
  {
    names: "nmcli",
    options:
      "-aptcwhvo !-s -f: -m: -g: -e: -c: -t --ask --pretty --terse --fields= --mode= --get-values= --colors= --escape= !--show-secrets --wait= --overview --active --order=",
    operands: "-*",
  },
  {
    names: "iptables ip6tables",
    options:
      "-LSnvxCw? -t: -i: -o: -p: -s: -d: -j: -m: --list? --list-rules? --numeric --verbose --exact --line-numbers --table= --wait? --version --check= --sport= --dport= --source= --destination= --jump= --state= --ctstate= --comment= !-A !-D !-I !-R !-F !-Z !-N !-X !-P !-E !--append !--delete !--insert !--replace !--flush !--zero !--new-chain !--delete-chain !--policy !--rename-chain",
    operands: "-*",
  },
  { names: "iptables-save ip6tables-save", options: "-c -t: --counters --table=", operands: "-*" },
  { names: "iptables-restore ip6tables-restore", options: "-cntvw" },
  {
    names: "nft",
    options:
      "-ajnNpsSyhvV -i: --handle --json --numeric --stateless --check --echo --service --reversedns --guid --terse --version --help !-f: !--file= !-I:",
    operands: "-*",
  },
  {
    names: "ufw firewall-cmd firewalld",
    options:
      "-q --list-all --list-all-zones --list-ports --list-services --list-rich-rules --list-interfaces --list-sources --list-forward-ports --list-icmp-blocks --state --get-zones --get-services --get-active-zones --get-default-zone --get-zone-of-interface= --query-port= --query-service= --query-masquerade --zone= --info-zone= --info-service= --permanent --direct --get-all-rules --version --help --dry-run --force",
    operands: "-*",
  },
  {
    names: "conntrack ipvsadm tc ipset arptables ebtables",
    options:
      "-LCSEGnlsdjpo? -p: -s: -d: -f: -o: -t: --dump --count --stats --state= --proto= --src= --dst= --orig-port-dst= --list --numeric --exact --rate -s -Z",
    operands: "-*",
  },
  {
    names: "tcpdump tshark ngrep dumpcap tcpflow",
    options:
      "-AbdDefhHIJKlLnNOpqRStuUvxXWQ# -B: -c: -C: -E: -F:r -G: -i: -j: -m:r -M: -r:r -s: -T: -V:r -W: -y: -Y: -e: -o: -z: -f: -a: -w:w --list-interfaces --number --interface= --version --help --snapshot-length= !-z:x !-Z: --immediate-mode --count",
    operands: "-*",
  },
  {
    names: "nmap masscan zmap arp-scan netdiscover",
    options:
      "-46AFnPRrvVsTdOhSUXpeN -p: -i: -T: -s? -P? -S: -e: -g: -o:w --open --top-ports= --version --help --script=x --reason --traceroute -sn -sV -Pn -iL:r -oN:w -oX:w -oG:w -oA:w",
    operands: "h*",
    style: "single",
  },
  {
    names: "iperf iperf3 speedtest speedtest-cli nuttcp",
    options:
      "-4 -6 -R -c: -t: -i: -P: -p: -u -b: -J -f: -s -D --client= --time= --json --simple --list --server= --version --help --bytes --secure --share -1",
    operands: "h*",
  },
  {
    names: "iftop vnstat",
    options:
      "-nNPpBbtlhdmwyi: -i: -f: -F: -s: -L: -o: --json? --oneline? --iface= --days? --months? --hours? --top? --live? --short --help --version",
    operands: "-*",
  },
  {
    names: "curl",
    options:
      "-afgGijIkLlMnNOpqRsSvV#0123456BZJ -b: -c:w -C: -d: -D:w -e: -E:r -F: -h? -H: !-K: -m: -o:w -P: -Q: -r: -t: -T: -u: -U: -w: -x:h -X: -y: -Y: -z: -A: --basic --digest --negotiate --ntlm --anyauth --cacert=r --capath= --cert=r --cert-type= --key=r --key-type= --pass= --ciphers= --tls-max= --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --sslv2 --sslv3 --ssl --ssl-reqd --compressed --compressed-ssh --connect-timeout= --connect-to= --cookie= --cookie-jar=w --create-dirs --crlf --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --delegation= --disable --dns-servers= --doh-url=h --dump-header=w --etag-compare= --etag-save=w --fail --fail-early --fail-with-body --false-start --form= --form-string= --ftp-pasv --get --globoff --happy-eyeballs-timeout-ms= --haproxy-protocol --head --header= --help? --hsts=w --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ignore-content-length --include --insecure --interface= --ipv4 --ipv6 --json= --junk-session-cookies --keepalive-time= --limit-rate= --list-only --local-port= --location --location-trusted --manual --max-filesize= --max-redirs= --max-time= --netrc --netrc-file=r --netrc-optional --no-alpn --no-buffer --no-keepalive --no-npn --no-progress-meter --no-sessionid --noproxy= --oauth2-bearer= --output=w --output-dir=w --parallel --parallel-max= --path-as-is --pinnedpubkey= --post301 --post302 --post303 --progress-bar --proto= --proto-default= --proto-redir= --proxy=h --proxy-user= --proxy-header= --range= --raw --referer= --remote-header-name --remote-name --remote-name-all --remote-time --remove-on-error --request= --request-target= --resolve= --retry= --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= --show-error --silent --socks4=h --socks5=h --socks5-hostname=h --speed-limit= --speed-time= --stderr=w --styled-output --tcp-fastopen --tcp-nodelay --telnet-option= --time-cond= --tr-encoding --trace=w --trace-ascii=w --trace-time --unix-socket= --upload-file= --url= --url-query= --use-ascii --user= --user-agent= --verbose --version --write-out= --xattr --rate= --variable= --no-clobber --aws-sigv4= !--config= !--quote= !--libcurl=w !--engine= !--random-file= !--egd-file= !--preproxy=",
    analyze: "fetch",
  },
  {
    names: "wget wget2",
    options:
      "-bcdEFhHIkKLmNnpqrSvVx46 -a:w -A: -B: -D: !-e: -G: -i:r -l: -o:w -O:w -P: -Q: -R: -t: -T: -U: -w: -X: --background --continue --debug --server-response --spider --timeout= --tries= --quiet --no-verbose --verbose --output-document=w --output-file=w --append-output=w --directory-prefix= --no-check-certificate --ca-certificate=r --certificate=r --private-key=r --header= --user-agent= --referer= --method= --body-data= --body-file= --post-data= --post-file= --max-redirect= --content-disposition --content-on-error --no-hsts --inet4-only --inet6-only --no-proxy --dns-timeout= --connect-timeout= --read-timeout= --wait= --waitretry= --random-wait --limit-rate= --no-cache --no-cookies --load-cookies=r --save-cookies=w --save-headers --recursive --level= --mirror --page-requisites --convert-links --adjust-extension --accept= --reject= --domains= --no-parent --span-hosts --no-clobber --timestamping --show-progress --no-directories --force-directories --cut-dirs= --user= --password= --http-user= --http-password= --input-file=r --force-html --base= --help --version --trust-server-names --retry-connrefused --bind-address= --no-config !--use-askpass=x !--execute= !--config= !--delete-after",
    analyze: "fetch",
  },
  {
    names: "http https xh httpie",
    options:
      "-bhIjfvpFq !-d !--download -a: -o:w -A: -s: -p: --headers --body --verbose --print= --follow --timeout= --check-status --json --form --pretty= --auth= --verify= --output=w --ignore-stdin --help --version",
    operands: "-*",
    analyze: "httpie",
  },
  {
    names: "lynx w3m links elinks",
    options:
      "-dump -source -head -nolist -listonly -width: -accept_all_cookies -useragent: -dump_source -T: -no-numbering -no-references -html-numbered-links: -display_charset: -force_html -stdin -crawl -traversal",
    style: "single",
    operands: "h*",
    analyze: "browser",
  },
  {
    names: "aria2c axel youtube-dl yt-dlp",
    options:
      "-xsjdo -d: -o:w -x: -s: -j: -i:r -F -J -j -g -e --list-formats --dump-json --get-url --get-title --skip-download --version --help",
    operands: "h*",
    analyze: "fetch",
  },
  {
    names: "GET HEAD lwp-request lwp-download lwp-mirror curlie hurl",
    options: "-deEfPsSuUxav -m: -t: -H: -o: --version --help",
    analyze: "fetch",
  },
  {
    names: "nc ncat netcat nc.traditional nc.openbsd",
    options:
      "-46bCdDFhklnNrStuUvzZ -e: -c: -I: -i: -m: -M: -O: -o:w -P: -p: -q: -s: -T: -V: -w: -W: -x: -X: -g: -G: --exec= --sh-exec= --lua-exec= --listen --keep-open --udp --ssl --proxy= --wait= --verbose --zero --send-only --recv-only --nodns --idle-timeout= --source-port= --version --help",
    analyze: "socket",
  },
  { names: "socat telnet ftp tftp rlogin", style: "none", analyze: "socket" },
  {
    inert: true,
    names: "ssh autossh mosh",
    options:
      "-46AaCfGgKkMNnqsTtVvXxYy -B: -b: -c: -D: -E:w -e: -F:r -I: -i: -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S: -W: -w:",
    style: "posix",
    analyze: "remote",
  },
  {
    names: "sftp",
    options: "-46aCfNpqrv -B: -b: -c: -D: -F:r -i: -J: -l: -o: -P: -R: -S: -s:",
    operands: "h -*",
  },
  {
    names: "ssh-keygen",
    options:
      "-lLvBeyFHqEW -f: -F: -E: -R: -t: -b: -C: -N: -P: -p -A -y -i -m: -Y: -I: -s: -n: -V: -O:",
    operands: "-*",
    analyze: "ssh-keygen",
  },
  { names: "ssh-keyscan", options: "-46cDHv -f:r -p: -T: -t:", operands: "h*" },
  {
    names: "ssh-add ssh-agent ssh-copy-id",
    options: "-lLqvDdxXckKs -t: -E: -i: -p: -o: -a: -e:",
    operands: "r*",
  },
  {
    names: "mail mailx sendmail mutt swaks msmtp",
    options: "-siFtvnaE -s: -r: -a:r -c: -b: -S: -f: -q:r",
    operands: "-*",
  },
  { names: "openssl", style: "none", analyze: "openssl" },
  {
    names: "gpg gpg2",
    options:
      "-kKvqa -o:w -r: -u: --list-keys --list-secret-keys --list-sigs --list-packets --fingerprint --with-fingerprint --verify --version --with-colons --keyid-format= --list-public-keys --check-sigs --keyring= --no-default-keyring --batch --show-keys --help --decrypt --export-secret-keys --export --import --delete-keys --sign --encrypt -d -e -s -c --symmetric --passphrase=",
    operands: "r*",
  },
  {
    names: "certbot acme.sh keytool certutil step cfssl",
    options:
      "-v -rfc -list -printcert -keystore:r -file:r -storepass: -alias: -storetype: -noprompt -delete -import -genkey -sslserver: -d: -L -n: -h: --list --renew --issue --dry-run --cert-name=",
    style: "single",
    operands: "-*",
  },
  {
    names: "wg wg-quick tailscale zerotier-cli openvpn",
    options: "--json --peers --active --self --4 --6",
    operands: "-*",
  },
  {
    names: "snmpwalk snmpget snmptable",
    options: "-v: -c: -O: -l: -u: -a: -A: -x: -X: -t: -r: -m: -M: -I: -C:",
    operands: "h -*",
  },
  {
    names: "ldapsearch ldapwhoami",
    options: "-xLLLZWnvAt -H: -b: -s: -D: !-w: -y:r -l: -z: -o: -p: -h: -f:r -a: -S: -E:",
    operands: "-*",
  },
  { names: "kinit klist kdestroy kvno", options: "-acefkltKAnsVi" },
];
