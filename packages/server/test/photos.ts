import { createHash } from 'node:crypto'
import { addItem, ApiError } from '@vitrine/client'
import { expect } from 'vitest'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

export type FormValue = string | Blob | Uint8Array<ArrayBuffer>

export const sha256 = (value: string | Uint8Array) =>
  createHash('sha256').update(value).digest('hex')

export const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])

/** Values of a photo that conform, and what signs them off. */
export const photo = () => ({
  title: 'Cat',
  by: '1',
  image: new Blob([png], { type: 'image/png' }),
})
export const photoIntegrity = {
  title: { sha256: sha256('Cat') },
  by: { sha256: sha256('1') },
  image: { sha256: sha256(png) },
}

export function form(values: Record<string, FormValue> | [string, FormValue][]): FormData {
  const made = new FormData()
  for (const [name, value] of Array.isArray(values) ? values : Object.entries(values)) {
    made.append(name, value instanceof Uint8Array ? new Blob([value]) : value)
  }
  return made
}

/** A server with one person, item 1 of `people`, and the repository `photos`. */
export async function startPhotoServer(
  env: Record<string, string> = {},
  options: TestServerOptions = {},
) {
  const server = await startTestServer(env, options)
  const { client } = server
  await client.repoCreate({
    body: { name: 'people', schema: [{ name: 'name', type: 'string', length: 20 }] },
  })
  await client.repoCreate({
    body: {
      name: 'photos',
      schema: [
        { name: 'title', type: 'string', length: 5 },
        { name: 'by', type: 'reference', target: 'people' },
        { name: 'image', type: 'binary', mime: 'image/png' },
        { name: 'notes', type: 'string', length: 1000, optional: true },
        { name: 'raw', type: 'binary', mime: 'image/*', optional: true },
      ],
    },
  })
  await addItem(client, 'people', { name: 'Ada' })
  return { ...server, ...steps(server) }
}

/** The three steps, of `photos` unless said otherwise. */
function steps({ client }: TestServer) {
  return {
    begin: async (datasetId = 'photos') => (await client.insertBegin({ datasetId })).id,
    upload: (itemId: number, body: FormData, datasetId = 'photos') =>
      client.insertUpload({ datasetId, itemId, body }),
    put: (itemId: number, fieldName: string, body: BodyInit, datasetId = 'photos') =>
      client.insertFieldUpload({ datasetId, itemId, fieldName, body }),
    commit: (itemId: number, integrity: object, datasetId = 'photos') =>
      client.insertCommit({ datasetId, itemId, body: { integrity } }),
    get: (itemId: number, datasetId = 'photos') => client.datasetItemGet({ datasetId, itemId }),
    /** Holds that nobody can see an item. */
    expectUnseen: async (itemId: number, datasetId = 'photos') => {
      const { totalItems } = await client.datasetCount({ datasetId })
      const items = await client.datasetItemList({ datasetId, pageSize: 1000 })
      expect(items.map(({ id }) => id)).not.toContain(itemId)
      expect(items).toHaveLength(totalItems)
      await expect(client.datasetItemGet({ datasetId, itemId })).rejects.toMatchObject({
        status: 404,
      })
    },
  }
}

export type PhotoServer = Awaited<ReturnType<typeof startPhotoServer>>

/** Status, code and, field by field, the reasons of a refusal. */
export async function refusal(promise: Promise<unknown>): Promise<object> {
  const error = await promise.then(
    (value) => expect.fail(`was not refused: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw error
  const { status, code, problems } = error
  return problems.length > 0 ? { status, code, problems } : { status, code }
}
