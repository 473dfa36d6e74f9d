import { useQueries, useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { totalText } from '../../explore/count-text.ts'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/Section.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import classes from './Referrers.module.css'

/** The items that refer to one, by their datasets and fields. */
export function Referrers({ info, itemId }: { info: DatasetInfo; itemId: number }) {
  const { queries } = useApp()
  const others = useQueries({
    queries: info.referencedBy.map((name) => queries.datasetGet(name)),
  })
  const fields = others.flatMap(({ data: other }) =>
    (other?.schema ?? [])
      .filter(({ type, target }) => type === 'reference' && target === info.name)
      .map((field) => ({ dataset: other!.name, field: field.name })),
  )
  if (fields.length === 0) return null
  return (
    <div className={classes.referrers}>
      <Section title="Items that refer to this one">
        <ul className={classes.list}>
          {fields.map((place) => (
            <Referring key={`${place.dataset} ${place.field}`} {...place} itemId={itemId} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

type Place = { dataset: string; field: string; itemId: number }

function Referring({ dataset, field, itemId }: Place) {
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
