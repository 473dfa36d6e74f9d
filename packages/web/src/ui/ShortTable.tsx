import { Button } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import classes from './ShortTable.module.css'
import { Table } from './Table.tsx'

/** Rows shown at first. */
const shownAtFirst = 8

/** A table on a page of other things: its first rows, and the others at the press of a button. */
export function ShortTable<Row>({ rows, ...table }: ComponentProps<typeof Table<Row>>) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows?.slice(0, shownAtFirst)
  return (
    <>
      <Table {...table} rows={shown} stacks />
      {rows !== undefined && shown !== undefined && shown.length < rows.length && (
        <Button
          variant="default"
          size="compact-sm"
          className={classes.more}
          onClick={() => setWhole(true)}
        >
          Show all {rows.length}
        </Button>
      )}
    </>
  )
}
