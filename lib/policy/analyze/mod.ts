/**
 * What programs do beyond what their options and operands say by themselves:
 * the commands that they run, the scripts that they are given.
 *
 * @module
 */
import type { Call } from "../shell/call.ts";
import { analyzeAwk } from "./awk.ts";
import {
  analyzeArchive,
  analyzeCopy,
  analyzeDd,
  analyzeDestroy,
  analyzeFifo,
  analyzeMode,
  analyzeTar,
} from "./files.ts";
import { analyzeFd, analyzeFind } from "./find.ts";
import { analyzeGit } from "./git.ts";
import { analyzeForeign, analyzeInterpreter } from "./interpreters.ts";
import {
  analyzeAt,
  analyzeCrontab,
  analyzeDate,
  analyzeKill,
  analyzeOpenssl,
  analyzePrintenv,
  analyzeSshKeygen,
  analyzeSysctl,
} from "./system.ts";
import {
  analyzeCalculator,
  analyzeGrep,
  analyzeJq,
  analyzeManual,
  analyzePager,
  analyzePdftotext,
  analyzePs,
} from "./readers.ts";
import {
  analyzeBrowser,
  analyzeFetch,
  analyzeHttpie,
  analyzeIp,
  analyzeSocket,
} from "./network.ts";
import { analyzeMongo, analyzeRedis, analyzeSql } from "./data.ts";
import { analyzeContainer, analyzeRemote } from "./remote.ts";
import { analyzeStore } from "./stores.ts";
import { analyzeSed } from "./sed.ts";
import { analyzeShell } from "./shells.ts";
import {
  analyzeEnvWrapper,
  analyzeOpaque,
  analyzeParallel,
  analyzeScript,
  analyzeSetarch,
  analyzeSu,
  analyzeWatch,
  analyzeWrapper,
  analyzeXargs,
} from "./wrappers.ts";

/** Looks into a call; returns what it prints, or null where that isn't known here. */
export type Analyzer = (call: Call) => string | null;

const ANALYZERS: ReadonlyMap<string, Analyzer> = new Map(Object.entries({
  archive: analyzeArchive,
  at: analyzeAt,
  awk: analyzeAwk,
  browser: analyzeBrowser,
  calculator: analyzeCalculator,
  container: analyzeContainer,
  copy: analyzeCopy,
  crontab: analyzeCrontab,
  date: analyzeDate,
  dd: analyzeDd,
  destroy: analyzeDestroy,
  env: analyzeEnvWrapper,
  fd: analyzeFd,
  fetch: analyzeFetch,
  fifo: analyzeFifo,
  find: analyzeFind,
  foreign: analyzeForeign,
  git: analyzeGit,
  grep: analyzeGrep,
  httpie: analyzeHttpie,
  interpreter: analyzeInterpreter,
  ip: analyzeIp,
  jq: analyzeJq,
  kill: analyzeKill,
  manual: analyzeManual,
  mode: analyzeMode,
  mongo: analyzeMongo,
  "opaque-wrapper": analyzeOpaque,
  openssl: analyzeOpenssl,
  pager: analyzePager,
  parallel: analyzeParallel,
  pdftotext: analyzePdftotext,
  printenv: analyzePrintenv,
  ps: analyzePs,
  redis: analyzeRedis,
  remote: analyzeRemote,
  script: analyzeScript,
  sed: analyzeSed,
  setarch: analyzeSetarch,
  shell: analyzeShell,
  socket: analyzeSocket,
  sql: analyzeSql,
  "ssh-keygen": analyzeSshKeygen,
  store: analyzeStore,
  su: analyzeSu,
  sysctl: analyzeSysctl,
  tar: analyzeTar,
  watch: analyzeWatch,
  wrapper: analyzeWrapper,
  xargs: analyzeXargs,
}));

/** Looks into a call as its grammar says. */
export function analyze(call: Call): string | null {
  const name = call.spec?.analyze ?? (call.spec?.runs === undefined ? null : "wrapper");
  return name === null ? null : ANALYZERS.get(name)?.(call) ?? null;
}

/** The names that grammars may use. */
export function analyzerNames(): ReadonlySet<string> {
  return new Set(ANALYZERS.keys());
}
