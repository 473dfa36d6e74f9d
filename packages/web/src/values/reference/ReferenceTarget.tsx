import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { itemLabel } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { isNotFound, noSuchItem } from './missing-references.ts'
import classes from './ReferenceTarget.module.css'

const typingPauseMs = 250

type Props = {
  target: string
  itemId: string
  /** The label stands beside it. */
  isNamed?: boolean
}

/** Link to the item with an id, by its label, or a note that there is none. */
export function ReferenceTarget({ target, itemId, isNamed = false }: Props) {
  const { queries } = useApp()
  const [settledId] = useDebouncedValue(itemId, typingPauseMs)
  const dataset = useQuery(queries.datasetGet(target))
  const item = useQuery(queries.datasetItemGet(target, settledId))
  const isCurrent = settledId === itemId && !item.isPending && !dataset.isPending

  return (
    <output className={classes.target}>
      {!isCurrent && <span className={classes.looking}>Looking up {itemId}…</span>}
      {isCurrent && item.isError && (
        <span className={classes.missing}>{lookUpProblem(item.error, target, itemId)}</span>
      )}
      {isCurrent && item.isSuccess && (
        <>
          <span aria-hidden>→ </span>
          <Link to={paths.item(target, itemId)} target="_blank" rel="noreferrer">
            <bdi>
              {(!isNamed && dataset.data && itemLabel(dataset.data, item.data)) ||
                `item ${itemId} of ${target}`}
            </bdi>
          </Link>
        </>
      )}
    </output>
  )
}

function lookUpProblem(error: Error, target: string, itemId: string): string {
  return isNotFound(error)
    ? noSuchItem(target, itemId)
    : `The item could not be looked up: ${error.message}`
}
