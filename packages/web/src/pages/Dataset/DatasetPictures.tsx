import { useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { shownName } from '../../data/named-state.ts'
import { Covers } from '../Datasets/Covers.tsx'
import { pictureFields } from '../Items/picture-fields.ts'
import classes from './DatasetDetail.module.css'

/** Pictures in a line, as many as fit beside each other in a window of 320 pixels. */
const most = 4

/** The pictures of the first items of a dataset, in boxes that are there before them. */
export function DatasetPictures({ info }: { info: DatasetInfo }) {
  const { queries, features } = useApp()
  const field = pictureFields(info)[0]
  const isOffered = field !== undefined && features.includes('small-pictures')
  const { data } = useQuery({
    ...queries.datasetItemList(shownName(info), 0, {}),
    enabled: isOffered,
  })
  if (!isOffered) return null
  const covers = (data?.value ?? [])
    .filter((item) => item.data[field.name] !== undefined)
    .slice(0, most)
    .map(({ id }) => ({ itemId: id, fieldName: field.name, mime: field.mime ?? '' }))
  if (data !== undefined && covers.length === 0) return null
  return (
    <div className={classes.pictures}>
      <Covers datasetId={shownName(info)} covers={covers} large />
    </div>
  )
}
