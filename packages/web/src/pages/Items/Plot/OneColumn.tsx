import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { filterOf } from '@vitrine/contract'
import { useMemo, type ReactNode } from 'react'
import { useApp } from '../../../app-context.tsx'
import { scanText } from '../../../explore/count-text.ts'
import { hasComparison, toggledWhere, whereBeside } from '../../../explore/facet-filters.ts'
import type { ExplorationState } from '../../../explore/use-exploration.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorBox } from '../../../ui/ErrorBox.tsx'
import { showItems } from '../../../ui/show-amounts.ts'
import { plotOf, type Mark } from '../Statistics/plot-of.ts'
import { Chart } from './Chart.tsx'
import { columnPlot } from './column-plot.ts'
import type { PlotChoice } from './plot-choice.ts'
import { useLabelTexts } from '../../../values/reference/LabelledId.tsx'
import { ValuesTable } from './ValuesTable.tsx'

type Props = {
  datasetId: string
  choice: PlotChoice
  explored: ExplorationState
  /** Shown where there is no item. */
  none: ReactNode
}

const mostBins = 40

/** The values of one column by the summary; what is chosen here is a filter, which leaves the others there. */
export function OneColumn({ datasetId, choice: { x, mark: as }, explored, none }: Props) {
  const { queries, features } = useApp()
  const { exploration, setWhere } = explored
  const { name, target } = x
  const where = useMemo(() => whereBeside(exploration.where, name), [exploration.where, name])
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queries.datasetSummary(datasetId, { ...filterOf(exploration), where }),
    placeholderData: keepPreviousData,
  })
  const summary = data?.value.fields.find((each) => each.name === name)
  const plot = useMemo(() => summary && plotOf(summary, mostBins), [summary])
  const ids = plot?.marks.flatMap(({ id }) => (id === undefined ? [] : [id])) ?? []
  const labels = useLabelTexts(features.includes('labels') ? target : undefined, ids)
  const shown = useMemo(
    () => summary && plot && columnPlot({ summary, plot, as, labels, where: exploration.where }),
    [summary, plot, as, labels, exploration.where],
  )
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />
  }
  if (data !== undefined && data.progress === undefined) {
    if (data.value.items === 0) return none
    if (plot === undefined || plot.marks.length === 0) {
      return <EmptyState text={`Of ${showItems(data.value.items)}, none has a value in ${name}`} />
    }
  }
  const toggle = ({ comparison }: Mark) => {
    if (comparison !== undefined) setWhere(toggledWhere(exploration.where, name, comparison))
  }
  const isBefore = JSON.stringify(where) !== JSON.stringify(exploration.where)
  const note =
    data &&
    summary &&
    [
      showItems(data.value.items) + (isBefore ? ` before the filter on ${name}` : ''),
      ...(summary.missing > 0 ? [`${summary.missing.toLocaleString()} without ${name}`] : []),
      ...(data.progress === undefined ? [] : [`looked at ${scanText(data.progress)} so far`]),
    ].join(', ')
  return (
    <>
      <Chart<{ mark?: Mark }>
        label={`${shown?.title ?? 'Values'} of ${name}, ${datasetId}`}
        note={note}
        fileName={`${datasetId}-${name}`}
        draw={shown?.draw}
        isStale={isPlaceholderData}
        onPick={({ mark }) => mark && toggle(mark)}
      />
      {shown !== undefined && (
        <ValuesTable
          label={`Values of ${name}`}
          heads={[name, 'items']}
          rows={shown.rows.map(({ name: text, valueText, mark }) => ({
            name: text,
            values: [valueText],
            ...(mark?.comparison !== undefined && {
              isPressed: hasComparison(exploration.where, name, mark.comparison),
              onPress: () => toggle(mark),
            }),
          }))}
        />
      )}
    </>
  )
}
