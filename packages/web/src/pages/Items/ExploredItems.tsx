import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type DatasetInfo, filterOf, isPart, type Item, type ShownField } from '@vitrine/contract'
import { useCallback } from 'react'
import { useApp } from '../../app-context.tsx'
import { nothingText, totalText } from '../../explore/count-text.ts'
import { FilterBar } from '../../explore/FilterBar.tsx'
import { sortableTypes, sortDirection, toggledOrder } from '../../explore/sort-order.ts'
import { useExploration, type ExplorationState } from '../../explore/use-exploration.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { LiveText } from '../../ui/LiveText.tsx'
import type { Sort } from '../../ui/Table.tsx'
import { CellMenu } from './CellMenu.tsx'
import { CurrentButton } from './CurrentButton.tsx'
import { ColumnsButton } from './Columns/ColumnsButton.tsx'
import { useColumns } from './Columns/use-columns.ts'
import { BesideItem } from './ItemPanel/BesideItem.tsx'
import { usePanelItem } from './ItemPanel/use-panel-item.ts'
import { HeadFilter } from './HeadFilter.tsx'
import { ItemsLookChoice } from './ItemsLookChoice.tsx'
import { ShownItems } from './ShownItems.tsx'
import { ColumnStatistics } from './Statistics/ColumnStatistics.tsx'
import { StatisticsButton } from './Statistics/StatisticsButton.tsx'
import { StatisticsScope } from './Statistics/StatisticsScope.tsx'
import { useStatistics } from './Statistics/use-statistics.ts'

/** The items of a dataset with filters on their fields and an order by a column. */
export function ExploredItems({
  datasetId,
  info,
}: {
  datasetId: string
  info: DatasetInfo | undefined
}) {
  const { queries } = useApp()
  const explored = useExploration()
  const { exploration, problems, setOrder, clear } = explored
  const { order } = exploration
  const { isShown } = useStatistics()
  const columns = useColumns(datasetId)
  const panel = usePanelItem(info)
  const isNarrowed = isPart(exploration)
  const count = useQuery({
    ...queries.datasetCount(datasetId, filterOf(exploration)),
    enabled: isNarrowed,
  })
  // The same functions while nothing else is asked for, or every cell would be rendered again with the counts.
  const sortOf = useCallback(
    (name: string, type: string): Sort | undefined =>
      sortableTypes.includes(type)
        ? {
            direction: sortDirection(order, name),
            onToggle: () => setOrder(toggledOrder(order, name, type)),
          }
        : undefined,
    [order, setOrder],
  )
  const { isOffered, show } = panel
  const menuOf = useCallback(
    (field: ShownField, item: Item) => (
      <CellMenu
        field={field}
        item={item}
        explored={explored}
        onShowBeside={isOffered ? () => show(String(item.id)) : undefined}
      />
    ),
    [explored, isOffered, show],
  )
  const headOf = useCallback(
    (field: ShownField) => <HeadFilter datasetId={datasetId} field={field} explored={explored} />,
    [datasetId, explored],
  )
  const statisticsOf = useCallback(
    (field?: ShownField) =>
      field === undefined ? (
        <StatisticsScope datasetId={datasetId} exploration={exploration} />
      ) : (
        <ColumnStatistics datasetId={datasetId} field={field} explored={explored} />
      ),
    [datasetId, exploration, explored],
  )

  if (problems.length > 0) {
    return (
      <ErrorBox
        error={{
          message: 'The filter in the address cannot be read',
          problems: problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`),
        }}
        onRetry={clear}
        retryLabel="Clear"
      />
    )
  }
  return (
    <>
      <FilterBar
        datasetId={datasetId}
        schema={info?.schema}
        explored={explored}
        count={
          <>
            {isNarrowed && <LiveText>{count.data && totalText(count.data)}</LiveText>}
            <CurrentButton info={info} explored={explored} />
            <StatisticsButton info={info} />
            <ColumnsButton info={info} columns={columns} />
            <ItemsLookChoice info={info} />
          </>
        }
      />
      <BesideItem datasetId={datasetId} exploration={exploration} panel={panel}>
        <ShownItems
          datasetId={datasetId}
          info={info}
          exploration={exploration}
          sortOf={sortOf}
          setOrder={setOrder}
          explored={explored}
          menuOf={menuOf}
          headOf={headOf}
          chosen={columns}
          currentRow={panel.id}
          belowHeaderOf={isShown ? statisticsOf : undefined}
          noneFound={isNarrowed ? <NothingFound explored={explored} /> : undefined}
        />
      </BesideItem>
    </>
  )
}

/** Says why there is nothing, and takes away what is too much. */
function NothingFound({
  explored: { exploration, setWhere, setWords, setCurrent },
}: {
  explored: ExplorationState
}) {
  const { where, q, current } = exploration
  return (
    <EmptyState text={nothingText(exploration)}>
      {q !== undefined && (
        <Button variant="default" onClick={() => setWords('')}>
          Clear search
        </Button>
      )}
      {where !== undefined && (
        <Button variant="default" onClick={() => setWhere(undefined)}>
          Clear filters
        </Button>
      )}
      {current === true && (
        <Button variant="default" onClick={() => setCurrent(false)}>
          Show all items
        </Button>
      )}
    </EmptyState>
  )
}
