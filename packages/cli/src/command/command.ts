import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { ApiError } from '@vitrine/client'
import type { Io } from './io.ts'

/** Arguments after the command's name, and the process that the command runs in. */
export type Invocation<Options extends OptionsConfig> = {
  positionals: string[]
  values: OptionValues<Options>
  io: Io
}

type OptionsConfig = NonNullable<ParseArgsConfig['options']>
type OptionValues<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values']

/** One command of `vitrine`. */
export type Command = {
  /** Synopsis after the name, such as `<username> [--json]`. */
  usage: string
  /** One line. */
  summary: string
  /** Further text of `--help`. */
  details?: string
  /** Words to type after `vitrine`, each with its purpose. */
  examples?: [words: string, meaning: string][]
  /** How many words may follow that are no options. */
  positionals: number | { from: number; to: number }
  options: OptionsConfig
  /** @throws CommandError when it cannot be done */
  run: (invocation: Invocation<OptionsConfig>) => Promise<void>
}

/** Declares a command, which runs with values of the types that its options declare. */
export function defineCommand<const Options extends OptionsConfig>(
  command: Omit<Command, 'options' | 'run'> & {
    options: Options
    run: (invocation: Invocation<Options>) => Promise<void>
  },
): Command {
  return command
}

/** Why a command could not be done, as a sentence. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, options: ErrorOptions & { exitCode?: ExitCode } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}

/** That a command was not written as it must be. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Exit codes of commands, for scripts. `--help` shows them. */
export const exitCodes = {
  0: 'done, or there was nothing to do',
  1: 'could not be done, for another reason than those below',
  2: 'the command was not understood',
  3: 'not signed in, or the token is not accepted',
  4: 'there is no such dataset, item or field',
  5: 'in conflict with what is there: a name is taken, a dataset is referred to',
  6: 'what was given is not valid; nothing was changed',
  7: 'the server cannot be reached, or failed: the same again may succeed later',
  8: 'verify found damage',
  9: 'doctor found something wrong',
  130: 'interrupted',
} as const

export type ExitCode = keyof typeof exitCodes

const byStatus: Record<number, ExitCode> = {
  400: 6,
  401: 3,
  403: 3,
  404: 4,
  409: 5,
  413: 6,
  415: 6,
  422: 6,
}

/** The exit code for a call that did not succeed. */
export function exitCodeOf({ status, lost }: ApiError): ExitCode {
  if (lost || status === 408 || status >= 500) return 7
  return byStatus[status] ?? 1
}
