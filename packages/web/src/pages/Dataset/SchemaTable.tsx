import type { ShownField } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Table, type Column } from '../../ui/Table.tsx'

const columns: Column<ShownField>[] = [
  { key: 'name', header: 'field', rowHeader: true, cell: ({ name }) => name },
  { key: 'type', header: 'type', cell: ({ type }) => type },
  { key: 'limits', header: 'holds', cell: (field) => <Holds field={field} /> },
  {
    key: 'optional',
    header: 'required',
    cell: ({ optional }) => (optional === true ? 'no' : 'yes'),
  },
]

/** The schema for reading; its JSON stands beside it. */
export function SchemaTable({ schema }: { schema: readonly ShownField[] }) {
  return (
    <Table
      label="Fields"
      columns={columns}
      rows={schema}
      rowKey={({ name }) => name}
      expectedRows={0}
    />
  )
}

const choicesShown = 8

function choicesText(choices: readonly string[]): string {
  const shown = choices.slice(0, choicesShown).join(', ')
  const others = choices.length - choicesShown
  return others > 0 ? `${shown} and ${others} more` : shown
}

function Holds({ field: { length, target, mime, choices } }: { field: ShownField }) {
  if (target !== undefined) {
    return (
      <>
        an item of <Link to={paths.dataset(target)}>{target}</Link>
      </>
    )
  }
  if (mime !== undefined) return mime
  if (choices !== undefined) return choicesText(choices)
  if (length !== undefined) return `at most ${length.toLocaleString()} characters`
  return null
}
