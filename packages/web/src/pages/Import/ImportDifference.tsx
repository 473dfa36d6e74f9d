import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { importedRows, plainText, type ImportedItem, type ImportState } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import { Table, type Column } from '../../ui/Table.tsx'
import classes from './ImportDifference.module.css'

/** One value of an item that a checked import is to add, or what it does without changing any. */
type Change = {
  at: number
  replaces: number | null
  name: string
  note?: string
} & ImportedItem['values'][string]

type Props = {
  repo: string
  state: ImportState
  error: Error | null
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows what a checked import is to change, and lets it or cancels it. */
export function ConfirmDifference({ repo, state, error, isBusy, onConfirm, onCancel }: Props) {
  const isNothing = importedRows(state) === 0
  return (
    <>
      <ImportDifference repo={repo} state={state} />
      {error !== null && <ErrorBox error={error} />}
      <ButtonRow>
        {!isNothing && (
          <Button loading={isBusy} onClick={onConfirm}>
            {(state.changedRows ?? 0) > 0 ? 'Correct the items' : 'Add the items'}
          </Button>
        )}
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          {isNothing ? 'Close' : 'Change nothing'}
        </Button>
      </ButtonRow>
    </>
  )
}

/** Lists what a checked import is to change: how many items, and their values before and after. */
function ImportDifference({ repo, state }: { repo: string; state: ImportState }) {
  const { queries } = useApp()
  const total = importedRows(state)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    queries.importDifference(repo, state),
  )
  const items = data?.pages.flat()
  return (
    <div className={classes.difference}>
      <p>
        <strong>{differenceText(state)}</strong>
        {state.unchangedRows !== undefined &&
          state.unchangedRows > 0 &&
          ` ${state.unchangedRows.toLocaleString()} ${state.unchangedRows === 1 ? 'row changes' : 'rows change'} nothing.`}
      </p>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {error === null && total > 0 && (
        <Table
          label="Difference"
          columns={columnsOf(repo)}
          rows={items?.flatMap(changesOf)}
          rowKey={({ at, name }) => `${at} ${name}`}
          expectedRows={Math.min(total, 5)}
          stacks
        />
      )}
      {hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show more of {showItems(total)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Says how many items a checked import is to correct, and how many to add. */
export function differenceText(state: ImportState): string {
  const { changedRows = 0 } = state
  const added = importedRows(state) - changedRows
  if (changedRows + added === 0) return 'Nothing is to be changed.'
  const parts = [
    ...(changedRows > 0 ? [`${showItems(changedRows)} to correct`] : []),
    ...(added > 0 ? [`${showItems(added)} to add`] : []),
  ]
  return `${parts.join(', ')}.`
}

function changesOf({ replaces, withdraws, values }: ImportedItem, at: number): Change[] {
  const changes = Object.entries(values)
  if (changes.length > 0) return changes.map(([name, value]) => ({ at, replaces, name, ...value }))
  const note = withdraws === true ? 'is withdrawn' : 'has the same values'
  return [{ at, replaces, name: '', note }]
}

function columnsOf(repo: string): Column<Change>[] {
  return [
    {
      key: 'item',
      header: 'item',
      rowHeader: true,
      cell: ({ replaces }) =>
        replaces === null ? 'new' : <Link to={paths.item(repo, replaces)}>{replaces}</Link>,
    },
    { key: 'field', header: 'field', cell: ({ name, note }) => note ?? <bdi>{name}</bdi> },
    {
      key: 'before',
      header: 'before',
      cell: ({ before: value }) =>
        value !== undefined && <del className={classes.value}>{shorten(plainText(value))}</del>,
    },
    {
      key: 'after',
      header: 'after',
      cell: ({ after: value }) =>
        value !== undefined && <ins className={classes.value}>{shorten(plainText(value))}</ins>,
    },
  ]
}

/** More of a value is of no help in telling what is changed. */
const charactersShown = 300

function shorten(text: string): string {
  return text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text
}
