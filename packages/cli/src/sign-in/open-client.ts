import { type Client, createClient } from '@vitrine/client'
import { type Feature, limits } from '@vitrine/contract'
import type { Invocation } from '../command/command.ts'
import { readRuntimeConfig, serverOf, type serverOptions } from './runtime-config.ts'
import { storedToken } from './stored-token.ts'

export type OpenedClient = {
  client: Client
  /** Features beyond the sixteen calls, as the server announced them. */
  features: readonly Feature[]
}

/**
 * A client of the server that is meant, with the token in the environment or a stored sign-in.
 * @throws CommandError when no server answers
 */
export async function openClient(
  invocation: Invocation<typeof serverOptions>,
): Promise<OpenedClient> {
  const { apiBaseUrl: baseUrl, features } = await readRuntimeConfig(await serverOf(invocation))
  const { VITRINE_TOKEN: environmentToken } = invocation.io.env
  const token = environmentToken ? () => environmentToken : storedToken(invocation.io, baseUrl)
  return { client: createClient({ baseUrl, token }), features }
}

export type Page = { page: number; pageSize: number }

/** The entries of a list, page by page as they are asked for. */
export async function* pagesOf<T>(
  list: (input: Page) => Promise<T[]>,
): AsyncGenerator<T, void, undefined> {
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    const entries = await list({ page, pageSize })
    yield* entries
    if (entries.length < pageSize) return
  }
}
