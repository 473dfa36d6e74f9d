import { useQuery } from '@tanstack/react-query'
import { type DatasetKind, type FoundDataset, limits } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import hidden from '../../ui/visually-hidden.module.css'
import classes from './News.module.css'

/** Whether a dataset was made, or has items that were added, after a moment. */
export function isNews(
  { createdAt, addedAt = createdAt }: FoundDataset,
  since: number | undefined,
): boolean {
  return since !== undefined && Date.parse(addedAt) > since
}

/** How many datasets are new, or have new items, with a link that puts them first. */
export function News({ kind, since }: { kind: DatasetKind | undefined; since: number }) {
  const { queries } = useApp()
  const { data } = useQuery(queries.datasetSearch({ sort: '-addedAt', ...(kind && { kind }) }, 0))
  const count = data?.filter((dataset) => isNews(dataset, since)).length ?? 0
  if (count === 0) return null
  return (
    <span>
      <Link to="?sort=-addedAt">
        {count === limits.pageSize ? `${count} or more` : count} changed
      </Link>{' '}
      since <Timestamp iso={new Date(since).toISOString()} />
    </span>
  )
}

/** Stands before when something was added. */
export function NewMark() {
  return (
    <>
      <span className={classes.mark} title="Changed since your last visit" aria-hidden />
      <span className={hidden.visuallyHidden}>new: </span>
    </>
  )
}
