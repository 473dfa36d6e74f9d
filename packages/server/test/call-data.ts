import { randomUUID } from 'node:crypto'
import { addItem, createClient, type Client } from '@vitrine/client'
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
