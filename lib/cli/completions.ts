/**
 * `rein completions`: what a shell needs to complete rein's command line.
 *
 * @module
 */

import { allCommands, type CommandInfo, type OptionInfo, type ValueInfo } from "./command_tree.ts";

/** Shells that rein has completions for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = typeof SHELLS[number];

/** A text as one word of any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function namesOf({ short, long }: OptionInfo): readonly string[] {
  return [...(short === null ? [] : [short]), long];
}

function pathOf({ path }: CommandInfo): string {
  return path.join(" ");
}

/** The last word of a command. */
function wordOf({ path }: CommandInfo): string {
  return path.at(-1) ?? "";
}

/** Options that take a value, in any command: the word behind them is no command. */
function valueOptions(tree: CommandInfo): readonly string[] {
  const options = allCommands(tree).flatMap(({ options }) => options);
  return [...new Set(options.filter(({ value }) => value !== null).flatMap(namesOf))];
}

/** Arms of a `case` that lead from a command to those below it. */
function stepArms(tree: CommandInfo): string[] {
  return allCommands(tree).flatMap((command) =>
    command.commands.map((child) =>
      `      ${quoted(`${pathOf(command)}/${wordOf(child)}`)}) at=${quoted(pathOf(child))} ;;`
    )
  );
}

/** Lines for values, with one way to offer words and one to offer files. */
interface ValueForms {
  words(words: readonly string[]): string;
  readonly files: string;
  readonly nothing: string;
}

function valueLine({ choices, files }: ValueInfo, forms: ValueForms): string {
  if (choices.length > 0) return forms.words(choices);
  return files ? forms.files : forms.nothing;
}

/** Arms of a `case` for the word behind an option. */
function valueArms(tree: CommandInfo, forms: ValueForms): string[] {
  return allCommands(tree).flatMap((command) =>
    command.options.flatMap((option) => {
      if (option.value === null) return [];
      const names = namesOf(option).map((name) => quoted(`${pathOf(command)}/${name}`)).join("|");
      return [`    ${names}) ${valueLine(option.value, forms)}; return ;;`];
    })
  );
}

/** What may follow a command: its options, the commands below it, its arguments. */
function followersOf(command: CommandInfo) {
  const { options, commands, arguments: args } = command;
  return {
    options: options.flatMap(namesOf),
    commands: commands.map(wordOf),
    choices: args.flatMap(({ choices }) => choices),
    files: args.some(({ files }) => files),
  };
}

const BASH_FORMS: ValueForms = {
  words: (words) => `_rein_words ${quoted(words.join(" "))}`,
  files: "_rein_files",
  nothing: ":",
};

function bashArm(command: CommandInfo): string {
  const { options, commands, choices, files } = followersOf(command);
  return [
    `    ${quoted(pathOf(command))})`,
    `      if [[ $cur == -* ]]; then ${BASH_FORMS.words(options)}; return; fi`,
    // Behind a word of a question, a word is no command.
    ...(commands.length > 0
      ? [`      if [[ -z $begun ]]; then ${BASH_FORMS.words(commands)}; fi`]
      : []),
    ...(choices.length > 0 ? [`      ${BASH_FORMS.words(choices)}`] : []),
    ...(files ? [`      ${BASH_FORMS.files}`] : []),
    "      ;;",
  ].join("\n");
}

function bash(tree: CommandInfo): string {
  return `# Completion of rein for bash: source it, or keep it as
# ~/.local/share/bash-completion/completions/rein
_rein_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_rein_files() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  compopt -o filenames 2>/dev/null
}

_rein() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' begun='' i
  COMPREPLY=()
  # bash makes three words of --option=value.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valueOptions(tree).join("|")})
        ((i++))
        [[ \${COMP_WORDS[i]} == = ]] && ((i++))
        continue ;;
      -*) continue ;;
    esac
    case $at/\${COMP_WORDS[i]} in
${stepArms(tree).join("\n")}
      *) begun=1; break ;;
    esac
  done
  case $at/$prev in
${valueArms(tree, BASH_FORMS).join("\n")}
  esac
  case $at in
${allCommands(tree).map(bashArm).join("\n")}
  esac
}

complete -F _rein rein
`;
}

const ZSH_FORMS: ValueForms = {
  words: (words) => `compadd -- ${words.map(quoted).join(" ")}`,
  files: "_files",
  nothing: "_message value",
};

