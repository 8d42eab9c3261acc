/**
 * Package managers.
 *
 * @module
 */
import type { ProgramSpec } from "../grammar.ts";

/** Grammars of package managers. */
export const PACKAGES: readonly ProgramSpec[] = [
  {
    names: "apt apt-get apt-cache aptitude apt-mark apt-file apt-key apt-config nala",
    options:
      "-abdfhimqsuvVyFnxlwDNI -o: -t: -c:r -q? -w: -O: -F: -S: --installed --upgradable --all-versions --manual-installed --names-only --full --simulate --dry-run --just-print --no-act --recon --yes --assume-yes --assume-no --no-install-recommends --only-upgrade --print-uris --target-release= --quiet? --verbose-versions --no-all-versions --recurse --reinstall --purge --allow-downgrades --fix-broken --fix-missing --auto-remove --download-only --allow-unauthenticated --important --installed --no-pager --list --regexp --fixed-string --package-only --filter-origins= --disable-columns --display-format= --width= --sort= --allow-change-held-packages --force-yes --option= --help --version",
    operands: "-*",
  },
  {
    names: "dpkg",
    options:
      "-lLsSpcIxXeEfWCiPrVbqGOBA? -D: --list --listfiles --status --search --print-avail --contents --info --field --get-selections --audit --verify --version --help --print-architecture --print-foreign-architectures --compare-versions --no-pager --root= --admindir= --verify-format= --configure --install --remove --purge --unpack --extract --control --set-selections --add-architecture= --remove-architecture= --force-all --force= --build",
    operands: "-*",
  },
  {
    names:
      "dpkg-query dpkg-deb apt-show-versions debsums deborphan apt-rdepends reprepro aptly popularity-contest apt-listchanges grep-dctrl dpkg-reconfigure dpkg-divert dctrl-tools",
    options:
      "-lLsSpWcIxXefbacuiamnrho -f: -s: --list --listfiles --status --search --print-avail --show --showformat= --contents --info --field --show-format= --no-pager --load-avail --control-list --control-path --changed --all --config --silent --help --version",
    operands: "-*",
  },
  {
    names: "rpm rpmquery rpmkeys",
    options:
      "-qailcdRVKpvsfgeUFh -E: --query --all --info --list --configfiles --docfiles --requires --provides --whatrequires= --whatprovides= --queryformat= --qf= --last --changelog --scripts --triggers --file --package --verify --checksig --state --dump --recommends --suggests --conflicts --obsoletes --filesbypkg --nodeps --nosignature --nodigest --eval= --showrc --import --erase --install --upgrade --freshen --root= --dbpath= --version --help",
    operands: "-*",
  },
  {
    names: "yum dnf microdnf tdnf dnf5 zypper yumdownloader repoquery needs-restarting",
    options:
      "-CqvyehxnidaslfRtp -c:r -d: -e: -R: -x: --sort-by-priority --sort-by-name --installed --available --all --updates --upgrades --extras --obsoletes --recent --showduplicates --cacheonly --quiet --assumeno --assumeyes --enablerepo= --disablerepo= --repo= --repoid= --releasever= --installroot= --setopt= --exclude= --security --bugfix --info --list --requires --provides --whatprovides= --whatrequires= --location --latest-limit= --queryformat= --qf= --tree --resolve --recursive --installed-only --search-descriptions --match-exact --details --type= --sort-by-name --no-refresh --nogpgcheck --downloadonly --best --allowerasing --version --help --repo --userinstalled --deplist --file --changelogs",
    operands: "-*",
  },
  {
    names:
      "pacman yay paru apk brew port snap flatpak nix nix-env nix-store guix emerge equery qlist eix xbps-query xbps-install pkg pkg_info opkg slackpkg choco winget scoop conda mamba micromamba",
    options:
      "-abcdefghiklmnopqrstuvwxyzADFHILMNOPQRSTUVWX -r: -f: -n: -p: -c: --installed --query --search --list --info --all --upgrades --explicit --deps --native --foreign --unrequired --owns= --sync --verbose --quiet --no-cache --available --repository= --who-owns --rdepends --depends --formula --cask --versions --json? --json=v2 --outdated --full-name --pinned --greedy --columns= --app --runtime --user --system --show-details --noconfirm --needed --clean --noninteractive --force --zap --dry-run --leaf --tree --name= --prefix= --export --help --version",
    style: "gnu",
    operands: "-*",
  },
  {
    names: "npm yarn pnpm bun corepack",
    options:
      "-gplLPDESOfhvswary -w: -C: -F: --global --depth? --long --json --parseable --all --prod --production --dev --only= --omit= --include= --prefix= --registry= --loglevel= --silent --no-color --workspace= --workspaces --recursive --filter= --dir= --cwd= --location= --audit-level= --dry-run --package-lock-only --link --pattern= --author= --searchlimit= --searchopts= --description --parseable --level= --no-progress --no-fund --no-audit --why --latest --save --save-dev --force --yes --version --help",
    operands: "-*",
  },
  {
    names: "npx pnpx bunx dlx uvx pipx",
    options: "-yqhv -p: -c:x --yes --package= --call=x --no-install",
    style: "posix",
  },
  {
    names: "pip pip3 pip2 uv poetry pipenv pdm rye hatch conda-env pyenv",
    options:
      "-a: --algorithm= -lqvhVofUruTn -f: -r:r -i: -t: -c:r -e: -p: --outdated --uptodate --editable --local --user --format= --not-required --exclude-editable --platform= --implementation= --python-version= --abi= --no-index --find-links= --exclude= --index-url= --extra-index-url= --files --verbose --quiet --path= --disable-pip-version-check --no-color --pre --all --no-deps --dry-run --report=w --tree --top-level --latest --no-dev --only= --without= --with= --why --version --help --requirement= --upgrade --yes --python= --json --bare --versions",
    operands: "-*",
  },
  {
    names:
      "gem bundle bundler rbenv rvm cargo rustup composer cpan cpanm luarocks opam stack cabal mix rebar3 dotnet nuget pub dart flutter swift vcpkg conan sdk asdf mise nvm fnm volta",
    options:
      "-ablqvVhdDieoFZjrptnwx -r: -p: -v: -F: -Z: -j: -e: -t: -f: --local --remote --all --versions --details --outdated --verbose --quiet --depth= --invert= --edges= --features= --all-features --no-default-features --format= --format-version= --manifest-path= --locked --offline --frozen --package= --workspace --target= --installed --direct --tree --no-dev --json --name-only --self --platform --strict --parseable --groups --only-explicit --no-deps --duplicates --list --include-prerelease --vulnerable --deprecated --include-transitive --version --help --message-format= --release --lib --bins --tests",
    operands: "-*",
  },
];
