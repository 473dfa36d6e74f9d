import type { FieldSummary } from '@vitrine/contract'
import type { SummaryKind } from '../values/stored-type.ts'
import type { FieldFold, FoldedField, ValueCells } from './field-fold.ts'
import { foldBinaries } from './fold-binaries.ts'
import { foldCommonest } from './fold-commonest.ts'
import { foldNumbers } from './fold-numbers.ts'
import { foldTexts } from './fold-texts.ts'
import { foldTimes } from './fold-times.ts'

type Cell = string | number | null

export type FoldState = { items: number; fields: { present: number; state: object }[] }

/** Cells of a row that belong to a field of a kind. */
function cellsOf(kind: SummaryKind): number {
  return kind === 'binary' ? 3 : 1
}

// A state is what the same kind of fold has left, which the compiler does not see of a table.
const folds: Record<SummaryKind, (field: FoldedField, state: never) => FieldFold> = {
  plain: foldCommonest,
  text: foldTexts,
  number: foldNumbers,
  time: foldTimes,
  binary: foldBinaries,
}

/** Folds the items of a dataset into its summary, however they come in parts. */
export class Fold {
  readonly #fields: { field: FoldedField; at: number; present: number; fold: FieldFold }[]
  #items: number

  /** Fields that the state does not have yet are missing in the items that it has. */
  constructor(fields: readonly FoldedField[], state?: FoldState) {
    let at = 0
    this.#items = state?.items ?? 0
    this.#fields = fields.map((field, index) => {
      const { present = 0, state: known } = state?.fields[index] ?? {}
      const from = at
      at += cellsOf(field.kind)
      return { field, at: from, present, fold: folds[field.kind](field, known as never) }
    })
  }

  get items(): number {
    return this.#items
  }

  get state(): FoldState {
    const fields = this.#fields.map(({ present, fold: { state } }) => ({ present, state }))
    return { items: this.#items, fields }
  }

  /** Takes in rows of the cells of all fields, in their order. */
  add(rows: readonly (readonly Cell[])[]): void {
    this.#items += rows.length
    for (const each of this.#fields) {
      const { field, at, fold } = each
      const end = at + cellsOf(field.kind)
      for (const row of rows) {
        if (row[at] === null) continue
        each.present += 1
        fold.add(row.slice(at, end) as ValueCells)
      }
    }
  }

  fields(): FieldSummary[] {
    return this.#fields.map(({ field: { name, type }, present, fold }) => {
      const summary = fold.summary()
      const missing = this.#items - present
      // An estimate may be more than there are.
      const distinct = Math.min(summary.distinct, present)
      return { name, type, present, missing, ...summary, distinct }
    })
  }
}
