import { parseArgs } from 'node:util'
import { ConfigError } from '@vitrine/server/config'
import { type Command, CommandError, UsageError } from './command.ts'
import { commands } from './commands.ts'

/** 0: done; 1: could not be done; 2: not understood. */
export type ExitCode = 0 | 1 | 2

/** Runs the command that the arguments name. */
export async function run(words: string[]): Promise<ExitCode> {
  if (words.length === 0 || words[0] === '--help' || words[0] === '-h' || words[0] === 'help') {
    console.log(overview())
    return 0
  }
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) =>
    Object.hasOwn(commands, one),
  )
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || command === undefined) {
    console.error(`There is no command ${words.slice(0, 2).join(' ')}.\n\n${overview()}`)
    return 2
  }

  try {
    const given = parse(command, words.slice(name.split(' ').length))
    if (given.values['help'] === true) console.log(usageOf(name, command))
    else await command.run(given)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usageOf(name, command)}`)
      return 2
    }
    if (!(error instanceof CommandError || error instanceof ConfigError)) throw error
    console.error(error.message)
    return 1
  }
}

function parse(command: Command, args: string[]) {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const given = { positionals, values: values as Record<string, string | boolean | undefined> }
    if (given.values['help'] !== true && positionals.length !== command.positionals) {
      throw new UsageError(
        positionals.length < command.positionals ? 'Something is missing.' : 'That is too much.',
      )
    }
    return given
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function overview(): string {
  const names = Object.entries(commands).map(([name, { usage }]) => `${name} ${usage}`.trim())
  const width = Math.max(...names.map(({ length }) => length))
  const lines = Object.values(commands).map(
    ({ summary }, index) => `  ${names[index]!.padEnd(width)}  ${summary}`,
  )
  return ['Usage: vitrine <command>', '', ...lines].join('\n')
}

function usageOf(name: string, { usage, summary }: Command): string {
  return `Usage: vitrine ${name} ${usage}`.trimEnd() + `\n\n${summary}`
}
