import { useQuery } from '@tanstack/react-query'
import type { Exploration, ShownField } from '@vitrine/contract'
import { useMemo, type ReactNode } from 'react'
import { useApp } from '../../../app-context.tsx'
import { countText } from '../../../explore/count-text.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorBox } from '../../../ui/ErrorBox.tsx'
import { showItems } from '../../../ui/show-amounts.ts'
import { Chart } from './Chart.tsx'
import type { PlotMark } from './plot-choice.ts'
import { namesOfBars, pointPlot } from './point-plot.ts'
import { readPoints, type Point } from './read-points.ts'
import { useLabelTexts } from './use-label-texts.ts'
import { ValuesTable } from './ValuesTable.tsx'

type Props = {
  datasetId: string
  x: ShownField
  y: ShownField
  mark: PlotMark
  asked: Exploration
  /** Shown where there is no item. */
  none: ReactNode
}

/** Rows of the table: more are what an export is for. */
const mostRows = 100

/** Two columns of the first items of what is asked, as read from an export of it. */
export function TwoColumns({ datasetId, x, y, mark, asked, none }: Props) {
  const { client, queries, features } = useApp()
  const { where, q } = asked
  const found = useQuery({
    // New items change it as they change a page of them.
    queryKey: ['datasetItemList', { datasetId, points: [x.name, y.name], ...asked }],
    queryFn: ({ signal }) => readPoints(client, datasetId, { asked, x: x.name, y: y.name, signal }),
    // Comparing them with those before takes longer than drawing them.
    structuralSharing: false,
    gcTime: 0,
  })
  const { data, isFetching } = found
  const map = useQuery({
    queryKey: ['lands'],
    queryFn: async () => (await import('./lands.ts')).lands,
    staleTime: Infinity,
    enabled: mark === 'map',
  })
  const lands = map.data
  const { data: count } = useQuery(queries.datasetCount(datasetId, { where, q }))
  const points = useMemo(() => data?.filter(isWhole), [data])
  const target = features.includes('labels') && mark === 'bars' ? x.target : undefined
  const ids = useMemo(
    () => (target === undefined ? [] : namesOfBars(points ?? [])),
    [points, target],
  )
  const labels = useLabelTexts(target, ids.map(Number))
  const shown = useMemo(() => {
    if (points === undefined || points.length === 0) return undefined
    return pointPlot({ x, y, mark, points, labelOf: (id) => labels[ids.indexOf(id)], lands })
  }, [points, x, y, mark, ids, labels, lands])

  const failed = [found, map].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) {
    return <ErrorBox error={failed.error!} onRetry={() => void failed.refetch()} />
  }
  if (data?.length === 0) return none
  if (data !== undefined && points?.length === 0) {
    return (
      <EmptyState text={`Of ${showItems(data.length)}, none has both ${x.name} and ${y.name}`} />
    )
  }
  const missing = (data?.length ?? 0) - (points?.length ?? 0)
  const note =
    data &&
    count &&
    [
      data.length < count.value.totalItems || count.value.exact === false
        ? `The first ${data.length.toLocaleString()} of ${countText(count)} items`
        : showItems(data.length),
      ...(missing > 0 ? [`${missing.toLocaleString()} without ${x.name} or ${y.name}`] : []),
      ...(shown?.notes ?? []),
    ].join(', ')
  return (
    <>
      <Chart
        label={`${shown?.title ?? 'Plot'}, ${datasetId}`}
        note={note}
        fileName={`${datasetId}-${x.name}-${y.name}`}
        draw={shown?.draw}
        isStale={isFetching}
      />
      {shown !== undefined && (
        <ValuesTable
          label={`Values of ${x.name} and ${y.name}`}
          summary={
            shown.rows.length > mostRows ? `Show the first ${mostRows} values` : 'Show values'
          }
          heads={shown.heads}
          rows={shown.rows.slice(0, mostRows).map(([name = '', ...values]) => ({ name, values }))}
        />
      )}
    </>
  )
}

function isWhole({ x, y }: Point): boolean {
  return x !== undefined && y !== undefined
}
