import { useQueries, useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import classes from './LabelledId.module.css'

type Props = {
  target: string
  id: number
  /** Something beside it says the whole label. */
  isExplained?: boolean
  /** Folded words that were looked for in the label, to be marked. */
  words?: readonly string[]
}

/** The label of an item with its id beside it, as wide before it is loaded as after. */
export function LabelledId({ target, id, isExplained = false, words }: Props) {
  const { queries } = useApp()
  const { data: label, isLoading } = useQuery(queries.datasetLabel(target, id))
  return (
    <span className={classes.labelled} title={isExplained || !label ? undefined : label}>
      {isLoading ? (
        <span key="awaited" className={classes.awaited} />
      ) : (
        <span key="label" className={classes.label} dir="auto">
          <MarkedText text={label || ''} words={words} />
        </span>
      )}{' '}
      <span className={classes.id}>{id}</span>
    </span>
  )
}

/** The labels of items, as far as they are there. */
export function useLabelTexts(target: string | undefined, ids: readonly number[]) {
  const { queries } = useApp()
  return useQueries({
    queries: target === undefined ? [] : ids.map((id) => queries.datasetLabel(target, id)),
    combine: labelsOf,
  })
}

function labelsOf(results: readonly { data: string | null | false | undefined }[]) {
  return results.map(({ data }) => data || undefined)
}
