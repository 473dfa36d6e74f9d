import { randomUUID } from 'node:crypto'
import { addItem, createClient, type CallInput, type Client } from '@vitrine/client'
import { png } from './png.ts'
import type { TestServer } from './server.ts'

/** Makes a repository with a picture, named `pictures`. */
export async function createPictures(client: Client): Promise<void> {
  const picture = { name: 'picture', type: 'binary', mime: 'image/png' }
  await client.repoCreate({ body: { name: 'pictures', schema: [picture] } })
  await addItem(client, 'pictures', { picture: new Blob([png], { type: 'image/png' }) })
}

/**
 * Has somebody with a name make a dataset.
 * @returns their subject
 */
export async function addNamedPerson({ url, issuer }: TestServer): Promise<string> {
  const subject = randomUUID()
  const token = await issuer.token({ sub: subject, name: 'Grace' })
  const client = createClient({ baseUrl: url, token: () => token })
  const word = { name: 'word', type: 'string', length: 20 }
  await client.repoCreate({ body: { name: `of-${subject}`, schema: [word] } })
  return subject
}

/** Begins an import into the repository `people`, whose file is to come, unless `options` say otherwise. */
export async function beginImport(client: Client, options: Partial<CallInput<'importBegin'>> = {}) {
  const begun = { datasetId: 'people', format: 'ndjson', complete: false, body: '' } as const
  const { key } = await client.importBegin({ ...begun, ...options })
  return { datasetId: 'people', importKey: key }
}

/** Begins an import that waits to be confirmed. */
export async function checkedImport(client: Client) {
  const named = await beginImport(client, { confirm: true, complete: true, body: '{"name":"Ada"}' })
  const { outcome = '' } = await client.importGet(named)
  return { ...named, outcome }
}
