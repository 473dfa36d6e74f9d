import type { ParseArgsConfig } from 'node:util'
import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'

/** What was written after the command's name, and where the command runs. */
export type Given = {
  positionals: string[]
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  io: Io
}

/** One command of `vitrine`. */
export type Command = {
  /** What follows the name, such as `<username> [--json]`. */
  usage: string
  /** One line. */
  summary: string
  /** What `--help` says beyond that. */
  details?: string
  /** What may be typed after `vitrine`, each with what it is for. */
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
