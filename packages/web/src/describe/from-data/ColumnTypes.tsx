import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import { doubtText, type Inferred } from '@vitrine/rows/describe-rows'
import type { InferredColumn } from '@vitrine/rows/infer-fields'
import { useMemo } from 'react'
import { Table, type Column } from '../../ui/Table.tsx'
import type { TextChange } from '../editor/YamlEditor.tsx'
import classes from './ColumnTypes.module.css'
import { fieldTypes, typeChange } from './field-types.ts'

type Props = {
  inferred: Inferred
  /** The description, which has the types. */
  text: string
  onChange: (change: TextChange) => void
}

/** The columns of a file with the types of their fields, and what speaks against one. */
export function ColumnTypes({ inferred, text, onChange }: Props) {
  const types = useMemo(() => fieldTypes(text), [text])
  const choose = (column: InferredColumn, type: string) => {
    const field = fieldsOf(column).find((each) => each.type === type)
    const change = field && typeChange(text, field)
    if (change !== undefined) onChange(change)
  }
  const { counts, columns } = inferred
  return (
    <Table
      label="Columns of the file"
      columns={typeColumns({ types, counts, choose })}
      rows={columns.filter(({ column }) => column !== 'id' && column !== 'createdAt')}
      rowKey={({ column }) => column}
      expectedRows={columns.length}
    />
  )
}

type Options = {
  types: ReadonlyMap<string, string>
  counts: Inferred['counts']
  choose: (column: InferredColumn, type: string) => void
}

function typeColumns({ types, counts, choose }: Options): Column<InferredColumn>[] {
  return [
    {
      key: 'column',
      header: 'column',
      rowHeader: true,
      cell: ({ column }) => <bdi className={classes.name}>{column}</bdi>,
    },
    {
      key: 'type',
      header: 'type',
      cell: (column) => {
        const { field } = column
        const type = field && types.get(field.name)
        if (field === undefined || type === undefined)
          return <span className={classes.none}>none</span>
        const offered = new Set([...fieldsOf(column).map((each) => each.type), type])
        if (offered.size === 1) return type
        return (
          <NativeSelect
            className={classes.type}
            size="xs"
            aria-label={`Type of ${column.column}`}
            value={type}
            data={[...offered]}
            onChange={({ currentTarget }) => choose(column, currentTarget.value)}
          />
        )
      },
    },
    {
      key: 'note',
      header: 'note',
      cell: (column) => {
        const { doubt, missing, leftOut, field } = column
        if (leftOut !== undefined) return <div className={classes.note}>left out: {leftOut}</div>
        const type = field && types.get(field.name)
        if (field !== undefined && type === undefined) return 'not in the description'
        return (
          <div className={classes.note}>
            {doubt !== undefined && (
              <>
                <span className={classes.doubt}>{doubtText(doubt, counts)}</span>
                {[doubt.type, 'string'].map((each) => (
                  <Button
                    key={each}
                    className={classes.choice}
                    variant="default"
                    size="compact-xs"
                    aria-pressed={type === each}
                    onClick={() => choose(column, each)}
                  >
                    As {each === 'string' ? 'text' : each}
                  </Button>
                ))}
              </>
            )}
            {missing > 0 && `absent in ${missing.toLocaleString()}`}
          </div>
        )
      },
    },
  ]
}

function fieldsOf({ field, others = [] }: InferredColumn) {
  return field === undefined ? [] : [field, ...others]
}
