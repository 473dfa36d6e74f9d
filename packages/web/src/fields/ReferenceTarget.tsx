import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import type { DatasetInfo, SealedItem } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import classes from './ReferenceTarget.module.css'

const typingPauseMs = 250

/** Which item a number points at: its first text, or that there is none. */
export function ReferenceTarget({ target, itemId }: { target: string; itemId: string }) {
  const { queries } = useApp()
  const [settledId] = useDebouncedValue(itemId, typingPauseMs)
  const dataset = useQuery(queries.datasetGet(target))
  const item = useQuery(queries.datasetItemGet(target, settledId))
  const isCurrent = settledId === itemId && !item.isPending && !dataset.isPending

  return (
    <output className={classes.target}>
      {!isCurrent && <span className={classes.looking}>Looking up {itemId}…</span>}
      {isCurrent && item.isError && <Missing error={item.error} />}
      {isCurrent && item.isSuccess && (
        <>
          <span aria-hidden>→ </span>
          <Link to={paths.item(target, itemId)} target="_blank" rel="noreferrer">
            {firstText(dataset.data, item.data) ?? `item ${itemId} of ${target}`}
          </Link>
        </>
      )}
    </output>
  )
}

function Missing({ error }: { error: Error }) {
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <span className={classes.missing}>
      {isMissing ? 'no such item' : `The item could not be looked up: ${error.message}`}
    </span>
  )
}

function firstText(dataset: DatasetInfo | undefined, item: SealedItem): string | undefined {
  return dataset?.schema
    .filter(({ type }) => type === 'string')
    .map(({ name }) => item.data[name])
    .find((value) => typeof value === 'string' && value.trim() !== '')
    ?.toString()
}
