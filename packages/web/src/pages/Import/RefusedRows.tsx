import { useQuery } from '@tanstack/react-query'
import type { Refusal } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { DownloadButton } from '../../values/binary/DownloadButton.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { fileNameOf } from './file-key.ts'
import classes from './RefusedRows.module.css'

const columns: Column<Refusal>[] = [
  { key: 'row', header: 'row', rowHeader: true, cell: ({ row }) => row.toLocaleString() },
  { key: 'line', header: 'line', cell: ({ line }) => line?.toLocaleString() },
  { key: 'field', header: 'field', cell: ({ field }) => field },
  {
    key: 'reason',
    header: 'reason',
    cell: ({ reason }) => <span className={classes.reason}>{reason}</span>,
  },
]

type Props = { repo: string; importKey: string; count: number }

/** Which rows were refused, and why: the first of them, and the report of all. */
export function RefusedRows({ repo, importKey, count }: Props) {
  const { client, queries } = useApp()
  const { data, error, refetch } = useQuery(queries.importReport(repo, importKey))
  // A row may have been refused for several reasons, each on a line of its own.
  const shownRows = data === undefined ? count : new Set(data.map(({ row }) => row)).size
  const hasLines = data?.some(({ line }) => line !== null)
  return (
    <div className={classes.refused} data-lines={hasLines || undefined}>
      <div className={classes.head}>
        <h2>
          {count === 1 ? 'One row was refused' : `${count.toLocaleString()} rows were refused`}
        </h2>
        <DownloadButton
          content={() => client.importReport({ datasetId: repo, importKey, format: 'csv' })}
          fileName={`${fileNameOf(importKey)}-refused.csv`}
        />
      </div>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {error === null && (
        <Table
          label="Refused rows"
          columns={columns}
          rows={data}
          rowKey={({ row, field, reason }) => `${row} ${field} ${reason}`}
          expectedRows={Math.min(count, 5)}
        />
      )}
      {shownRows < count && (
        <p className={classes.more}>
          These are the first {shownRows.toLocaleString()}. The report has all of them.
        </p>
      )}
    </div>
  )
}
