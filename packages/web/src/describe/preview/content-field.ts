import { dataAt } from '../suggest/yaml-place.ts'

/** Finds the base's name of a field of a described view; undefined for one that follows references. */
export function contentField(description: unknown, name: string): string | undefined {
  const fields = dataAt(description, ['fields'])
  if (!Array.isArray(fields)) return name
  const picked: unknown = fields.find((field) => dataAt(field, ['name']) === name)
  const from = picked === undefined ? name : dataAt(picked, ['from'])
  return typeof from === 'string' && !from.includes('.') ? from : undefined
}
