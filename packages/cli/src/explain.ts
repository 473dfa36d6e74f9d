import { ApiError } from '@vitrine/client'
import type { ErrorCode } from '@vitrine/contract'
import { ConfigError } from '@vitrine/server/config'
import { InvalidDatabase } from '@vitrine/server/store'
import { type ExitCode, CommandError, exitCodeOf } from './command/command.ts'

export type Explained = {
  exitCode: ExitCode
  /** The server's code for it, where it came from a server. */
  code?: string
  status?: number
  /** Sentences that say what happened and what to do. */
  sentences: string[]
}

const hints: Partial<Record<ErrorCode, string>> = {
  TOKEN_MISSING: 'Sign in with `vitrine login`, or set VITRINE_TOKEN.',
  TOKEN_INVALID: 'Sign in again with `vitrine login`; a token in VITRINE_TOKEN takes its place.',
  TOKEN_EXPIRED: 'Sign in again with `vitrine login`; a token in VITRINE_TOKEN takes its place.',
  SCOPE_INSUFFICIENT:
    'Use a token of a wider scope. Tokens themselves take a sign-in: `vitrine login`, without VITRINE_TOKEN.',
  TOKEN_LIMITED:
    'Use a token for all datasets: creating one, and what is about the installation, takes that.',
  LINKS_OFF: 'Whoever runs the server can set VITRINE_LINKS=on.',
  FORBIDDEN: '`vitrine whoami --on <dataset>` says what you may do.',
  PERSON_NOT_FOUND: 'People are known once they have signed in.',
  DATASET_NOT_FOUND: '`vitrine ls` lists the datasets.',
  DATASET_OR_ITEM_NOT_FOUND: '`vitrine ls <dataset>` lists the items of a dataset.',
  REPO_NOT_FOUND: '`vitrine ls --repos` lists the repositories.',
  REPO_OR_ITEM_NOT_FOUND: '`vitrine ls --repos` lists the repositories.',
  VIEW_NOT_FOUND: '`vitrine ls --views` lists the views.',
  FIELD_NOT_IN_SCHEMA: '`vitrine show <dataset>` shows its fields.',
  IMPORT_MALFORMED:
    'Nothing was added. Correct the file, or say with --columns what each of its columns is for.',
  DATASET_REFERENCED: 'Remove those first, or keep it.',
  LOG_NOT_SIGNED: '`vitrine doctor` at the server says what it lacks.',
  OVERLOADED: 'Try again in a moment.',
  VIEW_NOT_READY: 'It goes on by itself; try again in a while.',
  PROVIDER_UNAVAILABLE: 'Try again in a moment.',
  STORAGE_UNAVAILABLE: 'Try again in a moment.',
  STORAGE_FULL: 'Nothing was added; there must be more room on the server first.',
  INTERNAL: "The server's log says more.",
}

/** Says what happened and what to do; undefined for an unexpected error. */
export function explain(error: unknown): Explained | undefined {
  if (error instanceof ApiError) return explainCall(error)
  if (error instanceof CommandError) {
    const cause = error.cause instanceof ApiError ? error.cause : undefined
    return { exitCode: error.exitCode, ...factsOf(cause), sentences: [error.message] }
  }
  if (error instanceof ConfigError || error instanceof InvalidDatabase) {
    return { exitCode: 1, sentences: [error.message] }
  }
  return undefined
}

function explainCall(error: ApiError): Explained {
  const { code, body, lost, problems, message } = error
  const hint = code === undefined ? undefined : hints[code]
  const references = body?.details?.referencedBy ?? []
  const progress = body?.details?.progress
  const sentences = [
    `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    ...problems.map((problem) => `  ${problem}`),
    ...(progress === undefined
      ? []
      : [`It has looked at ${inWords(progress.scanned)} of ${inWords(progress.total)} items.`]),
    ...(references.length === 0 ? [] : [`It is referred to by ${references.join(', ')}.`]),
    ...(lost ? [`Check the address and the network, then try again. (${reasonOf(error)})`] : []),
    ...(hint === undefined ? [] : [hint]),
  ]
  return { exitCode: exitCodeOf(error), ...factsOf(error), sentences }
}

const inWords = (number: number) => number.toLocaleString('en')

function factsOf(error: ApiError | undefined) {
  if (error === undefined) return {}
  const { code, status } = error
  return { ...(code !== undefined && { code }), ...(status > 0 && { status }) }
}

/** Finds the system's message on a failed connection: the innermost error names the address. */
function reasonOf(error: Error): string {
  let inner = error
  while (inner.cause instanceof Error) inner = inner.cause
  const { code } = inner as NodeJS.ErrnoException
  return inner.message === '' ? (code ?? inner.name) : inner.message
}
