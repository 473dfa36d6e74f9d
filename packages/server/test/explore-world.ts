import { addItem, ApiError, type Client, type NewValue } from '@vitrine/client'
import type { SchemaField } from '@vitrine/contract'
import { contents } from '../../contract/test/arbitraries.ts'
import {
  textOfSample,
  type SampleBinary,
  type SampleItem,
  type SampleValue,
  type World,
} from '../../contract/test/sample-world.ts'
import { png } from './png.ts'

/**
 * Brings a world about through the API. The server gives ids and moments, so other items may belong to
 * its views: an item that refers to one that is not in its view there is left out.
 */
export async function createWorld(client: Client, world: World): Promise<void> {
  const repoOf = new Map<string, string>()
  const idOf = new Map<string, number>()
  for (const dataset of world) {
    const { name } = dataset
    if ('view' in dataset) {
      repoOf.set(name, repoOf.get(dataset.view.base)!)
      await client.viewCreate({ body: dataset.view })
      continue
    }
    repoOf.set(name, name)
    const { schema } = dataset
    await client.repoCreate({ body: { name, schema } })
    for (const item of dataset.items) {
      const id = await addUnlessRefused(name, schema, item)
      if (id !== undefined) idOf.set(`${name} ${item.id}`, id)
    }
  }

  async function addUnlessRefused(
    repo: string,
    schema: readonly SchemaField[],
    { data }: SampleItem,
  ): Promise<number | undefined> {
    const values: Record<string, NewValue> = {}
    for (const field of schema) {
      const value = data[field.name]
      if (value === undefined) continue
      const sent = toSend(field, value)
      if (sent === undefined) return undefined
      values[field.name] = sent
    }
    try {
      return await addItem(client, repo, values)
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return undefined
      throw error
    }
  }

  function toSend(field: SchemaField, value: SampleValue): NewValue | undefined {
    switch (field.type) {
      case 'reference':
        return idOf.get(`${repoOf.get(field.target)} ${Number(value)}`)
      case 'binary': {
        // The bytes of an image must be those of one.
        const { mime, sha256 } = value as SampleBinary
        const bytes = contents.get(sha256)!
        return mime.startsWith('image/')
          ? new Blob([png, Uint8Array.from(bytes)], { type: 'image/png' })
          : new Blob([Uint8Array.from(bytes)], { type: mime })
      }
      default:
        return new Blob([textOfSample(value)])
    }
  }
}
