import type { FieldSummary, FieldType } from '@vitrine/contract'
import type { SummaryKind } from '../values/stored-type.ts'

/** A field as the thread that folds knows it. */
export type FoldedField = {
  name: string
  type: FieldType
  kind: SummaryKind
  /** Whether it is a text with choices, whose order is theirs. */
  hasChoices: boolean
}

/** Cells of one value, none of them missing: the value, and of a binary its media type and size. */
export type ValueCells = [value: string | number, mime?: string, size?: number]

/** Takes in the values of one field, one after the other. */
export type FieldFold = {
  /** Copied by the structured clone algorithm, it is what another fold goes on from. */
  state: object
  add: (cells: ValueCells) => void
  summary: () => Omit<FieldSummary, 'name' | 'type' | 'present' | 'missing'>
}
