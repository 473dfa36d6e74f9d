import type { Refusal, ShownField } from '@vitrine/contract'
import { Table, type Column } from '../../ui/Table.tsx'
import { checkEntry } from '../../values/entry.ts'
import inputClasses from '../../values/EditString.module.css'
import { withCorrection, type Corrections } from './corrections.ts'
import classes from './RefusedRows.module.css'

export type Correcting = {
  schema: readonly ShownField[]
  corrections: Corrections
  onChange: (corrections: Corrections) => void
}

type Props = {
  /** Undefined until they are loaded. */
  refusals: readonly Refusal[] | undefined
  expectedRows: number
  /** Left out where rows are shown only. */
  correcting: Correcting | undefined
}

/** Rows that were refused, each with the value and the reason; the value is an input where it can be corrected. */
export function RefusedTable({ refusals, expectedRows, correcting }: Props) {
  const hasLines = refusals?.some(({ line }) => line !== null)
  return (
    <div className={classes.rows} data-lines={hasLines || undefined}>
      <Table
        label="Refused rows"
        columns={refusedColumns(correcting)}
        rows={refusals}
        rowKey={({ row, field, reason }) => `${row} ${field} ${reason}`}
        expectedRows={expectedRows}
      />
    </div>
  )
}

function refusedColumns(correcting: Correcting | undefined): Column<Refusal>[] {
  return [
    { key: 'row', header: 'row', rowHeader: true, cell: ({ row }) => row.toLocaleString() },
    { key: 'line', header: 'line', cell: ({ line }) => line?.toLocaleString() },
    { key: 'field', header: 'field', cell: ({ field }) => field },
    {
      key: 'value',
      header: 'value',
      cell: (refusal) => {
        const at = correcting && correctable(refusal, correcting.schema)
        return (
          <>
            {at === undefined ? (
              <bdi className={classes.value}>{refusal.value}</bdi>
            ) : (
              <ValueInput {...at} refusal={refusal} correcting={correcting!} />
            )}
            <div className={classes.below}>
              <Reason refusal={refusal} correcting={correcting} />
            </div>
          </>
        )
      },
    },
    {
      key: 'reason',
      header: 'reason',
      cell: (refusal) => <Reason refusal={refusal} correcting={correcting} />,
    },
  ]
}

type ReasonProps = { refusal: Refusal; correcting: Correcting | undefined }

/** Why a value was refused, or what is wrong with its correction. */
function Reason({ refusal, correcting }: ReasonProps) {
  const at = correcting && correctable(refusal, correcting.schema)
  const value = at && correcting.corrections[at.line]?.[at.field.name]
  const reason = value === undefined ? refusal.reason : problemOf(at!.field, value)
  return (
    <span className={classes.reason} data-corrected={reason === undefined || undefined}>
      {reason ?? 'corrected'}
    </span>
  )
}

type Place = { line: number; field: ShownField }

/** A value that stands on a line of its own and is written as text. */
function correctable({ line, field: name }: Refusal, schema: readonly ShownField[]) {
  const field = schema.find((each) => each.name === name)
  const isPlace = line !== null && field !== undefined && field.type !== 'binary'
  return isPlace ? { line, field } : undefined
}

/** Checks a correction; only the server knows what a reference leads to. */
function problemOf(field: ShownField, value: string): string | undefined {
  return field.type === 'reference' && value !== '' ? undefined : checkEntry(field, value)
}

function ValueInput({
  line,
  field,
  refusal,
  correcting: { corrections, onChange },
}: Place & { refusal: Refusal; correcting: Correcting }) {
  const before = refusal.value ?? ''
  const value = corrections[line]?.[field.name]
  return (
    <input
      className={`${inputClasses.input} ${classes.input}`}
      aria-label={`${field.name} on line ${line}`}
      aria-invalid={problemOf(field, value ?? before) !== undefined}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="auto"
      value={value ?? before}
      onChange={({ currentTarget: { value: next } }) => {
        const at = { line, field: field.name, value: next === before ? undefined : next }
        onChange(withCorrection(corrections, at))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // As in a spreadsheet.
        event.preventDefault()
        const inputs = [...event.currentTarget.closest('table')!.querySelectorAll('input')]
        inputs[inputs.indexOf(event.currentTarget) + 1]?.focus()
      }}
    />
  )
}
