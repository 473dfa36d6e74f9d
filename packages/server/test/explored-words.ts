import { addItem } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import { sql } from 'kysely'
import type { StartOptions } from '../src/start.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Starts a server with four words, one of them by a person, and a view on them. */
export async function startWords(options: StartOptions = {}): Promise<TestServer> {
  const server = await startTestServer({}, { ...options, restarts: true })
  const { client } = server
  await client.repoCreate({ body: { name: 'people', schema: [{ name: 'name', type: 'string' }] } })
  await client.repoCreate({
    body: {
      name: 'words',
      schema: [
        { name: 'word', type: 'string' },
        { name: 'by', type: 'reference', target: 'people', optional: true },
        { name: 'sound', type: 'binary', mime: 'audio/*', optional: true },
      ],
    },
  })
  await addItem(client, 'people', { name: 'Ana' })
  for (const word of ['one', 'two', 'three', 'four']) {
    await addItem(client, 'words', word === 'two' ? { word, by: 1 } : { word })
  }
  await client.viewCreate({
    body: { name: 'long', base: 'words', where: longer(3), order: 'word' },
  })
  return server
}

export const longer = (length: number) => ({ word: { length: { gt: length } } })
export const withO: Exploration['where'] = { word: { contains: 'o' } }

/** Counts the listings that are kept for what was asked, those of views aside. */
export function keptExplorations({ database }: TestServer): Promise<number> {
  return database.use(async ({ reads }) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from listings where exploration <> '' and state <> 'dropped'
    `.execute(reads)
    return rows[0]!.n
  })
}
