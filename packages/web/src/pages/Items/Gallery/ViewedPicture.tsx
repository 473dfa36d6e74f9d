import { useQuery } from '@tanstack/react-query'
import { plainText, type Item, type ShownField } from '@vitrine/contract'
import type { RefObject } from 'react'
import { useApp } from '../../../app-context.tsx'
import { PictureContent } from './PictureContent.tsx'
import { PictureSeal } from './PictureSeal.tsx'
import classes from './Viewer.module.css'
import type { Zoom } from './use-zoom.ts'

/** The largest picture that is loaded because one went past it; the item has a button for any. */
const largestBytes = 64 * 1024 ** 2

type Props = {
  datasetId: string
  itemId: number
  field: ShownField | undefined
  /** Absent while it is loaded. */
  item: Item | undefined
  caption: string
  stage: RefObject<HTMLDivElement | null>
  zoom: Zoom
}

/** The picture of an item on the stage, and the digest that it must have. */
export function ViewedPicture({ datasetId, itemId, field, item, caption, stage, zoom }: Props) {
  const { queries, queryClient } = useApp()
  const { name = '', mime = '' } = field ?? {}
  const value = item?.data[name]
  const { data, error, isLoading } = useQuery({
    ...queries.datasetFieldGetWithin(datasetId, itemId, name, largestBytes),
    enabled: value !== undefined,
  })
  const { x, y, scale } = zoom
  const received = async () =>
    data ?? (await queryClient.fetchQuery(queries.datasetFieldGet(datasetId, itemId, name)))
  return (
    <>
      <div ref={stage} className={classes.stage} data-zoomed={scale > 1 || undefined}>
        <output
          className={classes.place}
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        >
          {item !== undefined && value === undefined ? (
            'no picture'
          ) : item === undefined || isLoading ? (
            <span className={classes.loading}>loading...</span>
          ) : (
            <PictureContent
              data={data}
              error={error}
              mime={mime}
              alt={caption}
              className={classes.picture}
            />
          )}
        </output>
      </div>
      <div className={classes.foot}>
        {value !== undefined && (
          <PictureSeal key={itemId} sha256={plainText(value)} bytes={received} />
        )}
      </div>
    </>
  )
}