/** An entry of zsh's `_describe`: a word and what it is. */
function zshEntry(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description}`);
}

function zshArm(command: CommandInfo): string {
  const options = command.options.flatMap((option) =>
    namesOf(option).map((name) => zshEntry(name, option.description))
  );
  const commands = command.commands.map((child) => zshEntry(wordOf(child), child.description));
  const { choices, files } = followersOf(command);
  return [
    `    ${quoted(pathOf(command))})`,
    `      if [[ $words[CURRENT] == -* ]]; then`,
    `        local -a options=(${options.join(" ")})`,
    `        _describe -o option options`,
    "      else",
    ...(commands.length > 0
      ? [
        `        local -a commands=(${commands.join(" ")})`,
        "        [[ -z $begun ]] && _describe command commands",
      ]
      : []),
    ...(choices.length > 0 ? [`        ${ZSH_FORMS.words(choices)}`] : []),
    files ? "        _files" : "        :",
    "      fi ;;",
  ].join("\n");
}

function zsh(tree: CommandInfo): string {
  return `#compdef rein
# Completion of rein for zsh: keep it as _rein in a folder of $fpath, or source it after compinit.
_rein() {
  local at='' begun='' prev i
  # zsh has --option=value as one word.
  if [[ $words[CURRENT] == --*=* ]]; then
    prev=\${words[CURRENT]%%=*}
    compset -P '*='
  else
    prev=$words[CURRENT-1]
  fi
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${valueOptions(tree).join("|")}) ((i++)); continue ;;
      -*) continue ;;
    esac
    case $at/$words[i] in
${stepArms(tree).join("\n")}
      *) begun=1; break ;;
    esac
  done
  case $at/$prev in
${valueArms(tree, ZSH_FORMS).join("\n")}
  esac
  case $at in
${allCommands(tree).map(zshArm).join("\n")}
  esac
}

if [[ $funcstack[1] == _rein ]]; then _rein "$@"; else compdef _rein rein; fi
`;
}

/** What fish offers for a value. */
function fishValue(value: ValueInfo | null): string {
  if (value === null) return "";
  if (value.choices.length > 0) return ` -x -a ${quoted(value.choices.join(" "))}`;
  return value.files ? " -r -F" : " -x";
}

function fishOption({ short, long, description, value }: OptionInfo, where: string): string {
  const name = `-l ${long.replace(/^--/, "")}${short === null ? "" : ` -s ${short.slice(1)}`}`;
  return `complete -c rein -n ${where} ${name}${fishValue(value)} -d ${quoted(description)}`;
}

function fishLines(command: CommandInfo): string[] {
  const where = quoted(`__rein_at "${pathOf(command)}"`);
  const whereNew = quoted(`__rein_at "${pathOf(command)}" new`);
  const { choices, files } = followersOf(command);
  return [
    ...(files ? [`complete -c rein -n ${where} -F`] : []),
    ...command.commands.map((child) =>
      `complete -c rein -n ${whereNew} -a ${wordOf(child)} -d ${quoted(child.description)}`
    ),
    ...(choices.length > 0 ? [`complete -c rein -n ${where} -a ${quoted(choices.join(" "))}`] : []),
    ...command.options.map((option) => fishOption(option, where)),
  ];
}

function fishSteps(tree: CommandInfo): string {
  return allCommands(tree).flatMap((command) =>
    command.commands.map((child) =>
      `      case ${quoted(`${pathOf(command)}/${wordOf(child)}`)}\n` +
      `        set at ${quoted(pathOf(child))}`
    )
  ).join("\n");
}

function fish(tree: CommandInfo): string {
  return `# Completion of rein for fish: keep it as ~/.config/fish/completions/rein.fish
function __rein_at --description 'Whether the command line has come to a command of rein'
  set -l at ''
  set -l skip 0
  set -l begun
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valueOptions(tree).join(" ")}
        set skip 1
        continue
      case '-*'
        continue
    end
    switch "$at/$word"
${fishSteps(tree)}
      case '*'
        set begun begun
        break
    end
  end
  test "$at" = "$argv[1]"; and test -z "$begun" -o -z "$argv[2]"
end

complete -c rein -f
${allCommands(tree).flatMap(fishLines).join("\n")}
`;
}

const MAKERS: { readonly [S in Shell]: (tree: CommandInfo) => string } = { bash, zsh, fish };

/** Makes the completions of a shell. */
export function completionsFor(shell: Shell, tree: CommandInfo): string {
  return MAKERS[shell](tree);
}
