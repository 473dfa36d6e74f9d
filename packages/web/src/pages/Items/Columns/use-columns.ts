import type { ShownField } from '@vitrine/contract'
import { useMemo, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import type { Column } from '../../../ui/Table.tsx'
import { chosenColumns, withWidth, type ColumnChoice } from './column-choice.ts'
import { createKeptColumns } from './kept-columns.ts'

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
  const kept = useMemo(() => createKeptColumns(localStorage, user, datasetId), [user, datasetId])
  const [choice, setChoice] = useState(kept.read)
  return useMemo(() => {
    const choose = (next: ColumnChoice) => {
      setChoice(next)
      kept.write(next)
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
  }, [choice, kept])
}
