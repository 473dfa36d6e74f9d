import { useQuery } from '@tanstack/react-query'
import { itemLabel } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { useFoundAmong } from '../../explore/found-among.ts'
import { ItemFields } from './ItemFields.tsx'
import { ItemNeighbours } from './ItemNeighbours.tsx'
import { Referrers } from './Referrers.tsx'
import { useParam } from '../use-param.ts'

export function ItemPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const itemId = useParam('itemId')
  const info = useQuery(queries.datasetGet(datasetId))
  const item = useQuery(queries.datasetItemGet(datasetId, itemId))
  const shown = item.data
  const asked = useFoundAmong()
  const label =
    features.includes('labels') && info.data && shown ? itemLabel(info.data, shown) : undefined
  return (
    <>
      <PageHeader
        title={label ?? `Item ${itemId}`}
        crumb={`Item ${itemId}`}
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
          { label: 'Items', to: paths.items(datasetId, asked) },
        ]}
        actions={
          features.includes('neighbours') && (
            <ItemNeighbours datasetId={datasetId} itemId={itemId} asked={asked} />
          )
        }
      >
        {item.isPending && (
          <p>
            <TextSkeleton width={20} />
          </p>
        )}
        {shown?.createdAt !== undefined && (
          <p>
            added <Timestamp iso={shown.createdAt} />
          </p>
        )}
      </PageHeader>
      <ItemFields datasetId={datasetId} itemId={itemId} />
      {features.includes('labels') && features.includes('explore') && info.data && shown && (
        <Referrers info={info.data} itemId={shown.id} />
      )}
    </>
  )
}
