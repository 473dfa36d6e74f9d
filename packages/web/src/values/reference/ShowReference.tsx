import { useQuery } from '@tanstack/react-query'
import { valueBytes } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { itemLabel } from '../../fields/item-label.ts'
import { Sealed } from '../Sealed.tsx'
import classes from './ShowReference.module.css'
import type { ShownValue } from '../../fields/value.ts'

/** A link to the item referred to and, once known, what that is called. */
export function ShowReference({ field, value, seal }: ShownValue) {
  const { queries } = useApp()
  const target = field.target ?? ''
  const dataset = useQuery(queries.datasetGet(target))
  const item = useQuery(queries.datasetItemGet(target, value))
  return (
    <>
      <p className={classes.reference}>
        <Link to={paths.item(target, value)}>
          {target} / {value}
        </Link>
        <span className={classes.label} dir="auto">
          {itemLabel(dataset.data, item.data)}
        </span>
      </p>
      <Sealed sha256={seal?.sha256} bytes={() => Promise.resolve(valueBytes(value))} />
    </>
  )
}
