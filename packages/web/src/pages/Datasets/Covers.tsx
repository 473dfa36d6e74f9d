import { useQuery } from '@tanstack/react-query'
import { IconPhoto } from '@tabler/icons-react'
import type { Cover } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { BlobImage } from '../../ui/BlobImage.tsx'
import { useComesNear } from '../../ui/use-comes-near.ts'
import classes from './Covers.module.css'

type Props = {
  datasetId: string
  covers: readonly Cover[]
  /** As wide as what they stand in, not in a line of a table. */
  large?: boolean
}

/** The pictures that stand for a dataset, in boxes that are there before them. */
export function Covers({ datasetId, covers, large = false }: Props) {
  return (
    <span className={classes.covers} data-large={large || undefined} aria-hidden>
      {covers.map((cover) => (
        <Picture key={cover.itemId} datasetId={datasetId} cover={cover} />
      ))}
    </span>
  )
}

/** Loaded when it comes near the window; large files are not. */
function Picture({ datasetId, cover }: { datasetId: string; cover: Cover }) {
  const { queries } = useApp()
  const { ref, isNear } = useComesNear('200px')
  const { data, isError } = useQuery({
    ...queries.datasetFieldGetSmall(datasetId, cover.itemId, cover.fieldName),
    enabled: isNear,
  })
  return (
    <span ref={ref} className={classes.picture}>
      {data instanceof Blob && <BlobImage blob={data} fallbackMime="image/png" alt="" thumbnail />}
      {(data === null || isError) && <IconPhoto size={16} stroke={1.6} />}
    </span>
  )
}
