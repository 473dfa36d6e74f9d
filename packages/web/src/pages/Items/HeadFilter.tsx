import '@mantine/core/styles/Popover.css'
import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ShownField } from '@vitrine/contract'
import { Suspense, useState } from 'react'
import { filtersOf, whereOf } from '../../explore/filters.ts'
import type { ExplorationState } from '../../explore/use-exploration.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import classes from './HeadFilter.module.css'
import { ColumnStatistics } from './Statistics/ColumnStatistics.tsx'
import { useStatistics } from './Statistics/use-statistics.ts'

const FilterDialog = lazyPart(
  async () => (await import('../../explore/FilterDialog.tsx')).FilterDialog,
)

type Props = { datasetId: string; field: ShownField; explored: ExplorationState }

/** Filters by a column from its head: by one of its values, which stand there with their counts, or by any condition. */
export function HeadFilter({ datasetId, field, explored }: Props) {
  const { canShow: hasValues } = useStatistics()
  const [shows, setShows] = useState<'values' | 'dialog'>()
  const { exploration, setWhere } = explored
  const close = () => setShows(undefined)
  return (
    <>
      <Popover
        opened={shows === 'values'}
        onChange={(isOpen) => setShows(isOpen ? 'values' : undefined)}
        position="bottom-start"
        width={288}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.button}
            aria-label={`Filter by ${field.name}`}
            onClick={() =>
              setShows(shows === undefined ? (hasValues ? 'values' : 'dialog') : undefined)
            }
          >
            <IconFilter size={14} aria-hidden />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Filter by ${field.name}`}>
          <div className={classes.values}>
            <ColumnStatistics datasetId={datasetId} field={field} explored={explored} />
            <Button variant="default" size="compact-sm" onClick={() => setShows('dialog')}>
              Another condition
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      {shows === 'dialog' && (
        <Suspense>
          <FilterDialog
            datasetId={datasetId}
            filter={undefined}
            startPath={field.name}
            onClose={close}
            onDone={(filter) => {
              close()
              setWhere(whereOf([...filtersOf(exploration.where), filter]))
            }}
          />
        </Suspense>
      )}
    </>
  )
}
