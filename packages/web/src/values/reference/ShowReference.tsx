import { useQuery } from '@tanstack/react-query'
import { itemLabel, valueBytes } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { Sealed } from '../Sealed.tsx'
import classes from './ShowReference.module.css'
import type { ShownValue } from '../value.ts'

/** Links to the referenced item, and shows its name once loaded. */
export function ShowReference({ field, value, seal }: ShownValue) {
  const id = Number(value)
  const { queries } = useApp()
  const target = field.target ?? ''
  const dataset = useQuery(queries.datasetGet(target))
  const item = useQuery(queries.datasetItemGet(target, id))
  return (
    <>
      <p className={classes.reference}>
        <Link to={paths.item(target, id)}>
          {target} / {id}
        </Link>
        <span className={classes.label} dir="auto">
          {dataset.data && item.data && itemLabel(dataset.data, item.data)}
        </span>
      </p>
      <Sealed sha256={seal?.sha256} bytes={() => Promise.resolve(valueBytes(value))} />
    </>
  )
}
