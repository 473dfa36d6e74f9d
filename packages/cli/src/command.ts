import type { ParseArgsConfig } from 'node:util'
import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'

/** Arguments after the command's name, and the process that the command runs in. */
export type Given = {
  positionals: string[]
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  io: Io
}

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
  options: NonNullable<ParseArgsConfig['options']>
  /** @throws CommandError when it cannot be done */
  run: (given: Given) => Promise<void>
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
