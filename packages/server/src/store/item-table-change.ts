import type { SchemaField } from '@vitrine/contract'
import { columnsOf, type ItemColumn } from './items.ts'

/** Change of an item table by the extension of its schema. */
export type ItemTableChange = {
  id: number
  /** The extended schema. */
  schema: readonly SchemaField[]
  /** The index of the first field that is new. */
  from: number
  /** The indexes of fields that were required and are optional now. */
  relaxed: readonly number[]
}

/** The columns that are new, and those that may be empty from now on. */
export function changedColumns({ schema, from, relaxed }: ItemTableChange): {
  added: ItemColumn[]
  relaxed: ItemColumn[]
} {
  return {
    added: schema.flatMap((field, index) => (index < from ? [] : columnsOf(field, index))),
    relaxed: relaxed.flatMap((index) => columnsOf(schema[index]!, index)),
  }
}
