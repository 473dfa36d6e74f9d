import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import type { DatasetInfo, Item } from '@vitrine/contract'
import { useCallback, useMemo } from 'react'
import { useApp } from '../app-context.tsx'
import { FieldCell } from '../fields/FieldCell.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { Listing } from '../ui/Listing.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { RowLink } from '../ui/RowLink.tsx'
import type { Column } from '../ui/Table.tsx'
import { usePagedQuery } from './use-paged-query.ts'
import { useParam } from './use-param.ts'

export function ItemsPage() {
  const { queries } = useApp()
  const datasetId = useParam('datasetId')
  const info = useQuery(queries.datasetGet(datasetId))
  return (
    <>
      <PageHeader
        title={datasetId}
        documentTitle="Items"
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
        ]}
        actions={
          <>
            <ButtonLink to={paths.dataset(datasetId)} variant="default">
              Details
            </ButtonLink>
            {info.data?.repo !== undefined && (
              <ButtonLink to={paths.addItem(datasetId)} leftSection={<IconPlus size={16} />}>
                Add item
              </ButtonLink>
            )}
          </>
        }
      />
      {info.error !== null && info.data === undefined ? (
        <ErrorBox error={info.error} onRetry={() => void info.refetch()} />
      ) : (
        <Items key={datasetId} datasetId={datasetId} info={info.data} />
      )}
    </>
  )
}

function Items({ datasetId, info }: { datasetId: string; info: DatasetInfo | undefined }) {
  const { queries } = useApp()
  const queryOf = useCallback(
    (page: number) => queries.datasetItemList(datasetId, page),
    [queries, datasetId],
  )
  const loaded = usePagedQuery(queryOf)
  const { data: count } = useQuery(queries.datasetCount(datasetId))
  const columns = useMemo(() => columnsOf(datasetId, info), [datasetId, info])
  return (
    <Listing
      label={`Items of ${datasetId}`}
      // Without the schema there are no columns to put the items in.
      loaded={info === undefined ? { ...loaded, rows: undefined } : loaded}
      columns={columns}
      rowKey={({ id }) => id}
      total={count?.totalItems}
      empty={
        <EmptyState text="Dataset has no Items" warning>
          {info?.repo !== undefined && (
            <ButtonLink to={paths.addItem(datasetId)}>Add item</ButtonLink>
          )}
        </EmptyState>
      }
    />
  )
}

function columnsOf(datasetId: string, info: DatasetInfo | undefined): Column<Item>[] {
  return [
    {
      key: 'id',
      header: 'id',
      rowHeader: true,
      cell: ({ id }) => (
        <RowLink to={paths.item(datasetId, id)} second>
          {id}
        </RowLink>
      ),
    },
    ...(info?.schema ?? []).map((field) => ({
      key: `field ${field.name}`,
      header: field.name,
      cell: ({ data }: Item) => <FieldCell field={field} value={data[field.name]} />,
    })),
    {
      key: 'show',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: ({ id }) => <RowLink to={paths.item(datasetId, id)}>show</RowLink>,
    },
  ]
}
