import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Table } from '../../ui/Table.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditExport } from './AuditExport.tsx'
import { AuditFilterBar } from './AuditFilterBar.tsx'
import classes from './AuditPage.module.css'
import { auditSearchKeys, filtersOf, readAuditSearch, type AuditSearch } from './audit-search.ts'
import { ChainCheck } from './ChainCheck.tsx'

/** Audit log of the installation, for its administrators. */
export function AuditPage() {
  const { queries } = useApp()
  const who = useQuery(queries.whoAmI())
  return (
    <>
      <PageHeader title="Audit" actions={who.data?.isAdministrator === true && <AuditExport />} />
      {who.error !== null && <ErrorBox error={who.error} onRetry={() => void who.refetch()} />}
      {who.data?.isAdministrator === false && (
        <EmptyState text="The audit log is for administrators of this installation." />
      )}
      {who.data?.isAdministrator === true && <AuditLog />}
    </>
  )
}

function AuditLog() {
  const { queries } = useApp()
  const [params, setParams] = useSearchParams()
  const search = useMemo(() => readAuditSearch(params), [params])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    queries.auditList(filtersOf(search)),
  )
  const isFiltered = auditSearchKeys.some((key) => search[key] !== '')
  const ask = (changed: Partial<AuditSearch>) =>
    setParams(
      () => {
        const next = { ...search, ...changed }
        return auditSearchKeys.flatMap((key): [string, string][] =>
          next[key] === '' ? [] : [[key, next[key]]],
        )
      },
      { replace: true, preventScrollReset: true },
    )
  const entries = data?.pages.flat()
  // With the rows, which the table renders in pieces: before them it would be pushed down by them.
  const hasOlder = useDeferredValue(hasNextPage)
  return (
    <div className={classes.log}>
      <AuditFilterBar search={search} onAsk={ask} />
      <ChainCheck />
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {entries?.length === 0 ? (
        <EmptyState
          text={isFiltered ? 'No entry is like that.' : 'Nothing was done yet that is kept here.'}
        >
          {isFiltered && (
            <Button variant="default" onClick={() => setParams([])}>
              Show all entries
            </Button>
          )}
        </EmptyState>
      ) : (
        (entries !== undefined || error === null) && (
          <Table
            label="Audit log"
            columns={auditColumns}
            rows={entries}
            rowKey={({ number }) => number}
            expectedRows={10}
            stacks
          />
        )
      )}
      {hasOlder && (
        <div>
          <Button
            variant="default"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Older entries
          </Button>
        </div>
      )}
    </div>
  )
}
