import { useQuery } from '@tanstack/react-query'
import { useApp } from '../app-context.tsx'
import { ShowField } from '../fields/ShowField.tsx'
import { paths } from '../paths.ts'
import { Bone } from '../ui/Bone.tsx'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { FieldList } from '../ui/FieldList.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import classes from './ItemPage.module.css'
import { useParam } from './use-param.ts'

export function ItemPage() {
  const { queries } = useApp()
  const datasetId = useParam('datasetId')
  const itemId = useParam('itemId')
  const info = useQuery(queries.datasetGet(datasetId))
  const item = useQuery(queries.datasetItemGet(datasetId, itemId))
  const failed = [info, item].filter(({ error, data }) => error !== null && data === undefined)
  return (
    <>
      <PageHeader
        title={`Item ${itemId}`}
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
          { label: 'Items', to: paths.items(datasetId) },
        ]}
      >
        {item.isPending && <Bone width={20} />}
        {item.data?.createdAt !== undefined && (
          <p className={classes.when}>
            added <Timestamp iso={item.data.createdAt} />
          </p>
        )}
      </PageHeader>
      {failed[0]?.error ? (
        <ErrorBox
          error={failed[0].error}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        />
      ) : (
        <FieldList fields={info.data?.schema}>
          {(field) => {
            if (item.data === undefined) return <Bone width={24} />
            return (
              <ShowField
                key={`${datasetId}/${itemId}`}
                datasetId={datasetId}
                itemId={item.data.id}
                field={field}
                value={item.data.data[field.name]}
                seal={item.data.integrity?.[field.name]}
              />
            )
          }}
        </FieldList>
      )}
    </>
  )
}
