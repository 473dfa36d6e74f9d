import { useQueries, useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { totalText } from '../../explore/count-text.ts'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/Section.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import classes from './Referrers.module.css'

/** Field whose items may refer to an item. */
export type Referring = { dataset: string; field: string }

/** The fields that refer to the items of a dataset; undefined until all are known. */
export function useReferring(info: DatasetInfo | undefined): Referring[] | undefined {
  const { queries, features } = useApp()
  const isFound = features.includes('labels') && features.includes('explore')
  const others = useQueries({
    queries: (isFound ? (info?.referencedBy ?? []) : []).map((name) => queries.datasetGet(name)),
  })
  if (info === undefined || others.some(({ isPending }) => isPending)) return undefined
  return others.flatMap(({ data: other }) =>
    (other?.schema ?? [])
      .filter(({ type, target }) => type === 'reference' && target === info.name)
      .map((field) => ({ dataset: other!.name, field: field.name })),
  )
}

/** The items that refer to one, by their datasets and fields. */
export function Referrers({ fields, itemId }: { fields: readonly Referring[]; itemId: number }) {
  if (fields.length === 0) return null
  return (
    <Section title="Items that refer to this one">
      <ul className={classes.list}>
        {fields.map((place) => (
          <ReferringField key={`${place.dataset} ${place.field}`} {...place} itemId={itemId} />
        ))}
      </ul>
    </Section>
  )
}

function ReferringField({ dataset, field, itemId }: Referring & { itemId: number }) {
  const { queries } = useApp()
  const where = { [field]: { eq: itemId } }
  const { data: count, error } = useQuery(queries.datasetCount(dataset, { where }))
  return (
    <li>
      <Link to={paths.items(dataset, { where })}>
        <bdi>{dataset}</bdi> <span className={classes.field}>{field}</span>
      </Link>
      <span className={classes.count}>
        {count ? totalText(count) : (error?.message ?? <TextSkeleton width={6} />)}
      </span>
    </li>
  )
}
