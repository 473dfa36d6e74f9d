import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import { type Inferred, doubtText } from '@vitrine/rows/describe/describe-rows'
import type { InferredColumn } from '@vitrine/rows/describe/infer-fields'
import { useMemo } from 'react'
import type { SchemaField } from '@vitrine/contract'
import { type YAMLMap, isMap, isSeq, parseDocument, stringify } from 'yaml'
import { type Column, Table } from '../../ui/Table.tsx'
import type { TextChange } from '../editor/YamlEditor.tsx'
import classes from './ColumnTypes.module.css'

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

/** Returns the types of the fields of a description, by their names. */
export function fieldTypes(text: string): ReadonlyMap<string, string> {
  return new Map([...fieldNodes(text)].map(([name, node]) => [name, textOf(node, 'type')]))
}

/** The change of a description that gives a field another type; undefined where it has no such field. */
export function typeChange(text: string, field: SchemaField): TextChange | undefined {
  const node = fieldNodes(text).get(field.name)
  if (node === undefined) return undefined
  const { type: _type, length: _length, ...others } = node.toJSON() as Record<string, unknown>
  const { name, optional: _optional, ...typed } = field
  const written = stringify(
    { name, ...typed, ...others },
    { collectionStyle: 'flow', lineWidth: 0 },
  )
  const [from, end] = node.range!
  // What follows a mapping of several lines belongs to its range.
  return { from, to: from + text.slice(from, end).trimEnd().length, insert: written.trim() }
}

function fieldNodes(text: string): ReadonlyMap<string, YAMLMap> {
  const schema = parseDocument(text).get('schema')
  const nodes = isSeq(schema) ? schema.items.filter((item) => isMap(item)) : []
  return new Map(nodes.map((node) => [textOf(node, 'name'), node]))
}

function textOf(node: YAMLMap, key: string): string {
  const value: unknown = node.get(key)
  return typeof value === 'string' ? value : ''
}
