import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { filterOf, type ShownField } from '@vitrine/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useApp } from '../../../app-context.tsx'
import { countText } from '../../../explore/count-text.ts'
import { hasComparison, toggledWhere } from '../../../explore/facet-filters.ts'
import { foundAmong } from '../../../explore/found-among.ts'
import type { ExplorationState } from '../../../explore/use-exploration.ts'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorBox } from '../../../ui/ErrorBox.tsx'
import { showItems } from '../../../ui/show-amounts.ts'
import { Chart } from './Chart.tsx'
import type { PlotMark } from './plot-choice.ts'
import { namesOfBars } from './name-means-plot.ts'
import { plotOfPoints } from './plot-of-points.ts'
import { type Pickable, type Picked, type Point, readPoints } from './points.ts'
import { useLabelTexts } from '../../../values/reference/LabelledId.tsx'
import { ValuesTable } from './ValuesTable.tsx'
import { loadCode } from '../../../ui/lazy-part.tsx'

type Props = {
  datasetId: string
  x: ShownField
  y: ShownField
  mark: PlotMark
  explored: ExplorationState
  /** Shown where there is no item. */
  none: ReactNode
}

/** Rows of the table, until more are asked for. */
const firstRows = 100

/** Two columns of the first items of what is asked, as read from an export of it. */
export function TwoColumns({ datasetId, x, y, mark, explored, none }: Props) {
  const { client, queries, features } = useApp()
  const { exploration, setWhere } = explored
  const { where } = exploration
  const navigate = useNavigate()
  const [mostRows, setMostRows] = useState(firstRows)
  const sample = useQuery({
    // New items change it as they change a page of them.
    queryKey: ['datasetItemList', { datasetId, points: [x.name, y.name], ...exploration }],
    queryFn: ({ signal }) =>
      readPoints(client, datasetId, { exploration, x: x.name, y: y.name, signal }),
    // Comparing them with those before takes longer than drawing them.
    structuralSharing: false,
    gcTime: 0,
  })
  const { data, isFetching } = sample
  const map = useQuery({
    queryKey: ['lands'],
    queryFn: async () => (await loadCode(() => import('./lands.ts'))).lands,
    staleTime: Infinity,
    enabled: mark === 'map',
  })
  const lands = map.data
  const { data: count } = useQuery(queries.datasetCount(datasetId, filterOf(exploration)))
  const points = useMemo(() => data?.filter(isWhole), [data])
  const target = features.includes('labels') && mark === 'bars' ? x.target : undefined
  const ids = useMemo(
    () => (target === undefined ? [] : namesOfBars(points ?? [])),
    [points, target],
  )
  const labels = useLabelTexts(target, ids.map(Number))
  const shown = useMemo(() => {
    if (points === undefined || points.length === 0) return undefined
    return plotOfPoints(mark, { x, y, points, labelOf: (id) => labels[ids.indexOf(id)], lands })
  }, [points, x, y, mark, ids, labels, lands])

  const failed = [sample, map].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) {
    return <ErrorBox error={failed.error!} onRetry={() => void failed.refetch()} />
  }
  if (data?.length === 0) return none
  if (data !== undefined && points?.length === 0) {
    return (
      <EmptyState text={`Of ${showItems(data.length)}, none has both ${x.name} and ${y.name}`} />
    )
  }
  const linkState = foundAmong(exploration)
  const follow = (pick: Picked) => {
    if ('itemId' in pick) void navigate(paths.item(datasetId, pick.itemId), { state: linkState })
    else setWhere(toggledWhere(where, x.name, pick.comparison))
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
      <Chart<Pickable>
        label={`${shown?.title ?? 'Plot'}, ${datasetId}`}
        note={note}
        fileName={`${datasetId}-${x.name}-${y.name}`}
        draw={shown?.draw}
        isStale={isFetching}
        onPick={({ pick }) => follow(pick)}
      />
      {shown !== undefined && (
        <ValuesTable
          label={`Values of ${x.name} and ${y.name}`}
          summary={
            shown.rows.length > mostRows ? `Show the first ${mostRows} values` : 'Show values'
          }
          heads={shown.heads}
          rows={shown.rows.slice(0, mostRows).map(({ name, values, pick }) => ({
            name,
            values,
            ...('itemId' in pick
              ? { to: paths.item(datasetId, pick.itemId) }
              : {
                  isPressed: hasComparison(where, x.name, pick.comparison),
                  onPress: () => follow(pick),
                }),
          }))}
          linkState={linkState}
          more={
            shown.rows.length > mostRows && (
              <Button
                variant="default"
                size="compact-md"
                onClick={() => setMostRows(mostRows + firstRows)}
              >
                Show {firstRows} more
              </Button>
            )
          }
        />
      )}
    </>
  )
}

function isWhole({ x, y }: Point): boolean {
  return x !== undefined && y !== undefined
}
