import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { FieldList } from '../../ui/FieldList.tsx'
import { ShowField } from '../../values/fields.tsx'

type Props = {
  datasetId: string
  itemId: string
  /** The field that is shown elsewhere on the page. */
  without?: string | undefined
  /** Nothing is shown before what stands above it. */
  isAwaited?: boolean
}

/** The fields of an item with their values, or why they cannot be shown. */
export function ItemFields({ datasetId, itemId, without, isAwaited = false }: Props) {
  const { queries } = useApp()
  const info = useQuery(queries.datasetGet(datasetId))
  const item = useQuery(queries.datasetItemGet(datasetId, itemId))
  const shown = isAwaited ? undefined : item.data
  const failed = [info, item].filter(({ error, data }) => error !== null && data === undefined)
  if (failed[0]?.error) {
    return (
      <ErrorBox
        error={failed[0].error}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    )
  }
  const fields = shown && info.data?.schema.filter(({ name }) => name !== without)
  if (fields?.length === 0) return null
  return (
    <FieldList fields={fields}>
      {(field) =>
        shown && (
          <ShowField
            key={`${datasetId}/${itemId}`}
            datasetId={datasetId}
            itemId={shown.id}
            field={field}
            value={shown.data[field.name]}
            seal={shown.integrity?.[field.name]}
          />
        )
      }
    </FieldList>
  )
}
