import { datasetNamePattern, datasetNameReason, noId, readId } from '../repo/names.ts'
import { quote } from '../problems.ts'
import { readItemId } from './measured.ts'
import {
  type FieldOf,
  type Read,
  type TextType,
  accept,
  comparisons,
  refuse,
  shortBytes,
  countInput,
} from './type-definition.ts'

export type ReferenceField = FieldOf<'reference'> & {
  /** The dataset whose item ids are the values. */
  target: string
}

export const reference: TextType<ReferenceField, number> = {
  noun: 'a reference',
  summary: 'the id of an item of another dataset, or of this one',
  description: (z) => ({
    target: z.string().check(z.regex(datasetNamePattern, datasetNameReason)),
  }),
  shape: (z) => ({ target: z.string() }),
  changes: (before, after) =>
    before.target === after.target
      ? []
      : [
          {
            change: `target ${quote(after.target)} instead of ${quote(before.target)}`,
            reason: `values are ids of items of ${quote(before.target)}`,
          },
        ],
  isOrdered: true,
  inferred: undefined,
  scale: 'name',
  operandInput: { ...countInput, example: 'the id of an item' },
  operators: [...comparisons, 'empty'],
  literal: readItemId,
  text: {
    cell: 'integer',
    toCell: (id) => id,
    fromCell: Number,
    toText: String,
    fromText: readReference,
    fromFile: readReference,
    forms: 'the id of an item in decimal digits',
    maxBytes: shortBytes,
    tooLong: () => noId,
  },
}

function readReference(input: unknown): Read<number> {
  const id = readId(String(input))
  return id === undefined ? refuse(noId) : accept(id)
}
