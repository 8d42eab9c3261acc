/**
 * Environment variables as inputs: which are harmless to set, and which make
 * programs do other things than they say.
 *
 * @module
 */

/** Names of variables that hold secrets. */
export const SECRET_NAME =
  /(?:TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)|_PASS$|(?:API|ACCESS|PRIVATE)_?KEY|CREDENTIAL)/i;

/** Names that change nothing but looks: locale, time zone, width, colour, a cloud profile. */
const HARMLESS =
  /^(?:IFS|LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLUMNS|LINES|NO_COLOR|CLICOLOR(?:_FORCE)?|FORCE_COLOR|GREP_COLORS?|LS_COLORS|TIME_STYLE|BLOCK_SIZE|BLOCKSIZE|QUOTING_STYLE|POSIXLY_CORRECT|CI|DEBIAN_FRONTEND|SYSTEMD_(?:COLORS|LESS)|MANWIDTH|AWS_(?:PROFILE|REGION|DEFAULT_REGION|DEFAULT_OUTPUT|MAX_ATTEMPTS)|CLOUDSDK_CORE_PROJECT|PROCPS_\w+|PS_FORMAT|HISTTIMEFORMAT|TIMEFORMAT|OPTIND|DISPLAY)$/;

/** Pagers that only show: a variable that names one of them is harmless. */
const PAGER = /^(?:[A-Z]+_)?PAGER=(?:|cat|less|more|head)$/;

/** Names that some program obeys by running or loading what they say. */
const OBEYED =
  /^(?:PATH|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RESOLV_HOST_CONF|BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|\w*PAGER|\w*EDITOR|VISUAL|\w+_(?:ASKPASS|RSH|SSH)|RSYNC_\w+|CVS_RSH|BROWSER|SHELL|GIT_\w+|SSH_\w+|PYTHON\w+|PERL\w+|RUBY\w+|NODE_\w+|DENO_\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LESS\w*|MANOPT|MANPATH|MANROFFOPT|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|HOME|XDG_\w+|KUBECONFIG|KUBE_\w+|DOCKER_\w+|AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE|INPUTRC|SHELLOPTS|BASHOPTS|BASH_FUNC\w*|BASH_ALIASES|BASH_CMDS|CDPATH|GLOBIGNORE|EXECIGNORE|FPATH|ZDOTDIR|TERMINFO\w*|TERMCAP|OPENSSL_\w+|SSL_\w+|CURL_\w+|WGETRC|PSQLRC|PGSERVICEFILE|PGPASSFILE|MYSQL_HOME|SQLITE\w+|npm_config_\w+|NPM_CONFIG_\w+|PIP_\w+|CARGO_\w+|RUSTC\w*|RUSTFLAGS|GOFLAGS|CC|CXX|MAKEFLAGS|MAKEFILES|TF_\w+|ANSIBLE_\w+|HELM_\w+|VIMINIT|EXINIT|HISTFILE|HISTCONTROL|HISTSIZE|HISTFILESIZE|TMOUT|(?:http|https|all|ftp|no)_proxy|(?:HTTP|HTTPS|ALL|FTP|NO)_PROXY|SUDO_ASKPASS|SUDO_EDITOR|PARALLEL\w*|TMUX\w*|JUPYTER\w*|R_\w+|LUA_\w+|PHP\w+)$/;

/** Whether programs obey a variable of this name. */
export function isObeyedName(name: string): boolean {
  return OBEYED.test(name.replace(/\[.*$/s, ""));
}

/** Whether an assignment `NAME=value` in front of a program changes nothing that matters. */
export function isHarmlessAssignment(assignment: string): boolean {
  const name = assignment.slice(0, assignment.indexOf("="));
  return HARMLESS.test(name) || PAGER.test(assignment);
}

/** Whether setting this variable in the shell may change what later programs do. */
export function isObeyedAssignment(assignment: string): boolean {
  const name = assignment.slice(0, assignment.indexOf("="));
  return OBEYED.test(name) && !PAGER.test(assignment) && !HARMLESS.test(name);
}
