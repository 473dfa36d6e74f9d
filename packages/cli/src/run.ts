import { parseArgs } from 'node:util'
import { nearest } from '@vitrine/contract'
import manifest from '../package.json' with { type: 'json' }
import { type Command, type ExitCode, type Invocation, UsageError } from './command/command.ts'
import { commands } from './commands.ts'
import { explain } from './explain.ts'
import type { Io } from './command/io.ts'
import { groupOverview, overview, usageOf } from './usage.ts'

/** Runs the command that the arguments name. */
export async function run(words: string[], io: Io): Promise<ExitCode> {
  const { console } = io
  if (words[0] === 'help' && words.length > 1) return run([...words.slice(1), '--help'], io)
  if (words.length === 0) return run(['serve'], io)
  if (words[0] === '--help' || words[0] === '-h' || words[0] === 'help') {
    console.log(overview())
    return 0
  }
  if (words[0] === '--version' || words[0] === '-V') {
    console.log(`vitrine ${manifest.version}`)
    return 0
  }
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) =>
    Object.hasOwn(commands, one),
  )
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || command === undefined) return notUnderstood(words, io)

  const args = words.slice(name.split(' ').length)
  try {
    const invocation = parse(command, args, io)
    if (invocation.values['help'] === true) console.log(usageOf(name, command))
    else await command.run(invocation)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message} \`vitrine ${name} --help\` shows its usage.`)
      return 2
    }
    const explained = explain(error)
    if (explained === undefined) throw error
    const { exitCode, sentences, ...facts } = explained
    const asJson = args.includes('--json')
    console.error(asJson ? JSON.stringify({ exitCode, ...facts, sentences }) : sentences.join('\n'))
    return exitCode
  }
}

/** Words that are no command; the first may be that of several, such as `user`. */
function notUnderstood([first = '', ...rest]: string[], { console }: Io): ExitCode {
  const group = groupOverview(first)
  if (group !== undefined && (rest[0] === '--help' || rest[0] === '-h')) {
    console.log(group)
    return 0
  }
  const words = group === undefined ? first : [first, ...rest.slice(0, 1)].join(' ')
  const meant = nearest(words, Object.keys(commands))
  const guess = meant === undefined ? '' : ` Did you mean \`vitrine ${meant}\`?`
  const help = group === undefined ? ' `vitrine --help` lists all commands.' : `\n\n${group}`
  console.error(`There is no command ${words}.${guess}${help}`)
  return 2
}

function parse(command: Command, args: string[], io: Io): Invocation<Command['options']> {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const invocation = { positionals, values, io }
    const { from, to } =
      typeof command.positionals === 'number'
        ? { from: command.positionals, to: command.positionals }
        : command.positionals
    if (invocation.values['help'] === true) return invocation
    if (positionals.length < from) {
      throw new UsageError(`Missing ${operandsOf(command)[positionals.length]}.`)
    }
    if (positionals.length > to)
      throw new UsageError(`${positionals[to]} is one argument too many.`)
    return invocation
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(explainOption(error, command))
    throw error
  }
}

/** Lists the operands that a command's usage requires, such as `<dataset>`. */
function operandsOf({ usage }: Command): string[] {
  return usage.split(/\s(?=\[?-)/)[0]!.match(/<[^>]+>(?:=<[^>]+>)?/g) ?? []
}

/** Explains a wrong option: the first line of Node's message, or the nearest option. */
function explainOption({ message }: TypeError, { options }: Command): string {
  const [, match] = /^Unknown option '-*([^'=]*)/.exec(message) ?? []
  if (match === undefined) return `${message.split('\n')[0]!.replace(/\.$/, '')}.`
  const meant = match.length > 1 ? nearest(match, [...Object.keys(options), 'help']) : undefined
  const dashes = match.length > 1 ? '--' : '-'
  const guess = meant === undefined ? '' : ` Did you mean --${meant}?`
  return `There is no option ${dashes}${match}.${guess}`
}
