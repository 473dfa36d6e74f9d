import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { importedRows, type ImportState } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { importsChanged, itemsChanged } from '../../data/changes.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes, showItems } from '../../ui/show-amounts.ts'
import { Table, type Column } from '../../ui/Table.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { fileKeyOf, fileNameOf } from './file-key.ts'
import { ConfirmDifference, differenceText } from './ImportDifference.tsx'
import { ImportEnd } from './ImportEnd.tsx'
import classes from './ImportScreen.module.css'
import type { CorrectionStore } from './use-corrections.ts'

/** Seconds for which a confirmed import is waited for before the list shows how far it is. */
const confirmWait = 20

type Props = {
  repo: string
  /** The key of the one that is under way here and shown by itself: what the list knows of it is old. */
  except: string | undefined
  store: CorrectionStore
}

/** The latest imports of the person into a repository, each with its state. */
export function ImportList({ repo, except, store }: Props) {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(queries.importList(repo))
  const imports = data?.filter(({ key }) => key !== except)
  const [opened, setOpened] = useState<ImportState>()
  const [toCancel, setToCancel] = useState<string>()
  const cancelling = useMutation({
    mutationFn: (importKey: string) => client.importCancel({ datasetId: repo, importKey }),
    onSettled: () => importsChanged(queryClient),
  })
  const confirming = useMutation({
    mutationFn: ({ key: importKey, outcome = '' }: ImportState) =>
      client.importConfirm({ datasetId: repo, importKey, outcome, wait: confirmWait }),
    onSettled: async () => {
      await importsChanged(queryClient)
      await itemsChanged(queryClient)
    },
  })
  const close = () => setOpened(undefined)
  const columns = importColumns({ onCancel: setToCancel, onOpen: setOpened, store })
  return (
    <>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {cancelling.error !== null && <ErrorBox error={cancelling.error} />}
      {confirming.error !== null && <ErrorBox error={confirming.error} />}
      {imports?.length === 0 ? (
        <p className={classes.about}>
          {data?.length === 0
            ? 'You imported nothing in the last thirty days.'
            : 'You imported nothing else in the last thirty days.'}
        </p>
      ) : (
        error === null && (
          <Table
            label="Imports"
            columns={columns}
            rows={imports}
            rowKey={({ key }) => key}
            expectedRows={3}
            stacks
          />
        )
      )}
      {toCancel !== undefined && (
        <CancelDialog
          importKey={toCancel}
          onClose={() => setToCancel(undefined)}
          onCancel={() => cancelling.mutate(toCancel)}
        />
      )}
      {opened !== undefined && (
        <Dialog title={fileNameOf(opened.key)} onClose={close}>
          {opened.state === 'checked' ? (
            <ConfirmDifference
              repo={repo}
              state={opened}
              error={null}
              isBusy={false}
              onConfirm={() => {
                close()
                confirming.mutate(opened)
              }}
              onCancel={() => {
                close()
                cancelling.mutate(opened.key)
              }}
            />
          ) : (
            <>
              <ImportEnd repo={repo} state={opened} offersGoodRows={false} />
              <div>
                <Button variant="default" onClick={close}>
                  Close
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

type Actions = {
  onCancel: (importKey: string) => void
  onOpen: (opened: ImportState) => void
  store: CorrectionStore
}

function importColumns({ onCancel, onOpen, store }: Actions): Column<ImportState>[] {
  return [
    { key: 'file', header: 'file', rowHeader: true, cell: ({ key }) => fileNameOf(key) },
    { key: 'begun', header: 'begun', cell: ({ createdAt }) => <Timestamp iso={createdAt} /> },
    { key: 'state', header: 'state', cell: (each) => stateText(each, correctedRows(each, store)) },
    {
      key: 'links',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: (each) =>
        each.state === 'receiving' ? (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Cancel ${fileNameOf(each.key)}`}
            onClick={() => onCancel(each.key)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${each.state === 'checked' ? 'Review' : 'Details of'} ${fileNameOf(each.key)}`}
            onClick={() => onOpen(each)}
          >
            {each.state === 'checked' ? 'review' : 'details'}
          </Button>
        ),
    },
  ]
}

/** How many rows of an import that failed have corrections here. */
function correctedRows({ state, key }: ImportState, store: CorrectionStore): number {
  const fileKey = fileKeyOf(key)
  if (state !== 'failed' || fileKey === undefined) return 0
  return Object.keys(store.of(fileKey)).length
}

function stateText(each: ImportState, corrected: number): string {
  const { state, receivedBytes, checkedBytes, refusedRows, publishedRows, error } = each
  const refused = refusedRows > 0 ? `, ${refusedRows.toLocaleString()} refused` : ''
  switch (state) {
    case 'receiving':
      return `${showBytes(receivedBytes)} received: choose the same file to go on`
    case 'checking':
      return `checking, ${showBytes(checkedBytes)} of ${showBytes(receivedBytes)}${refused}`
    case 'checked':
      return `checked: ${differenceText(each)}`
    case 'publishing':
      return `writing, ${publishedRows.toLocaleString()} of ${importedRows(each).toLocaleString()} rows`
    case 'done':
      return `done, ${showItems(publishedRows)}${refused}`
    case 'failed':
      return `failed: ${error?.message ?? 'unknown error'}${corrected === 0 ? '' : `; ${corrected} corrected: choose the same file to go on`}`
    case 'cancelled':
      return 'cancelled'
  }
}
