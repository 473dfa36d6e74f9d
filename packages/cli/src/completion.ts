import { type Command, UsageError } from './command/command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** Makes the command that prints a shell's completion: of commands, and then of their options. */
export function completionCommand(commandsOf: () => Record<string, Command>): Command {
  return {
    usage: '<shell>',
    summary: 'Print a completion script for bash, zsh or fish',
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/vitrine', 'for bash'],
      ['completion zsh > "${fpath[1]}/_vitrine"', 'for zsh'],
      ['completion fish > ~/.config/fish/completions/vitrine.fish', 'for fish'],
    ],
    positionals: 1,
    options: {},
    run: async ({ positionals: [named = ''], io }) => {
      const shell = shells.find((each) => each === named)
      if (shell === undefined) throw new UsageError(`${named} is none of ${shells.join(', ')}.`)
      io.console.log(writers[shell](commandsOf()))
    },
  }
}

const writers = { bash, zsh, fish }

function bash(commands: Record<string, Command>): string {
  return [
    '_vitrine() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} words',
    '  case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in',
    ...cases(commands),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _vitrine vitrine',
  ].join('\n')
}

function zsh(commands: Record<string, Command>): string {
  return [
    '#compdef vitrine',
    'local words_of=(${words[2,CURRENT-1]}) words',
    'case "$words_of " in',
    ...cases(commands),
    'esac',
    'compadd -- ${=words}',
    '[[ $PREFIX == -* ]] || _files',
  ].join('\n')
}

/** Longer names stand first, so that `user add` is not taken for `user`. */
function cases(commands: Record<string, Command>): string[] {
  const byName = Object.entries(commands).toSorted(([a], [b]) => b.length - a.length)
  const first = new Set(Object.keys(commands).map((name) => name.split(' ')[0]!))
  return [
    ...byName.map(([name, { options }]) => `    "${name} "*) words="${flags(options)}" ;;`),
    ...[...groups(commands)].map(
      ([group, words]) => `    "${group} "*) words="${words.join(' ')}" ;;`,
    ),
    `    *) words="${[...first].join(' ')} help --version --help" ;;`,
  ]
}

function fish(commands: Record<string, Command>): string {
  const lines = ['complete -c vitrine -f -n __fish_use_subcommand -a help']
  const seen = new Set<string>()
  for (const [name, { summary, options }] of Object.entries(commands)) {
    const [first = '', second] = name.split(' ')
    const about = `-d '${summary.replaceAll("'", "\\'")}'`
    if (!seen.has(first)) {
      lines.push(
        `complete -c vitrine -f -n __fish_use_subcommand -a ${first} ${second === undefined ? about : ''}`.trimEnd(),
      )
    }
    seen.add(first)
    if (second !== undefined) {
      lines.push(
        `complete -c vitrine -f -n '__fish_seen_subcommand_from ${first}' -a ${second} ${about}`,
      )
    }
    // `trash restore` is not `restore`.
    const isOther =
      second === undefined ? `not ${seenOf(...groups(commands).keys())}` : seenOf(second)
    const within = `${seenOf(first)}; and ${isOther}`
    for (const option of [...Object.keys(options), 'help']) {
      lines.push(`complete -c vitrine -n '${within}' -l ${option}`)
    }
  }
  return lines.join('\n')
}

const seenOf = (...words: string[]) => `__fish_seen_subcommand_from ${words.join(' ')}`

function flags(options: Command['options']): string {
  return [...Object.keys(options), 'help'].map((name) => `--${name}`).join(' ')
}

/** The second words of commands of two words, by the first. */
function groups(commands: Record<string, Command>): Map<string, string[]> {
  const secondWords = new Map<string, string[]>()
  for (const name of Object.keys(commands)) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) secondWords.set(first, [...(secondWords.get(first) ?? []), second])
  }
  return secondWords
}
