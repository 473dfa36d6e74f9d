import { useQuery } from '@tanstack/react-query'
import {
  filterOf,
  searchWords,
  type DatasetInfo,
  type Exploration,
  type Item,
  type ItemCount,
  type ShownField,
} from '@vitrine/contract'
import { useCallback, useMemo, type ReactNode } from 'react'
import type { Answer } from '../../data/answer.ts'
import { useApp } from '../../app-context.tsx'
import { foundAmong } from '../../explore/found-among.ts'
import { countText } from '../../explore/count-text.ts'
import { itemColumns } from '../../values/item-columns.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Listing, type Loaded } from '../../ui/Listing.tsx'
import type { AllEntries } from '../../ui/paging.ts'
import type { Sort } from '../../ui/Table.tsx'
import { NoItems } from './NoItems.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import type { Columns } from './Columns/use-columns.ts'

export type ItemsProps = {
  datasetId: string
  info: DatasetInfo | undefined
  /** Filter, order and words of the items; none when left out. */
  exploration?: Exploration
  sortOf?: (name: string, type: string) => Sort | undefined
  /** Renders what is below the head of a field's column, of that of the ids, and of any until they are known. */
  belowHeaderOf?: ((field?: ShownField) => ReactNode) | undefined
  /** Renders the menu of a cell. */
  menuOf?: ((field: ShownField, item: Item) => ReactNode) | undefined
  /** Renders the menu of a field's column. */
  headOf?: ((field: ShownField) => ReactNode) | undefined
  /** Columns to show; all fields by the width of their values when left out. */
  chosen?: Columns
  /** The item that is shown beside them. */
  currentRow?: string | undefined
  /** Shown when no item is what was asked for. */
  noneFound?: ReactNode
  /** Renders the page instead of a table. */
  renderPage?: ((loaded: Loaded<Item>) => ReactNode) | undefined
}

const nothing: Exploration = {}

/** Stand there until it is known which columns there are. */
const unknownColumns = (belowHeader: ReactNode) =>
  [3, 9, 12, 8, 10].map((width) => ({
    key: `skeleton ${width}`,
    header: <TextSkeleton width={width} />,
    belowHeader,
    cell: () => null,
  }))

export const itemsOf = ({ value }: Answer<Item[]>) => value
const allOf = ({ value, progress }: Answer<ItemCount>): AllEntries => ({
  entries: value.totalItems,
  isExact: progress === undefined && value.exact !== false,
})
const idOf = ({ id }: Item) => id
const isGrowing = ({ progress }: Answer<Item[]>) => progress !== undefined

/** The items of a dataset, page by page. */
export function Items(props: ItemsProps) {
  const {
    datasetId,
    info,
    exploration = nothing,
    sortOf,
    belowHeaderOf,
    menuOf,
    headOf,
    noneFound,
    renderPage,
  } = props
  const { chosen } = props
  const { queries, features } = useApp()
  const queryOf = useCallback(
    (page: number) => ({
      ...queries.datasetItemList(datasetId, page, exploration),
      select: itemsOf,
    }),
    [queries, datasetId, exploration],
  )
  const items = usePagedQuery(queryOf)
  const { data: growing } = useQuery({ ...queryOf(items.page), select: isGrowing })
  // Without the schema there are no columns to put the items in.
  const loaded = info === undefined ? { ...items, rows: undefined } : items
  const ids = useMemo(() => items.rows?.map(idOf) ?? [], [items.rows])
  const { data: replacements } = useQuery(queries.datasetReplacementList(datasetId, ids))
  const { q = '' } = exploration
  const { data: count } = useQuery(queries.datasetCount(datasetId, filterOf(exploration)))
  const words = useMemo(() => searchWords(q), [q])
  // The values make the columns as wide as they are, so their heads come with the values.
  const schema = items.rows === undefined ? undefined : info?.schema
  const columns = useMemo(
    () =>
      schema
        ? itemColumns({
            datasetId,
            schema: chosen?.fieldsOf(schema) ?? schema,
            words,
            features,
            linkState: foundAmong(exploration),
            belowHeaderOf,
            menuOf,
            headOf,
            replacements,
            columnOf: chosen?.columnOf,
            ...(sortOf && { sortOf }),
          })
        : unknownColumns(belowHeaderOf?.()),
    [
      datasetId,
      schema,
      words,
      features,
      exploration,
      sortOf,
      belowHeaderOf,
      menuOf,
      headOf,
      replacements,
      chosen,
    ],
  )
  return (
    <Listing
      label={`Items of ${datasetId}`}
      loaded={loaded}
      columns={columns}
      rowKey={idOf}
      currentRow={props.currentRow}
      total={count && countText(count)}
      all={features.includes('explore') ? count && allOf(count) : undefined}
      growing={growing ?? false}
      instead={renderPage?.(loaded)}
      empty={noneFound ?? <NoItems datasetId={datasetId} info={info} />}
    />
  )
}
