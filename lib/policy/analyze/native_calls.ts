/**
 * Calls of other languages that destroy, kill, write to disks or run what they
 * download, where they are plain.
 *
 * @module
 */
import { readable } from "../marks.ts";
import type { Call } from "../shell/call.ts";

/** How languages say the home directory. */
const HOME = String
  .raw`(?:os\.path\.expanduser\(\s*["']~["']\s*\)|expanduser\(\s*["']~["']\s*\)|(?:pathlib\.)?Path\.home\(\)|os\.environ\[["']HOME["']\]|os\.getenv\(["']HOME["']\)|os\.environ\.get\(["']HOME["']\)|Dir\.home|ENV\[["']HOME["']\]|ENV\.fetch\(["']HOME["']\)|File\.expand_path\(["']~["']\)|process\.env\.HOME|(?:os|require\(["'](?:node:)?os["']\))\.homedir\(\)|\$ENV\{["']?HOME["']?\}|getenv\(["']HOME["']\)|\$_SERVER\[["']HOME["']\]|\$HOME|\$env:HOME|["']~\/?["'])`;
const DESTROYING = String
  .raw`(?:rmtree|rm_rf?|remove_entry(?:_secure)?|rmSync|rmdirSync|remove_tree|rimraf(?:\.sync)?|removeSync|emptyDirSync|deleteDir\w*|Remove-Item|\brm)`;
const DESTROYS_HOME = new RegExp(`${DESTROYING}\\s*\\(?\\s*${HOME}\\s*(?:[,)\\]};]|$|-)`, "m");

/** `os.kill(-1, 9)`, `kill 9, -1`, `Process.kill("KILL", -1)`. */
const KILLS = /(?:\b|_)kill\w*\s*\(?\s*(?:["']?[\w:.]+["']?\s*(?:,|=>)\s*)?-1\b/;

/** Files that are opened to be written: the path is in the first or the second group. */
const WRITES: readonly RegExp[] = [
  /\bopen\s*\(?\s*["']([^"']+)["']\s*,\s*(?:mode\s*=\s*)?["'](?=[^"']*[wax+])[rwaxbt+]+["']/g,
  /\bopen\s*\(?[^,()]*,\s*["']\s*\+?>>?\s*([^"'>]+)["']/g,
  /\bopen\s*\(?[^,()]*,\s*["']\s*\+?[<>]?>>?(?::\w+)?\s*["']\s*,\s*["']([^"']+)["']/g,
  /(?:writeFile|appendFile|createWriteStream|writeTextFile|truncate|openSync|file_put_contents|(?:File|IO)\.(?:binwrite|write))\w*\s*\(?\s*["']([^"']+)["']/g,
  /\bPath\(\s*["']([^"']+)["']\s*\)\.(?:write_\w+|open\(\s*["'][wax])/g,
  /\b(?:os\.open|sysopen|fopen|File\.open|File\.new)\s*\(?\s*(?:[^,"']*,\s*)?["']([^"']+)["']\s*,\s*(?:[^)]*O_(?:WRONLY|RDWR)|["'][wax+rb]*[wax+])/g,
];

const DOWNLOADS =
  /\b(?:urlopen|urlretrieve|requests\.get|httpx\.get|LWP::|HTTP::Tiny|Net::HTTP|URI\.open|open-uri|https?\.get|iwr|irm|curl|wget|DownloadString|DownloadFile)\b|Invoke-(?:WebRequest|RestMethod)|\bfetch\(\s*["'`]https?:|(?:file_get_contents|readfile|include|require)\s*\(?\s*["']https?:/;
const RUNS =
  /\b(?:iex|eval|exec|system|popen|passthru|shell_exec|instance_eval|loadstring|runInThisContext|runInNewContext|compile)\b|Invoke-Expression|subprocess|\bload\(/i;

/** Notes what calls of another language plainly do. */
export function judgeNativeCalls(code: string, call: Call): void {
  const text = code.slice(0, 20_000);
  if (DESTROYS_HOME.test(text)) call.access("destroy", call.walk.world.home, true);
  if (KILLS.test(text)) call.signal("kill-everything", "-1");
  for (const pattern of WRITES) {
    for (const [, path = ""] of [...text.matchAll(pattern)].slice(0, 16)) {
      if (path !== "") call.access("write", path.trim());
    }
  }
  if (DOWNLOADS.test(text) && RUNS.test(text)) {
    call.signal("network-code", readable(text).slice(0, 80));
  }
}

/** Whether code of another language may print what the network sends. */
export function downloads(code: string): boolean {
  return DOWNLOADS.test(code.slice(0, 20_000));
}
