import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import classes from './LabelledId.module.css'

type Props = {
  target: string
  id: number
  /** Something beside it says the whole label. */
  isExplained?: boolean
}

/** The label of an item with its id beside it, as wide before it is loaded as after. */
export function LabelledId({ target, id, isExplained = false }: Props) {
  const { queries } = useApp()
  const { data: label, isLoading } = useQuery(queries.datasetLabel(target, id))
  return (
    <span className={classes.labelled} title={isExplained ? undefined : (label ?? undefined)}>
      {isLoading ? (
        <span key="awaited" className={classes.awaited} />
      ) : (
        <span key="label" className={classes.label} dir="auto">
          {label}
        </span>
      )}{' '}
      <span className={classes.id}>{id}</span>
    </span>
  )
}
