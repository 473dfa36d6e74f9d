import { schemaField, type DatasetInfo, type SchemaField } from '@vitrine/contract'
import type { DatasetLookup } from './suggest.ts'

/**
 * Finds the schema of a dataset; undefined when there is no such dataset, and when it has a field of an
 * unknown type, as nothing is known of how that can be used.
 */
export function schemaLookup(lookup: Pick<DatasetLookup, 'info'>) {
  return async (dataset: string): Promise<SchemaField[] | undefined> => {
    const info = await lookup.info(dataset)
    return info && knownSchema(info)
  }
}

function knownSchema({ schema }: DatasetInfo): SchemaField[] | undefined {
  const fields = schema.map((field) => schemaField.safeParse(field))
  return fields.every((field) => field.success) ? fields.map(({ data }) => data) : undefined
}
