import { type Client, createClient } from '@vitrine/client'
import type { Given } from '../command.ts'
import { readRuntimeConfig, serverOf } from './runtime-config.ts'
import { storedToken } from './stored-token.ts'

export type OpenedClient = {
  client: Client
  /** Features beyond the sixteen calls, as the server announced them. */
  features: readonly string[]
}

/**
 * A client of the server that is meant, with the token in the environment or a stored sign-in.
 * @throws CommandError when no server answers
 */
export async function openClient(given: Given): Promise<OpenedClient> {
  const { apiBaseUrl: baseUrl, features } = await readRuntimeConfig(await serverOf(given))
  const { VITRINE_TOKEN: environmentToken } = given.io.env
  const token = environmentToken ? () => environmentToken : storedToken(given.io, baseUrl)
  return { client: createClient({ baseUrl, token }), features }
}
