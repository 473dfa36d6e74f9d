import type { ParseArgsConfig } from 'node:util'

/** What was written after the command's name. */
export type Given = {
  positionals: string[]
  values: Record<string, string | boolean | undefined>
}

/** One command of `vitrine`. */
export type Command = {
  /** What follows the name, such as `<username> [--json]`. */
  usage: string
  /** One line. */
  summary: string
  /** How many words must follow that are no options. */
  positionals: number
  options: NonNullable<ParseArgsConfig['options']>
  /** @throws CommandError when it cannot be done */
  run: (given: Given) => Promise<void>
}

/** Why a command could not be done, as a sentence. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** That a command was not written as it must be. */
export class UsageError extends Error {
  override name = 'UsageError'
}
