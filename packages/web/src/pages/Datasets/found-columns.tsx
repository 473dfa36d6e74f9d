import type { DatasetKind, DatasetSort, FoundDataset } from '@vitrine/contract'
import { RelativeTime } from '../../ui/Time.tsx'
import type { Column, Sort } from '../../ui/Table.tsx'
import { Covers } from './Covers.tsx'
import { AboutDataset, ItemsOfDataset, KindGlyph } from './dataset-facts.tsx'
import classes from './found-columns.module.css'
import { isNews, NewMark } from './News.tsx'

type SortKey = 'name' | 'createdAt' | 'items' | 'addedAt'
type Sorted = { sort: DatasetSort | undefined; onSort: (sort: DatasetSort) => void }

/**
 * Puts what is known of each dataset beside the specified columns. Where all are of one `kind`, no column
 * says it. One date is shown: of the last addition where one sorts by it.
 */
export function foundColumns(
  specified: readonly Column<FoundDataset>[],
  { kind, since, ...sorted }: Sorted & { kind: DatasetKind | undefined; since: number | undefined },
): Column<FoundDataset>[] {
  const name = specified.find(({ key }) => key === 'name')!
  const createdAt = specified.find(({ key }) => key === 'createdAt')!
  const links = specified.find(({ key }) => key === 'links')!
  const others = specified.filter((each) => ![name, createdAt, links].includes(each))
  return [
    { ...name, sort: sortBy('name', sorted) },
    {
      key: 'description',
      header: 'description',
      from: 'medium',
      line: true,
      cell: (dataset) => <AboutDataset dataset={dataset} />,
    },
    {
      key: 'covers',
      header: 'pictures',
      width: '8.25rem',
      from: 'wide',
      line: true,
      cell: ({ name, covers }) => covers.length > 0 && <Covers datasetId={name} covers={covers} />,
    },
    ...others,
    ...(kind === undefined ? [kindColumn] : []),
    {
      key: 'items',
      header: 'items',
      width: '5.5rem',
      end: true,
      sort: sortBy('items', sorted),
      cell: ({ items }) => <ItemsOfDataset items={items} />,
    },
    sorted.sort?.endsWith('addedAt')
      ? {
          key: 'addedAt',
          header: 'last addition',
          width: '10.5rem',
          sort: sortBy('addedAt', sorted),
          cell: (dataset) => <LastAddition dataset={dataset} since={since} />,
        }
      : {
          ...createdAt,
          width: '10.5rem',
          sort: sortBy('createdAt', sorted),
          cell: (dataset) => (
            <>
              {isNews(dataset, since) && <NewMark />}
              {createdAt.cell(dataset)}
            </>
          ),
        },
    // Of a repository there is one more.
    { ...links, width: kind === 'repo' ? '12.5rem' : '8rem' },
  ]
}

const kindColumn: Column<FoundDataset> = {
  key: 'kind',
  header: 'kind',
  width: '3.5rem',
  from: 'medium',
  cell: ({ kind }) => <KindGlyph kind={kind} />,
}

/** Time of the last addition, with a word for it where the header is out of sight. */
function LastAddition({ dataset, since }: { dataset: FoundDataset; since: number | undefined }) {
  const { addedAt } = dataset
  return (
    <>
      {isNews(dataset, since) && <NewMark />}
      {addedAt !== undefined && (
        <>
          <span className={classes.stacked}>added </span>
          <RelativeTime iso={addedAt} />
        </>
      )}
    </>
  )
}

function sortBy(key: SortKey, { sort, onSort }: Sorted): Sort {
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  const first: DatasetSort = key === 'name' ? key : `-${key}`
  const second: DatasetSort = key === 'name' ? `-${key}` : key
  return { direction, onToggle: () => onSort(sort === first ? second : first) }
}
