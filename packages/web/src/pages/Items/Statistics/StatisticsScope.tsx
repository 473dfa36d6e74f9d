import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Exploration, filterOf } from '@vitrine/contract'
import { useApp } from '../../../app-context.tsx'
import { scanText } from '../../../explore/count-text.ts'
import { showItems } from '../../../ui/show-amounts.ts'
import { TextSkeleton } from '../../../ui/TextSkeleton.tsx'
import classes from './StatisticsScope.module.css'

type Props = { datasetId: string; exploration: Exploration }

/** Scope of the statistics beside it, as high as they are while they load. */
export function StatisticsScope({ datasetId, exploration }: Props) {
  const { queries } = useApp()
  const { data, error, refetch } = useQuery({
    ...queries.datasetSummary(datasetId, filterOf(exploration)),
    placeholderData: keepPreviousData,
  })
  if (error !== null && data === undefined) {
    return (
      <div className={classes.scope} role="alert">
        {error.message}
        <Button variant="default" size="compact-xs" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.scope}>
      {data === undefined ? <TextSkeleton width={8} /> : `of ${showItems(data.value.items)}`}
      {data?.progress !== undefined && <span>looked at {scanText(data.progress)} so far</span>}
    </div>
  )
}
