import { plainText } from '@vitrine/contract'
import { createHash } from 'node:crypto'
import { ApiError, type Client } from '@vitrine/client'
import type { Store } from '../src/store/store.ts'
import type { TestServer } from './server.ts'

/** Values of an upload: a text that conforms or is too long, and a file that every insert may share. */
export type Values = { title?: string; file?: string }

type Insert = { state: 'open' | 'expired' | 'committed'; values: Values }

/** Model of what must be true: inserts by id, and the committed ones in their order. */
export type Model = { inserts: Map<number, Insert>; committed: number[] }

export type Real = { server: TestServer; store: Store }

export const datasetId = 'things'
export const titleMax = 5

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The code of a refusal, or `done`. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'done'
  } catch (error) {
    if (error instanceof ApiError && error.code !== undefined) return error.code
    throw error
  }
}

/** Returns the outcome that an upload must have. */
export function uploadOutcome(insert: Insert, values: Values): string {
  if (insert.state === 'committed') return 'INSERT_COMMITTED'
  if (insert.state === 'expired') return 'INSERT_EXPIRED'
  return (values.title?.length ?? 0) > titleMax ? 'DATA_NOT_CONFORMING' : 'done'
}

/** Returns the outcome that a commit which signs off `signed` must have. */
export function commitOutcome({ state, values }: Insert, signed: Values): string {
  const isSame = values.title === signed.title && values.file === signed.file
  if (state === 'committed') return isSame ? 'done' : 'INSERT_COMMITTED'
  if (state === 'expired') return 'INSERT_EXPIRED'
  const signsOther = Object.keys(signed).toSorted().join() !== Object.keys(values).toSorted().join()
  if (signsOther || values.title === undefined) return 'DATA_NOT_CONFORMING'
  return isSame ? 'done' : 'INTEGRITY_MISMATCH'
}

export function sendValues(client: Client, itemId: number, values: Values): Promise<unknown> {
  const body = new FormData()
  if (values.title !== undefined) body.append('title', values.title)
  if (values.file !== undefined)
    body.append('file', new Blob([values.file], { type: 'text/plain' }))
  return client.insertUpload({ datasetId, itemId, body })
}

export function sendCommit(client: Client, itemId: number, signed: Values): Promise<unknown> {
  const integrity = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name, { sha256: sha256(value) }]),
  )
  return client.insertCommit({ datasetId, itemId, body: { integrity } })
}

/** Everything that anybody can see of the data: ids and values, in commit order. */
export async function visible({ server }: Real): Promise<{ id: number; values: Values }[]> {
  const { totalItems } = await server.client.datasetCount({ datasetId })
  const items = await server.client.datasetItemList({ datasetId, pageSize: 1000 })
  if (items.length !== totalItems) throw new Error(`${items.length} items of ${totalItems}`)
  const seen: { id: number; values: Values }[] = []
  for (const { id, data } of items) {
    const values: Values = { title: plainText(data['title']!) }
    if (data['file'] !== undefined) {
      const bytes = await server.client.datasetFieldGet({
        datasetId,
        itemId: id,
        fieldName: 'file',
      })
      values.file = await bytes.text()
    }
    seen.push({ id, values })
  }
  return seen
}

export function expected({ inserts, committed }: Model): { id: number; values: Values }[] {
  return committed.map((id) => ({ id, values: inserts.get(id)?.values ?? {} }))
}
