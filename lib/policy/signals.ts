/**
 * What the engine recognises by itself, in words for people.
 *
 * @module
 */
import type { SignalName } from "./facts.ts";

/** Every signal with its meaning. */
export const SIGNALS: Readonly<Record<SignalName, string>> = {
  "unknown-program": "The program's name is only known when it runs",
  "unknown-code": "It runs code that can't be seen here",
  "unknown-option": "It has an option or word whose meaning isn't known",
  "foreign-code": "It runs code of a language that isn't judged",
  "network-code": "It runs code that comes from the network",
  "network-target": "The host is only known when it runs",
  "reverse-shell": "It gives a connection to a shell or a program",
  "fork-bomb": "It starts copies of itself without end",
  "kill-everything": "It ends every process",
  "world-writable": "It lets everyone write",
  "environment": "It sets a variable that changes what programs do",
  "look-alike": "The program lies outside the system's folders",
  "rebound": "The name stands for another program here",
  "privileged": "It runs with the rights of another user",
  "remote": "It runs on another machine or in a container",
  "back-door": "It leaves a way to other rights",
  "data-change": "It changes data",
  "data-destroy": "It destroys data",
  "secret-output": "It prints what may hold secrets",
  "literal-secret": "It spells out a secret",
  "sends-data": "It sends data to another machine",
  "disk-write": "It writes to a disk",
  "syntax-error": "It doesn't parse as a shell script",
  "too-complex": "It is too complex to be understood",
  "listens": "It opens a door to the network",
};

/** A signal's meaning; one sentence without a period. */
export function describeSignal(name: SignalName): string {
  return SIGNALS[name];
}
