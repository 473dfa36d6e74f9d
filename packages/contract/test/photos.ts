import type { SchemaField } from '../src/index.ts'

/** Repositories that refer to each other, and a view that others can be built on. */
const schemas: Record<string, SchemaField[]> = {
  countries: [
    { name: 'code', type: 'string', length: 2 },
    { name: 'flag', type: 'binary', mime: 'image/png', optional: true },
  ],
  people: [
    { name: 'name', type: 'string', length: 80 },
    { name: 'country', type: 'reference', target: 'countries', optional: true },
    { name: 'boss', type: 'reference', target: 'people', optional: true },
  ],
  photos: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/*' },
    { name: 'notes', type: 'string', length: 2000, optional: true },
  ],
}

export const resolve = (name: string): SchemaField[] | undefined => schemas[name]
