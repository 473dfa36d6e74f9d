import type { ShownField } from '@vitrine/contract'
import { useMemo, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import type { Column } from '../../../ui/Table.tsx'
import { type ColumnChoice, chosenColumns, noChoice, withWidth } from './column-choice.ts'

export type Columns = {
  choice: ColumnChoice
  choose: (choice: ColumnChoice) => void
  /** Returns the fields that have a column, in the order of the columns. */
  fieldsOf: (schema: readonly ShownField[]) => ShownField[]
  /** Returns what was chosen for the column of a field. */
  columnOf: (name: string) => Pick<Column<never>, 'pinned' | 'resize'>
}

/** The columns of a dataset's items, as the one who is signed in chose them last in this browser. */
export function useColumns(datasetId: string): Columns {
  const user = useAuth().user?.profile.sub ?? ''
  const storage = useMemo(() => createKeptColumns(localStorage, user, datasetId), [user, datasetId])
  const [choice, setChoice] = useState(storage.read)
  return useMemo(() => {
    const choose = (next: ColumnChoice) => {
      setChoice(next)
      storage.write(next)
    }
    return {
      choice,
      choose,
      fieldsOf: (schema) =>
        chosenColumns(schema, choice).flatMap(({ field, isShown }) => (isShown ? [field] : [])),
      columnOf: (name) => ({
        pinned: choice.pinned.includes(name),
        resize: {
          name,
          width: choice.widths[name],
          onResize: (width) => choose(withWidth(choice, name, width)),
        },
      }),
    }
  }, [choice, storage])
}

type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The columns that one user chose for a dataset, in a browser's storage. */
export function createKeptColumns(keep: Keep, user: string, dataset: string) {
  const key = `vitrine.columns.${encodeURIComponent(user)} ${dataset}`
  return {
    read: (): ColumnChoice => {
      try {
        return choiceOf(JSON.parse(keep.getItem(key) ?? '{}'))
      } catch {
        return noChoice
      }
    },
    write: (choice: ColumnChoice) => {
      try {
        if (isNone(choice)) keep.removeItem(key)
        else keep.setItem(key, JSON.stringify(choice))
      } catch {
        // Storage that is full, or that the browser withholds: it stays as long as the page.
      }
    },
  }
}

function isNone({ order, hidden, pinned, widths }: ColumnChoice): boolean {
  return [order, hidden, pinned, Object.keys(widths)].every(({ length }) => length === 0)
}

function choiceOf(stored: Partial<Record<keyof ColumnChoice, unknown>>): ColumnChoice {
  const { order, hidden, pinned, widths } = stored
  const sizes = Object.entries(widths ?? {}).filter((size): size is [string, number] =>
    Number.isFinite(size[1]),
  )
  return {
    order: names(order),
    hidden: names(hidden),
    pinned: names(pinned),
    widths: Object.fromEntries(sizes),
  }
}

function names(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}
