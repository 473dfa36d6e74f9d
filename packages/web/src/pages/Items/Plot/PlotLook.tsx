import type { DatasetInfo } from '@vitrine/contract'
import type { ReactNode } from 'react'
import type { ExplorationState } from '../../../explore/use-exploration.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { OneColumn } from './OneColumn.tsx'
import { PlotBar } from './PlotBar.tsx'
import classes from './PlotLook.module.css'
import { TwoColumns } from './TwoColumns.tsx'
import { usePlotChoice } from './plot-choice.ts'

type Props = {
  datasetId: string
  info: DatasetInfo
  explored: ExplorationState
  /** Shown where there is no item. */
  none: ReactNode
}

/** Plot of the exploration, by the columns in the address. */
export function PlotLook({ datasetId, info, explored, none }: Props) {
  const { choice, change } = usePlotChoice(info)
  if (choice === undefined) {
    return (
      <EmptyState text="No column can be plotted: numbers, dates, moments, texts, truth values and references can be" />
    )
  }
  return (
    <section className={classes.plot} aria-label={`Plot of ${datasetId}`}>
      <PlotBar info={info} choice={choice} onChange={change} />
      {choice.y === undefined ? (
        <OneColumn datasetId={datasetId} choice={choice} explored={explored} none={none} />
      ) : (
        <TwoColumns
          datasetId={datasetId}
          x={choice.x}
          y={choice.y}
          mark={choice.mark}
          explored={explored}
          none={none}
        />
      )}
    </section>
  )
}
