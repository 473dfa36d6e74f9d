import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { unreadable } from './missing-references.ts'
import classes from './ShowReference.module.css'
import type { ShownValue } from '../value.ts'

/** Links to the referenced item by its label, or where the server names no items, by its address. */
export function ShowReference({ field, value }: ShownValue) {
  const { features } = useApp()
  const target = field.target ?? ''
  const id = Number(value)
  if (!features.includes('labels')) {
    return <Link to={paths.item(target, id)}>{paths.item(target, id)}</Link>
  }
  return <LabelledReference target={target} id={id} />
}

function LabelledReference({ target, id }: { target: string; id: number }) {
  const { queries } = useApp()
  const { data: label, ...naming } = useQuery(queries.datasetLabel(target, id))
  const replaced = useQuery(queries.datasetReplacementList(target, [id]))
  const isLoading = naming.isLoading || replaced.isLoading
  const [replacement] = replaced.data ?? []
  return (
    <p className={classes.reference} aria-busy={isLoading}>
      {isLoading ? (
        <TextSkeleton width={10} />
      ) : (
        <>
          {label === false ? (
            <span>{unreadable(target)}</span>
          ) : (
            <Link to={paths.item(target, id)} dir="auto" className={classes.label}>
              {label ?? `Item ${id}`}
            </Link>
          )}
          <span className={classes.place}>
            <bdi>{target}</bdi> {id}
          </span>
          {replacement && (
            <span className={classes.place}>
              {replacement.isWithdrawn ? 'withdrawn' : 'replaced'}
              {replacement.latest !== undefined && replacement.latest !== id && (
                <>
                  {' by '}
                  <Link to={paths.item(target, replacement.latest)}>item {replacement.latest}</Link>
                </>
              )}
            </span>
          )}
        </>
      )}
    </p>
  )
}
