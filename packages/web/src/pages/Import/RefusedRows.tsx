import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { DownloadButton } from '../../values/binary/DownloadButton.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { fileNameOf } from './file-key.ts'
import classes from './RefusedRows.module.css'
import { RefusedTable, type Correcting } from './RefusedTable.tsx'

type Props = {
  repo: string
  importKey: string
  count: number
  correcting?: Correcting | undefined
}

/** Refused rows with the reasons: the first of them, and the report of all. */
export function RefusedRows({ repo, importKey, count, correcting }: Props) {
  const { client, queries } = useApp()
  const { data, error, refetch } = useQuery(queries.importReport(repo, importKey))
  // A row may have been refused for several reasons, each on a line of its own.
  const shownRows = data === undefined ? count : new Set(data.map(({ row }) => row)).size
  return (
    <div className={classes.refused}>
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
        <RefusedTable refusals={data} expectedRows={Math.min(count, 5)} correcting={correcting} />
      )}
      {shownRows < count && (
        <p className={classes.more}>
          These are the first {shownRows.toLocaleString()}. The report has all of them.
        </p>
      )}
    </div>
  )
}
