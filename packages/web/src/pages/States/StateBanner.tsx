import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { datasetNameOf, namedState } from '../../data/named-state.ts'
import { paths } from '../../paths.ts'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './States.module.css'

type Props = {
  /** Name in the address. */
  datasetId: string
  /** Returns the path of the page for the dataset as it is now. */
  toNow: (name: string) => string
}

/** Says of which state a page is, and leads to now; nothing where it is of now. */
export function StateBanner({ datasetId, toNow }: Props) {
  const { queries, features } = useApp()
  const { at } = namedState(datasetId)
  const isShown = at !== undefined && features.includes('states')
  const { data } = useQuery({ ...queries.datasetState(datasetId), enabled: isShown })
  if (!isShown) return null
  return (
    <aside className={classes.banner} aria-label="State">
      <p>
        As of {at.toLocaleString()} {at === 1 ? 'item' : 'items'}{' '}
        <span className={classes.known}>
          {data !== undefined && (
            <span>
              of {data.repo}
              {data.createdAt !== undefined && ','}
            </span>
          )}
          {data?.createdAt !== undefined && <Timestamp iso={data.createdAt} />}
        </span>
      </p>
      <span className={classes.links}>
        {features.includes('diff') && (
          <Link to={paths.diff(datasetNameOf(datasetId), at)}>Changes since</Link>
        )}
        <Link to={toNow(datasetNameOf(datasetId))}>Go to now</Link>
      </span>
    </aside>
  )
}
