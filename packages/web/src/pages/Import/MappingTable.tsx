import { NativeSelect } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { ShownField } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import type { Sample, SampleRow, SampleValue } from '../../data/rows/sample.ts'
import { showBytes } from '../../ui/show-amounts.ts'
import { Table, type Column } from '../../ui/Table.tsx'
import type { SampleProblem } from './check-sample.ts'
import { columnTargets, type ColumnMapping } from './column-mapping.ts'
import classes from './MappingTable.module.css'

type Props = {
  sample: Sample
  /** Unit that its row numbers count. */
  counts: 'line' | 'row'
  schema: readonly ShownField[]
  mapping: ColumnMapping
  refused: readonly SampleProblem[]
  /** Targets about the items with which rows are matched. */
  aboutItems: readonly string[]
  onChange: (mapping: ColumnMapping) => void
}

const rowsShown = 8
/** More of a value is of no help in telling what its column is. */
const charactersShown = 80

/** The first rows of a file, and above each column what it is for. */
export function MappingTable(props: Props) {
  const { sample, counts, schema, mapping, refused, aboutItems, onChange } = props
  const { queries } = useApp()
  const targets = [...new Set(schema.flatMap(({ target }) => target ?? []))]
  const infos = useQueries({ queries: targets.map((target) => queries.datasetGet(target)) })
  const options = columnTargets(
    schema,
    (target) => infos[targets.indexOf(target)]?.data?.schema ?? [],
    aboutItems,
  )
  const reasonAt = new Map(
    refused.map(({ line, column, reason }) => [`${line} ${column ?? ''}`, reason]),
  )

  const columns = mappingColumns(sample.columns, { counts, options, mapping, reasonAt, onChange })
  return (
    <Table
      label="The first rows"
      columns={columns}
      rows={sample.rows.slice(0, rowsShown)}
      rowKey={({ line }) => line}
      expectedRows={rowsShown}
    />
  )
}

type Mapped = Pick<Props, 'counts' | 'mapping' | 'onChange'> & {
  options: readonly string[]
  /** Why a value would be refused, by its line and column. */
  reasonAt: ReadonlyMap<string, string>
}

function mappingColumns(
  names: readonly string[],
  { counts, options, mapping, reasonAt, onChange }: Mapped,
): Column<SampleRow>[] {
  return [
    { key: 'line', header: counts, rowHeader: true, cell: ({ line }) => line },
    ...names.map((name, index): Column<SampleRow> => {
      const target = mapping[name] ?? null
      return {
        key: `column ${index}`,
        header: (
          <span className={classes.head}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <NativeSelect
              size="xs"
              aria-label={`Column ${name}`}
              value={target ?? ''}
              data-unused={target === null || undefined}
              onChange={({ currentTarget }) =>
                onChange({
                  ...mapping,
                  [name]: currentTarget.value === '' ? null : currentTarget.value,
                })
              }
            >
              <option value="">leave out</option>
              {[...new Set([...options, ...(target === null ? [] : [target])])].map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </NativeSelect>
          </span>
        ),
        cell: ({ line, values }) => {
          const reason = reasonAt.get(`${line} ${name}`)
          return (
            <span
              className={classes.value}
              data-unused={target === null || undefined}
              data-wrong={reason !== undefined || undefined}
              title={reason}
            >
              {shown(values[index])}
            </span>
          )
        },
      }
    }),
  ]
}

function shown(value: SampleValue): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object' && 'unfit' in value) return value.unfit
  if (typeof value === 'object' && 'shown' in value) return value.shown
  if (typeof value === 'object' && 'bytes' in value) return showBytes(value.bytes)
  const text = typeof value === 'object' ? value.json : String(value)
  return text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text
}
