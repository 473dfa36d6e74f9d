import type { DatasetInfo, Item, SchemaField } from '@vitrine/contract'
import type { DatasetLookup } from '../src/describe/suggest/suggest.ts'

const schemas: Record<string, SchemaField[]> = {
  photos: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/png' },
  ],
  people: [
    { name: 'name', type: 'string', length: 80 },
    { name: 'boss', type: 'reference', target: 'people', optional: true },
  ],
}

/** Knows two repositories, photos and the people who took them. */
export const photoLookup: DatasetLookup = {
  names: async () => Object.keys(schemas),
  info: async (name): Promise<DatasetInfo | undefined> => {
    const schema = schemas[name]
    const createdAt = '2026-01-01T00:00:00.000Z'
    return schema && { name, createdAt, schema, repo: {}, referencesTo: [], referencedBy: [] }
  },
  items: async (name): Promise<Item[]> =>
    name === 'people'
      ? [
          { id: 1, data: { name: 'Ada: the first' } },
          { id: 2, data: { name: 'Frances Spence', boss: 1 } },
          { id: 4, data: { name: '1984', boss: 2 } },
          { id: 5, data: { name: 'Frances Spence' } },
        ]
      : [],
}
