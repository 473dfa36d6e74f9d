import { parseState } from '@vitrine/contract'
import { CommandError, UsageError } from '../command/command.ts'
import type { OpenedClient } from '../sign-in/open-client.ts'

/** A dataset that a command names, or a state of it. */
export type NamedState = { datasetId: string; at?: number }

/** Reads `cats`, or `cats@1200`, which is cats as it was when its repository had 1,200 items. */
export function readNamedState(text = ''): NamedState {
  const state = parseState(text)
  if (state === undefined && text.includes('@')) {
    throw new UsageError(`${text} names no state of a dataset. Write it as cats@1200.`)
  }
  return { datasetId: state?.name ?? text, ...(state?.at !== undefined && { at: state.at }) }
}

/** @throws CommandError where a state is named, and the server has none */
export function requireStates({ client, features }: OpenedClient, { at }: NamedState): void {
  if (at === undefined || features.includes('states')) return
  throw new CommandError(`${client.options.baseUrl} shows datasets as they are now only.`)
}
