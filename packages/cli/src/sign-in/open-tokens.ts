import type { Client } from '@vitrine/client'
import { CommandError, type Invocation } from '../command/command.ts'
import { openClient } from './open-client.ts'
import type { serverOptions } from './runtime-config.ts'

/**
 * A client of a server that takes personal access tokens.
 * @throws CommandError when it does not, or no server answers
 */
export async function openTokens(invocation: Invocation<typeof serverOptions>): Promise<Client> {
  const { client, features } = await openClient(invocation)
  if (!features.includes('tokens')) {
    throw new CommandError(`${client.options.baseUrl} takes no personal access tokens.`)
  }
  return client
}
